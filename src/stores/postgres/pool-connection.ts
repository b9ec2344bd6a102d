import type { ReadOptions } from '../../store/contract.ts'
import { assertTimely } from '../../store/settle.ts'
import { Cancellation } from './cancellation.ts'
import { PATIENT, type Parameter, type Row, type Statement } from './database.ts'
import { AS_TEXT, type LentClient, lendClient } from './lent-client.ts'
import type { PostgresPool } from './postgres-client.ts'

const ROLLBACK: Statement = { text: 'rollback' }

/** A connection of a pool, until it is given back. */
export class PoolConnection {
  readonly #pool: PostgresPool
  readonly #lent: LentClient

  private constructor(pool: PostgresPool, lent: LentClient) {
    this.#pool = pool
    this.#lent = lent
  }

  static async lend(pool: PostgresPool): Promise<PoolConnection> {
    return new PoolConnection(pool, await lendClient(pool))
  }

  /** Runs a statement, which the server is asked to give up where nobody waits for it any more. */
  async query(
    statement: Statement,
    parameters: readonly Parameter[],
    options: ReadOptions,
  ): Promise<readonly Row[]> {
    assertTimely(options)
    const { client } = this.#lent
    const cancellation =
      client.processID == null || options === PATIENT
        ? undefined
        : new Cancellation(this.#pool, client.processID, options)
    // Without any, `pg` would not know it for a statement of several rounds.
    const values = parameters.length === 0 ? undefined : { values: [...parameters] }
    try {
      const { rows } = await client.query({ ...statement, ...values, rowMode: 'array', types: AS_TEXT })
      return rows
    } catch (cause) {
      assertTimely(options)
      throw cause
    } finally {
      await cancellation?.end()
    }
  }

  giveBack(): void {
    this.#lent.giveBack()
  }

  /** Ends a transaction without its effects, and gives the connection back; destroyed, where it cannot do that. */
  async rollBack(): Promise<void> {
    const failed = await this.query(ROLLBACK, [], PATIENT).then(
      () => false,
      () => true,
    )
    this.#lent.giveBack(failed)
  }
}
