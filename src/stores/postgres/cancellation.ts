import type { StoreReadOptions } from '../../store/contract.ts'
import { acquireClient, TEXT_PARSERS } from './acquired-client.ts'
import type { PostgresPool, PostgresQuery } from './postgres-client.ts'

const CANCEL_STATEMENT = 'select pg_cancel_backend($1)'
/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Cancels a statement on the server, over another connection, when its signal aborts or its deadline passes.
 * If the pool has no free connection, it is cancelled as soon as there is one.
 */
export class Cancellation {
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
