import type { StoreReadOptions } from '../../store/contract.ts'
import { assertInTime } from '../../store/settle-in-time.ts'
import {
  type Database,
  type DatabaseSnapshot,
  type Row,
  type RunStatement,
  type Statement,
  type StatementParameter,
  UNTIMED_OPTIONS,
} from './database.ts'
import { PoolConnection } from './pool-connection.ts'
import type { PostgresPool } from './postgres-client.ts'

const CAPABILITIES = Object.freeze({ snapshots: true, durable: true, shared: true, atomicity: 'batch' })

const BEGIN: Statement = { text: 'begin isolation level read committed' }
const BEGIN_SNAPSHOT: Statement = { text: 'begin isolation level repeatable read, read only' }
/** Takes the snapshot, which belongs to the first statement, not to `begin`. */
const TAKE_SNAPSHOT: Statement = { text: 'select 1' }
const COMMIT: Statement = { text: 'commit' }

/**
 * A snapshot on one connection of the pool. It runs its statements one after another, since they share the
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

/** A database behind a `Pool` of `pg`. */
export class PoolDatabase implements Database {
  readonly capabilities = CAPABILITIES
  readonly #pool: PostgresPool

  constructor(pool: PostgresPool) {
    this.#pool = pool
  }

  async query(
    statement: Statement,
    parameters: readonly StatementParameter[],
    options: StoreReadOptions,
  ): Promise<readonly Row[]> {
    const connection = await PoolConnection.acquire(this.#pool)
    try {
      return await connection.query(statement, parameters, options)
    } finally {
      connection.release()
    }
  }

  async transaction<T>(body: (run: RunStatement) => Promise<T>, options: StoreReadOptions): Promise<T> {
    const connection = await PoolConnection.acquire(this.#pool)
    try {
      await connection.query(BEGIN, [], options)
      const result = await body((statement, parameters) => connection.query(statement, parameters, options))
      assertInTime(options)
      // From here on the server alone decides whether the transaction is committed.
      await connection.query(COMMIT, [], UNTIMED_OPTIONS)
      connection.release()
      return result
    } catch (cause) {
      await connection.rollBackAndRelease()
      throw cause
    }
  }

  async openSnapshot(): Promise<DatabaseSnapshot> {
    const connection = await PoolConnection.acquire(this.#pool)
    try {
      await connection.query(BEGIN_SNAPSHOT, [], UNTIMED_OPTIONS)
      await connection.query(TAKE_SNAPSHOT, [], UNTIMED_OPTIONS)
      return new PoolSnapshot(connection)
    } catch (cause) {
      await connection.rollBackAndRelease()
      throw cause
    }
  }
}
