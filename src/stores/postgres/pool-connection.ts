import { isNonArrayObject } from '../../base/json.ts'
import type { StoreReadOptions } from '../../store/contract.ts'
import { assertInTime, settleInTime } from '../../store/settle-in-time.ts'
import {
  type AcquiredClient,
  type ConnectionQueue,
  ignoreError,
  TEXT_PARSERS,
  toClientError,
} from './connection-queue.ts'
import { type Row, type Statement, type StatementParameter, UNTIMED_OPTIONS } from './database.ts'
import type { PostgresQuery } from './postgres-client.ts'

const CANCEL_STATEMENT = 'select pg_cancel_backend($1)'
/** The time after the end of a call at which its connection is destroyed if the statement still runs. */
const CANCEL_TIMEOUT_MS = 1000

/** The maximum time of a statement without a deadline. */
const DEFAULT_TIMEOUT_MS = 30_000

/** Whether the server sent an error. */
export const isServerError = (
  error: unknown,
): error is { readonly severity: string; readonly code: unknown } =>
  isNonArrayObject(error) && typeof error.severity === 'string'

const ROLLBACK: Statement = { text: 'rollback' }

/** The maximum time to wait for the connection that cancels a statement. */
const CANCEL_WAIT_MS = 10_000

/**
 * Cancels the statement of a server process over another connection. Does nothing if the signal aborts first.
 */
const cancelStatement = async (
  queue: ConnectionQueue,
  processId: number,
  signal: AbortSignal,
): Promise<void> => {
  const acquired = await queue.acquire(
    { ...UNTIMED_OPTIONS, signal, deadline: Date.now() + CANCEL_WAIT_MS },
    true,
  )
  if (signal.aborted) return acquired.release()
  const query: PostgresQuery = {
    text: CANCEL_STATEMENT,
    values: [processId],
    rowMode: 'array',
    types: TEXT_PARSERS,
  }
  try {
    await settleInTime(acquired.client.query(query), undefined, Date.now() + CANCEL_TIMEOUT_MS)
    acquired.release()
  } catch {
    acquired.release(true)
  }
}

const toQuery = (
  { text, name }: Statement,
  parameters: readonly StatementParameter[],
  isDirect: boolean,
): PostgresQuery => {
  // `pg` uses the simple protocol for a statement without `values`.
  const values = parameters.length === 0 ? undefined : { values: [...parameters] }
  // A name belongs to a server process, and the next statement may run in another one.
  const names = name === undefined || !isDirect ? undefined : { name }
  return { text, ...names, ...values, rowMode: 'array', types: TEXT_PARSERS }
}

/** A connection of a pool, until it is released. */
export class PoolConnection {
  readonly #queue: ConnectionQueue
  readonly #acquired: AcquiredClient
  /** Settles when a statement whose call is over has ended, or its connection is destroyed. */
  #pendingEnd: Promise<void> | undefined
  /** Whether the client reported an error that is not from the server. Its statement may still run. */
  #isBroken = false

  private constructor(queue: ConnectionQueue, acquired: AcquiredClient) {
    this.#queue = queue
    this.#acquired = acquired
  }

  static async acquire(queue: ConnectionQueue, options: StoreReadOptions): Promise<PoolConnection> {
    return new PoolConnection(queue, await queue.acquire(options))
  }

  /**
   * Runs a statement. If the signal aborts or the deadline passes first, the statement is cancelled on the
   * server. If the statement is still running a second later, the connection is destroyed. Behind a pooler, the
   * connection is destroyed at once, because the statement of another client could be cancelled instead.
   *
   * @throws GraphError `timeout` or `aborted`, or the unchanged error of the client.
   */
  async query(
    statement: Statement,
    parameters: readonly StatementParameter[],
    options: StoreReadOptions,
  ): Promise<readonly Row[]> {
    if (this.#pendingEnd !== undefined) await this.#pendingEnd
    assertInTime(options)
    const startTime = performance.now()
    const deadline = options.deadline ?? Date.now() + DEFAULT_TIMEOUT_MS
    const pendingResult = this.#acquired.client.query(toQuery(statement, parameters, this.#queue.isDirect))
    try {
      const { rows } = await settleInTime(pendingResult, options.signal, deadline)
      this.#queue.reportUse(this.#acquired.client)
      return rows
    } catch (error) {
      const clientError = toClientError(error)
      if (clientError === error) this.#abandon(pendingResult, startTime)
      else if (!isServerError(clientError)) this.#isBroken = true
      throw clientError
    }
  }

  /**
   * Releases the connection, or destroys it. A connection whose last statement still runs is released when
   * the statement has ended. A second call does nothing.
   */
  release(isDestroyed = false): void {
    if (isDestroyed || this.#isBroken) this.#acquired.release(true)
    else if (this.#pendingEnd === undefined) this.#acquired.release()
    else void this.#pendingEnd.then(() => this.#acquired.release())
  }

  /** Rolls back the transaction, and releases the connection, or destroys it if the rollback fails. */
  async rollBackAndRelease(): Promise<void> {
    await this.#pendingEnd
    if (this.#acquired.isReleased) return
    const options = { ...UNTIMED_OPTIONS, deadline: Date.now() + CANCEL_TIMEOUT_MS }
    const hasFailed = await this.query(ROLLBACK, [], options).then(
      () => false,
      () => true,
    )
    this.release(hasFailed)
  }

  #abandon(pendingResult: Promise<unknown>, startTime: number): void {
    if (this.#queue.isDirect) this.#pendingEnd = this.#endStatement(pendingResult, startTime)
    else this.release(true)
  }

  /**
   * Cancels a statement, and waits until the statement and the cancellation have ended. Otherwise, the next
   * statement of the connection could be cancelled instead.
   */
  async #endStatement(pendingResult: Promise<unknown>, startTime: number): Promise<void> {
    const { processID } = this.#acquired.client
    const controller = new AbortController()
    const ended = pendingResult.catch(ignoreError).then(() => {
      // If the connection was destroyed, its statement may still run on the server and must be cancelled.
      if (!this.#acquired.isReleased) controller.abort()
    })
    const cancelled =
      processID == null ? undefined : cancelStatement(this.#queue, processID, controller.signal)
    const finished = Promise.all([ended, cancelled?.catch(ignoreError)])
    try {
      await settleInTime(finished, undefined, Date.now() + CANCEL_TIMEOUT_MS)
    } catch {
      this.#queue.reportFailure(startTime)
      this.release(true)
    }
  }
}
