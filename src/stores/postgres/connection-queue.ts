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

/** A client that was acquired from a pool and is not released yet. */
export class AcquiredClient {
  readonly client: PostgresPoolClient
  readonly #onRelease: (isDestroyed: boolean) => void
  #isReleased = false

  constructor(client: PostgresPoolClient, onRelease: (isDestroyed: boolean) => void) {
    this.client = client
    this.#onRelease = onRelease
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
    this.#onRelease(isDestroyed)
    this.client.release(isDestroyed)
  }
}

/** Returns the error of the client that `settleInTime` converted, or the unchanged error of the wait. */
export const toClientError = (error: unknown): unknown =>
  isGraphError(error) && error.reason === 'store_error' ? error.cause : error

/** A call that waits for a connection. */
type Waiter = {
  readonly accept: (acquired: AcquiredClient) => void
  readonly reject: (error: unknown) => void
}

/**
 * The maximum number of connections that are requested from the pool at once. Other calls wait here, because
 * a request cannot be removed from the queue of a pool.
 */
const MAX_PENDING_REQUESTS = 32

/** The idle time after which a connection is checked before its next use. */
const MAX_UNCHECKED_IDLE_MS = 5000
/** The maximum time of this check. */
const CHECK_TIMEOUT_MS = 1000

const CHECK_QUERY: PostgresQuery = { text: 'select 1', rowMode: 'array', types: TEXT_PARSERS }

/** Acquires connections from a pool, in the order of the calls. A call waits at most until its deadline. */
export class ConnectionQueue {
  readonly #pool: PostgresPool
  readonly #waiters = new Set<Waiter>()
  readonly #lastUses = new WeakMap<PostgresPoolClient, number>()
  #pendingRequestCount = 0
  /**
   * Connections that have not been used since this time are not used again, because the network failed at
   * this time.
   */
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(pool: PostgresPool) {
    this.#pool = pool
  }

  /**
   * Acquires a connection that the server still serves.
   *
   * @throws GraphError `timeout` or `aborted`, or an error of the pool.
   */
  async acquire(options: StoreReadOptions): Promise<AcquiredClient> {
    for (;;) {
      assertInTime(options)
      const acquired = await this.#wait(options)
      if (await this.#isUsable(acquired)) return acquired
      acquired.release(true)
    }
  }

  /**
   * Reports that the server has not responded on a connection since `time`. Connections that were last used
   * before `time` are not used again.
   */
  reportFailure(time: number): void {
    this.#failedAt = Math.max(this.#failedAt, time)
  }

  async #wait({ signal, deadline }: StoreReadOptions): Promise<AcquiredClient> {
    let waiter: Waiter | undefined
    const pendingClient = new Promise<AcquiredClient>((accept, reject) => {
      waiter = { accept, reject }
      this.#waiters.add(waiter)
    })
    this.#requestClients()
    try {
      return await settleInTime(pendingClient, signal, deadline)
    } catch (error) {
      // A client that arrived at the same moment is returned to the pool.
      if (waiter !== undefined && !this.#waiters.delete(waiter))
        pendingClient.then(acquired => acquired.release()).catch(ignoreError)
      throw toClientError(error)
    }
  }

  #requestClients(): void {
    while (this.#pendingRequestCount < Math.min(this.#waiters.size, MAX_PENDING_REQUESTS)) {
      this.#pendingRequestCount++
      // With a promise, a connection could fail before the code after `await` listens for its errors.
      this.#pool.connect((error, client) => this.#receive(error, client))
    }
  }

  #receive(error: Error | undefined, client: PostgresPoolClient | undefined): void {
    this.#pendingRequestCount--
    const acquired = client && new AcquiredClient(client, () => this.#lastUses.set(client, Date.now()))
    const [waiter] = this.#waiters
    if (waiter === undefined) acquired?.release()
    else {
      this.#waiters.delete(waiter)
      if (acquired === undefined) waiter.reject(error)
      else waiter.accept(acquired)
    }
    this.#requestClients()
  }

  /** Checks a connection that the network may have lost while it was idle. */
  async #isUsable({ client }: AcquiredClient): Promise<boolean> {
    const startTime = Date.now()
    const lastUse = this.#lastUses.get(client) ?? startTime
    if (lastUse <= this.#failedAt) return false
    if (startTime - lastUse < MAX_UNCHECKED_IDLE_MS) return true
    try {
      await settleInTime(client.query(CHECK_QUERY), undefined, startTime + CHECK_TIMEOUT_MS)
      return true
    } catch {
      this.reportFailure(lastUse)
      return false
    }
  }
}
