import { isGraphError } from '../../base/errors.ts'
import type { StoreReadOptions } from '../../store/contract.ts'
import { assertInTime, settleInTime } from '../../store/settle-in-time.ts'
import type { PostgresPool, PostgresPoolClient, PostgresQuery } from './postgres-client.ts'

/**
 * Ignores an error that is reported elsewhere, such as the loss of a connection, because its statement fails
 * too. Without a listener, the `error` event would end the process.
 */
export const ignoreError = (): void => {}

/**
 * Returns every value as text, regardless of the client's parsers, because ids do not fit into JavaScript
 * numbers.
 */
export const TEXT_PARSERS = Object.freeze({ getTypeParser: () => (text: string) => text })

/** A client that was acquired from a pool, until it is released. */
export class AcquiredClient {
  readonly client: PostgresPoolClient
  #isReleased = false

  constructor(client: PostgresPoolClient) {
    this.client = client
    client.on('error', ignoreError)
  }

  get isReleased(): boolean {
    return this.#isReleased
  }

  /** Returns the connection to the pool, or destroys it. A second call does nothing. */
  release(isDestroyed = false): void {
    if (this.#isReleased) return
    this.#isReleased = true
    // A destroyed connection may still report errors.
    if (!isDestroyed) this.client.off('error', ignoreError)
    this.client.release(isDestroyed)
  }
}

/** Returns the error of the client that `settleInTime` converted, or the unchanged error of the wait. */
export const toClientError = (error: unknown): unknown =>
  isGraphError(error) && error.reason === 'store_error' ? error.cause : error

/** A call that waits for a connection, since a time of `performance.now`. */
type Waiter = {
  readonly since: number
  readonly accept: (acquired: AcquiredClient) => void
  readonly reject: (error: unknown) => void
}

/**
 * The maximum number of connections that are requested from the pool at once. Calls wait here instead of in
 * the pool, because nothing can be removed from the pool's queue.
 */
const MAX_PENDING_REQUESTS = 32

/** A connection that has been idle for so long is checked before its next use. */
const MAX_UNCHECKED_IDLE_MS = 5000
/** The maximum time of this check. */
const CHECK_TIMEOUT_MS = 1000

const CHECK_QUERY: PostgresQuery = { text: 'select 1', rowMode: 'array', types: TEXT_PARSERS }

/** Acquires connections of a pool, in the order of the calls. Each call waits at most until its deadline. */
export class ConnectionQueue {
  /**
   * Whether each connection leads to one server process. Behind a pooler, each transaction may run in another
   * process, and the client does not know its id.
   */
  readonly isDirect: boolean
  readonly #pool: PostgresPool
  readonly #waiters = new Set<Waiter>()
  /** Waiters that receive a connection before all others. */
  readonly #urgentWaiters = new Set<Waiter>()
  /** The times of `performance.now` at which the server of a client last responded. */
  readonly #lastUses = new WeakMap<PostgresPoolClient, number>()
  #pendingRequestCount = 0
  #isRequesting = false
  /** Connections that were last used before this time are not used again, because the network failed then. */
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(pool: PostgresPool, isDirect = true) {
    this.#pool = pool
    this.isDirect = isDirect
  }

  /**
   * Acquires a connection that the server still serves. An urgent call does not wait for the other calls.
   *
   * @throws GraphError `timeout` or `aborted`; errors of the pool, unchanged.
   */
  async acquire(options: StoreReadOptions, isUrgent = false): Promise<AcquiredClient> {
    for (;;) {
      assertInTime(options)
      const acquired = await this.#wait(options, isUrgent ? this.#urgentWaiters : this.#waiters)
      if (await this.#isUsable(acquired, options)) return acquired
      acquired.release(true)
    }
  }

  /** Reports that the server of a client has responded. */
  reportUse(client: PostgresPoolClient): void {
    this.#lastUses.set(client, performance.now())
  }

  /**
   * Reports that a server has not responded since a time of `performance.now`. Connections that were last
   * used before this time are not used again.
   */
  reportFailure(time: number): void {
    this.#failedAt = Math.max(this.#failedAt, time)
  }

  async #wait({ signal, deadline }: StoreReadOptions, waiters: Set<Waiter>): Promise<AcquiredClient> {
    let waiter: Waiter | undefined
    const pendingClient = new Promise<AcquiredClient>((accept, reject) => {
      waiter = { since: performance.now(), accept, reject }
      waiters.add(waiter)
    })
    this.#requestClients(1)
    try {
      return await settleInTime(pendingClient, signal, deadline)
    } catch (error) {
      // A client that arrived at the same moment goes back to the pool.
      if (waiter !== undefined && !waiters.delete(waiter))
        pendingClient.then(acquired => acquired.release()).catch(ignoreError)
      throw toClientError(error)
    }
  }

  /**
   * Requests at least a number of clients, and one for each waiter. An earlier request may never be served,
   * so it does not count for a new waiter.
   */
  #requestClients(minimum: number): void {
    // A pool may call back at once. Then the outer call requests the other clients.
    if (this.#isRequesting) return
    this.#isRequesting = true
    for (let requested = 0; this.#needsRequest(requested < minimum); requested++) this.#requestClient()
    this.#isRequesting = false
  }

  #needsRequest(isForNewWaiter: boolean): boolean {
    const waiterCount = this.#waiters.size + this.#urgentWaiters.size
    return (
      waiterCount > 0 &&
      this.#pendingRequestCount < MAX_PENDING_REQUESTS &&
      (isForNewWaiter || this.#pendingRequestCount < waiterCount)
    )
  }

  #requestClient(): void {
    const startTime = performance.now()
    this.#pendingRequestCount++
    try {
      // Not the promise of `connect`: a connection may fail before the code after `await` can listen to it.
      this.#pool.connect((error, client) => this.#receive(startTime, error, client))
    } catch (error) {
      this.#receive(startTime, error, undefined)
    }
  }

  #receive(startTime: number, error: unknown, client: PostgresPoolClient | undefined): void {
    this.#pendingRequestCount--
    const waiters = this.#urgentWaiters.size > 0 ? this.#urgentWaiters : this.#waiters
    const [waiter] = waiters
    if (client !== undefined) {
      if (!this.#lastUses.has(client)) this.reportUse(client)
      const acquired = new AcquiredClient(client)
      if (waiter === undefined) acquired.release()
      else waiter.accept(acquired)
    }
    // The error of an old request does not concern a call that has waited for less time.
    const isServed = client !== undefined || (waiter !== undefined && waiter.since <= startTime)
    if (waiter !== undefined && isServed) waiters.delete(waiter)
    if (client === undefined && isServed) waiter?.reject(error ?? new Error('The pool returned no client'))
    this.#requestClients(0)
  }

  /** Checks a connection that the network may have lost while the connection was idle. */
  async #isUsable({ client }: AcquiredClient, { signal, deadline }: StoreReadOptions): Promise<boolean> {
    const lastUse = this.#lastUses.get(client) ?? performance.now()
    if (lastUse <= this.#failedAt) return false
    if (performance.now() - lastUse < MAX_UNCHECKED_IDLE_MS) return true
    const checkDeadline = Date.now() + CHECK_TIMEOUT_MS
    try {
      const endTime = Math.min(deadline ?? checkDeadline, checkDeadline)
      await settleInTime(client.query(CHECK_QUERY), signal, endTime)
      this.reportUse(client)
      return true
    } catch {
      if (Date.now() >= checkDeadline) this.reportFailure(lastUse)
      return false
    }
  }
}
