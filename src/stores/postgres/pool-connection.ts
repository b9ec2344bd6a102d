import type { StoreReadOptions } from '../../store/contract.ts'
import { assertInTime } from '../../store/settle-in-time.ts'
import { type Row, type Statement, type StatementParameter, UNTIMED_OPTIONS } from './database.ts'
import type { PostgresPool, PostgresPoolClient, PostgresQuery } from './postgres-client.ts'

/**
 * Ignores the loss of a connection, since its statement fails too. Without a listener, the event would end
 * the process.
 */
const ignoreError = (): void => {}

/** A client acquired from a pool, to be released once. */
type AcquiredClient = {
  readonly client: PostgresPoolClient
  readonly release: (destroy?: boolean) => void
}

const acquireClient = async (pool: PostgresPool): Promise<AcquiredClient> => {
  const client = await pool.connect()
  client.on('error', ignoreError)
  const release = (destroy = false): void => {
    client.off('error', ignoreError)
    client.release(destroy)
  }
  return { client, release }
}

/** Returns every value as text, regardless of the client's parsers, since ids do not fit into JS numbers. */
const TEXT_PARSERS = Object.freeze({ getTypeParser: () => (text: string) => text })

const CANCEL_STATEMENT = 'select pg_cancel_backend($1)'
/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Cancels a statement on the server, over another connection, when its signal aborts or its deadline passes.
 * If the pool has no free connection, it is cancelled as soon as there is one.
 */
class Cancellation {
  readonly #pool: PostgresPool
  /** The process of the server that runs the statement. */
  readonly #processId: number
  readonly #signal: AbortSignal | undefined
  readonly #timer: ReturnType<typeof setTimeout> | undefined
  readonly #startCancel = (): void => {
    void this.#cancel()
  }
  #hasStatementEnded = false
  #pendingCancel: Promise<void> | undefined

  constructor(pool: PostgresPool, processId: number, { signal, deadline }: StoreReadOptions) {
    this.#pool = pool
    this.#processId = processId
    this.#signal = signal
    signal?.addEventListener('abort', this.#startCancel)
    if (deadline !== undefined)
      this.#timer = setTimeout(this.#startCancel, Math.min(deadline - Date.now(), MAX_TIMER_MS))
  }

  /**
   * Must be awaited when the statement has ended, so that the next one of its connection is not cancelled
   * instead.
   */
  async onStatementEnd(): Promise<void> {
    this.#hasStatementEnded = true
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#startCancel)
    await this.#pendingCancel
  }

  /** Cancels the statement. Errors are ignored, since nobody waits for it. */
  async #cancel(): Promise<void> {
    const acquired = await acquireClient(this.#pool).catch(() => undefined)
    if (acquired === undefined) return
    const query: PostgresQuery = {
      text: CANCEL_STATEMENT,
      values: [this.#processId],
      rowMode: 'array',
      types: TEXT_PARSERS,
    }
    if (!this.#hasStatementEnded && this.#pendingCancel === undefined)
      this.#pendingCancel = acquired.client.query(query).then(
        () => undefined,
        () => undefined,
      )
    await this.#pendingCancel
    acquired.release()
  }
}

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
