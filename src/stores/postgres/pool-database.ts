import type { StoreReadOptions } from '../../store/contract.ts'
import { assertInTime } from '../../store/settle-in-time.ts'
import { unknownWriteError } from '../write-timeout.ts'
import { ConnectionQueue } from './connection-queue.ts'
import {
  type Database,
  type DatabaseSnapshot,
  type Row,
  type RunStatement,
  type Statement,
  type StatementParameter,
  UNTIMED_OPTIONS,
  WRITE_SETTINGS,
} from './database.ts'
import { isServerError, PoolConnection } from './pool-connection.ts'
import type { PostgresPool } from './postgres-client.ts'

const CAPABILITIES = Object.freeze({
  snapshots: true,
  durable: true,
  shared: true,
  atomicity: 'batch',
  conditionalWrites: true,
  collections: true,
  readsAhead: true,
})

/** The limits of the time after which the server ends a transaction that has lost its client. */
const MIN_IDLE_MS = 1000
const MAX_IDLE_MS = 30_000

/**
 * Creates the statement that begins a write. If its connection is lost without a message, the server would
 * otherwise keep the locks of the transaction for hours. The settings are one message, because they have no
 * parameters.
 */
const createBegin = ({ deadline }: StoreReadOptions): Statement => {
  const remainingMs = deadline === undefined ? MAX_IDLE_MS : Math.round(deadline - Date.now())
  const idleMs = Math.min(Math.max(remainingMs, MIN_IDLE_MS), MAX_IDLE_MS)
  const idleTimeout = `set local idle_in_transaction_session_timeout = ${idleMs}`
  return { text: `begin isolation level read committed; ${WRITE_SETTINGS}; ${idleTimeout}` }
}

const BEGIN_READ: Statement = { text: 'begin isolation level read committed, read only' }
const BEGIN_SNAPSHOT: Statement = { text: 'begin isolation level repeatable read, read only' }
/** Creates the snapshot, because Postgres creates it at the first statement, not at `begin`. */
const TAKE_SNAPSHOT: Statement = { text: 'select 1' }
const COMMIT: Statement = { text: 'commit' }

/**
 * A snapshot on one connection of the pool. It runs its statements one after another, because they share the
 * connection.
 */
class PoolSnapshot implements DatabaseSnapshot {
  readonly #connection: PoolConnection
  #lastQuery: Promise<unknown> = Promise.resolve()

  constructor(connection: PoolConnection) {
    this.#connection = connection
  }

  query(
    statement: Statement,
    parameters: readonly StatementParameter[],
    options: StoreReadOptions,
  ): Promise<readonly Row[]> {
    const nextQuery = this.#lastQuery.then(() => this.#connection.query(statement, parameters, options))
    this.#lastQuery = nextQuery.catch(() => undefined)
    return nextQuery
  }

  async close(): Promise<void> {
    await this.#lastQuery
    await this.#connection.rollBackAndRelease()
  }
}

/** The maximum time that a call without a deadline waits for a connection. */
const MAX_WAIT_MS = 10_000

const withWaitLimit = (options: StoreReadOptions): StoreReadOptions => ({
  ...options,
  deadline: options.deadline ?? Date.now() + MAX_WAIT_MS,
})

/** The minimum time to wait for the response to a commit. */
const MIN_COMMIT_MS = 1000

/**
 * The errors after which the server may have committed: those about its connection or its end, and
 * `statement_completion_unknown`.
 */
const UNKNOWN_RESULT_CODES = /^(08|57|40003)/

/** Whether the server itself reports that it did not commit. */
const isRejectedCommit = (cause: unknown): boolean =>
  isServerError(cause) && !UNKNOWN_RESULT_CODES.test(String(cause.code))

/** A database that is accessed through a `Pool` of `pg`. */
export class PoolDatabase implements Database {
  readonly capabilities = CAPABILITIES
  readonly #queue: ConnectionQueue

  /** `isDirect` is false if the pool connects to a pooler in transaction mode. */
  constructor(pool: PostgresPool, isDirect = true) {
    this.#queue = new ConnectionQueue(pool, isDirect)
  }

  query(
    statement: Statement,
    parameters: readonly StatementParameter[],
    options: StoreReadOptions,
  ): Promise<readonly Row[]> {
    return this.#runOnConnection(options, connection => connection.query(statement, parameters, options))
  }

  /** Runs statements that read on one server. Behind a pooler, they are one transaction. */
  runOnServer<T>(body: (run: RunStatement) => Promise<T>, options: StoreReadOptions): Promise<T> {
    if (!this.#queue.isDirect) return this.readTransaction(body, options)
    return this.#runOnConnection(options, connection =>
      body((statement, parameters) => connection.query(statement, parameters, options)),
    )
  }

  async readTransaction<T>(body: (run: RunStatement) => Promise<T>, options: StoreReadOptions): Promise<T> {
    const connection = await PoolConnection.acquire(this.#queue, withWaitLimit(options))
    try {
      await connection.query(BEGIN_READ, [], options)
      const result = await body((statement, parameters) => connection.query(statement, parameters, options))
      await connection.query(COMMIT, [], options)
      connection.release()
      return result
    } catch (cause) {
      await connection.rollBackAndRelease()
      throw cause
    }
  }

  /** Runs statements on one connection, which is then released. */
  async #runOnConnection<T>(
    options: StoreReadOptions,
    body: (connection: PoolConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await PoolConnection.acquire(this.#queue, withWaitLimit(options))
    try {
      return await body(connection)
    } finally {
      connection.release()
    }
  }

  async transaction<T>(body: (run: RunStatement) => Promise<T>, options: StoreReadOptions): Promise<T> {
    const connection = await PoolConnection.acquire(this.#queue, withWaitLimit(options))
    try {
      await connection.query(createBegin(options), [], options)
      const result = await body((statement, parameters) => connection.query(statement, parameters, options))
      assertInTime(options)
      await this.#commit(connection, options)
      return result
    } catch (cause) {
      await connection.rollBackAndRelease()
      throw cause
    }
  }

  async openSnapshot(prepare?: (run: RunStatement) => Promise<void>): Promise<DatabaseSnapshot> {
    const options = withWaitLimit(UNTIMED_OPTIONS)
    const connection = await PoolConnection.acquire(this.#queue, options)
    try {
      await connection.query(BEGIN_SNAPSHOT, [], options)
      await prepare?.((statement, parameters) => connection.query(statement, parameters, options))
      await connection.query(TAKE_SNAPSHOT, [], options)
      return new PoolSnapshot(connection)
    } catch (cause) {
      await connection.rollBackAndRelease()
      throw cause
    }
  }

  /** Commits. Ignores the signal, because an abort could no longer prevent the commit. */
  async #commit(connection: PoolConnection, { deadline }: StoreReadOptions): Promise<void> {
    try {
      const commitDeadline = deadline && Math.max(deadline, Date.now() + MIN_COMMIT_MS)
      await connection.query(COMMIT, [], { ...UNTIMED_OPTIONS, deadline: commitDeadline })
      connection.release()
    } catch (cause) {
      connection.release(true)
      if (isRejectedCommit(cause)) throw cause
      throw unknownWriteError(cause)
    }
  }
}
