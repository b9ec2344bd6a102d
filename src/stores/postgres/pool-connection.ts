import type { StoreReadOptions } from '../../store/contract.ts'
import { assertInTime } from '../../store/settle-in-time.ts'
import { type AcquiredClient, acquireClient, TEXT_PARSERS } from './acquired-client.ts'
import { Cancellation } from './cancellation.ts'
import { type Row, type Statement, type StatementParameter, UNTIMED_OPTIONS } from './database.ts'
import type { PostgresPool } from './postgres-client.ts'

const ROLLBACK: Statement = { text: 'rollback' }

/** A connection of a pool, until it is released. */
export class PoolConnection {
  readonly #pool: PostgresPool
  readonly #acquired: AcquiredClient

  private constructor(pool: PostgresPool, acquired: AcquiredClient) {
    this.#pool = pool
    this.#acquired = acquired
  }

  static async acquire(pool: PostgresPool): Promise<PoolConnection> {
    return new PoolConnection(pool, await acquireClient(pool))
  }

  /** Runs a statement, and cancels it on the server when nobody waits for it any more. */
  async query(
    statement: Statement,
    parameters: readonly StatementParameter[],
    options: StoreReadOptions,
  ): Promise<readonly Row[]> {
    assertInTime(options)
    const { client } = this.#acquired
    const cancellation =
      client.processID == null || options === UNTIMED_OPTIONS
        ? undefined
        : new Cancellation(this.#pool, client.processID, options)
    // `pg` uses the simple protocol for a statement without `values`.
    const values = parameters.length === 0 ? undefined : { values: [...parameters] }
    try {
      const { rows } = await client.query({ ...statement, ...values, rowMode: 'array', types: TEXT_PARSERS })
      return rows
    } catch (cause) {
      assertInTime(options)
      throw cause
    } finally {
      await cancellation?.onStatementEnd()
    }
  }

  release(): void {
    this.#acquired.release()
  }

  /** Rolls back the transaction, and releases the connection; destroys it if that fails. */
  async rollBackAndRelease(): Promise<void> {
    const hasFailed = await this.query(ROLLBACK, [], UNTIMED_OPTIONS).then(
      () => false,
      () => true,
    )
    this.#acquired.release(hasFailed)
  }
}
