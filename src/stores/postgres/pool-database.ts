import type { ReadOptions } from '../../store/contract.ts'
import { assertTimely } from '../../store/settle.ts'
import {
  type Database,
  type DatabaseView,
  PATIENT,
  type Parameter,
  type Row,
  type Run,
  type Statement,
} from './database.ts'
import { PoolConnection } from './pool-connection.ts'
import type { PostgresPool } from './postgres-client.ts'

const CAPABILITIES = Object.freeze({ snapshots: true, durable: true, shared: true, atomicity: 'batch' })

const BEGIN: Statement = { text: 'begin isolation level read committed' }
const BEGIN_VIEW: Statement = { text: 'begin isolation level repeatable read, read only' }
/** A view is of the moment of its first statement, not of its `begin`. */
const LOOK: Statement = { text: 'select 1' }
const COMMIT: Statement = { text: 'commit' }
/** Runs its statements one after another, since they share a connection. */
class PoolView implements DatabaseView {
  readonly #connection: PoolConnection
  #last: Promise<unknown> = Promise.resolve()

  constructor(connection: PoolConnection) {
    this.#connection = connection
  }

  query(
    statement: Statement,
    parameters: readonly Parameter[],
    options: ReadOptions,
  ): Promise<readonly Row[]> {
    const next = this.#last.then(() => this.#connection.query(statement, parameters, options))
    this.#last = next.catch(() => undefined)
    return next
  }

  async close(): Promise<void> {
    await this.#last
    await this.#connection.rollBack()
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
    parameters: readonly Parameter[],
    options: ReadOptions,
  ): Promise<readonly Row[]> {
    const connection = await PoolConnection.lend(this.#pool)
    try {
      return await connection.query(statement, parameters, options)
    } finally {
      connection.giveBack()
    }
  }

  async transaction<T>(body: (run: Run) => Promise<T>, options: ReadOptions): Promise<T> {
    const connection = await PoolConnection.lend(this.#pool)
    try {
      await connection.query(BEGIN, [], options)
      const result = await body((statement, parameters) => connection.query(statement, parameters, options))
      assertTimely(options)
      // From here on it is the server's to say whether the transaction took place.
      await connection.query(COMMIT, [], PATIENT)
      connection.giveBack()
      return result
    } catch (cause) {
      await connection.rollBack()
      throw cause
    }
  }

  async view(): Promise<DatabaseView> {
    const connection = await PoolConnection.lend(this.#pool)
    try {
      await connection.query(BEGIN_VIEW, [], PATIENT)
      await connection.query(LOOK, [], PATIENT)
      return new PoolView(connection)
    } catch (cause) {
      await connection.rollBack()
      throw cause
    }
  }
}
