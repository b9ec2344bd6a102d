import type { ReadOptions } from '../../store/contract.ts'
import { AS_TEXT, lendClient } from './lent-client.ts'
import type { PostgresPool, PostgresQuery } from './postgres-client.ts'

const CANCEL = 'select pg_cancel_backend($1)'
/** What timers can wait for at most. */
const LONGEST_TIMER = 2 ** 31 - 1

/**
 * Watches over a statement: where its signal is aborted or its deadline passes, the server is asked over another
 * connection to give it up. Where the pool has none to spare, it is asked once there is one.
 */
export class Cancellation {
  readonly #pool: PostgresPool
  /** The process of the server that runs the statement. */
  readonly #process: number
  readonly #signal: AbortSignal | undefined
  readonly #timer: ReturnType<typeof setTimeout> | undefined
  readonly #start = (): void => {
    void this.#cancel()
  }
  #ended = false
  #asked: Promise<void> | undefined

  constructor(pool: PostgresPool, process: number, { signal, deadline }: ReadOptions) {
    this.#pool = pool
    this.#process = process
    this.#signal = signal
    signal?.addEventListener('abort', this.#start)
    if (deadline !== undefined)
      this.#timer = setTimeout(this.#start, Math.min(deadline - Date.now(), LONGEST_TIMER))
  }

  /** To be awaited when the statement has ended, lest the next one of its connection be cancelled in its place. */
  async end(): Promise<void> {
    this.#ended = true
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#start)
    await this.#asked
  }

  /** Nobody waits for the statement, so that nobody is told where it cannot be cancelled. */
  async #cancel(): Promise<void> {
    const lent = await lendClient(this.#pool).catch(() => undefined)
    if (lent === undefined) return
    const query: PostgresQuery = { text: CANCEL, values: [this.#process], rowMode: 'array', types: AS_TEXT }
    if (!this.#ended && this.#asked === undefined)
      this.#asked = lent.client.query(query).then(
        () => undefined,
        () => undefined,
      )
    await this.#asked
    lent.giveBack()
  }
}
