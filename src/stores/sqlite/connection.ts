import { describeValue } from '../../base/describe.ts'
import { isNonArrayObject } from '../../base/json.ts'
import { usageError } from '../../base/usage-error.ts'

/** A value of a parameter. An id is passed as a bigint or in JSON, because a number would round it. */
export type SqliteValue = string | number | bigint

/** A prepared statement of the client. */
export interface SqliteStatement {
  /** Returns the first row, by column name; undefined or null if there is none. */
  get(...values: SqliteValue[]): unknown
  /** Returns all rows. */
  all?(...values: SqliteValue[]): unknown
  /** Returns the rows one by one. */
  iterate?(...values: SqliteValue[]): unknown
  /** Runs a statement without rows. */
  run(...values: SqliteValue[]): unknown
  /** Only in better-sqlite3: returns rows as their first column. */
  pluck?(isOn?: boolean): unknown
  /** Only in better-sqlite3: returns rows as arrays. */
  raw?(isOn?: boolean): unknown
  /** Only in better-sqlite3: returns integers as bigints. */
  safeIntegers?(isOn?: boolean): unknown
  /** Only in `node:sqlite`: returns integers as bigints. */
  setReadBigInts?(isOn: boolean): unknown
}

/**
 * A connection to a SQLite database: the common part of the `Database` of better-sqlite3, the `DatabaseSync`
 * of `node:sqlite` and the `Database` of `bun:sqlite`.
 */
export interface SqliteDatabase {
  /** Compiles one statement. */
  prepare(sql: string): SqliteStatement
  /** Runs statements without results. */
  exec(sql: string): unknown
  /** Closes the file. */
  close(): unknown
}

/**
 * The maximum time to wait for a write of another process, if the connection has no busy timeout. SQLite
 * blocks this process during the wait.
 */
const DEFAULT_BUSY_TIMEOUT_MS = 2000

/** Whether a value is a connection of one of the clients. */
export const isSqliteDatabase = (value: unknown): value is SqliteDatabase =>
  isNonArrayObject(value) && ['prepare', 'exec', 'close'].every(name => typeof value[name] === 'function')

/** @throws TypeError unless a value is a connection. */
export const assertSqliteDatabase = (caller: string, database: unknown): void => {
  if (isSqliteDatabase(database)) return
  const expected = 'a database of better-sqlite3, node:sqlite or bun:sqlite'
  throw usageError(caller, 'database', expected, describeValue(database))
}

/**
 * Whether a database has no file. The data of such a database is lost when the process ends, and is not
 * visible to other processes.
 */
export const isInMemory = (database: SqliteDatabase): boolean => {
  // The first row is the main database. This reads no page of the file, which may not be a database at all.
  const row: unknown = database.prepare('pragma database_list').get()
  return isNonArrayObject(row) && (row.file === '' || row.file === null)
}

/** Reads a number with a statement of one row and one column. */
export const readNumber = (database: SqliteDatabase, sql: string): number => {
  const row = database.prepare(sql).get()
  return Number(isNonArrayObject(row) ? Object.values(row)[0] : undefined)
}

/** Lets a connection wait for the writes of other processes. */
export const setBusyTimeout = (database: SqliteDatabase): void => {
  if (readNumber(database, 'pragma busy_timeout') === 0)
    database.exec(`pragma busy_timeout = ${DEFAULT_BUSY_TIMEOUT_MS}`)
}

/**
 * Configures a connection. With `synchronous = full`, the log is on disk when a write returns, so that a
 * power failure does not lose the write.
 */
export const configureConnection = (database: SqliteDatabase): void => {
  setBusyTimeout(database)
  database.exec('pragma synchronous = full')
}

/**
 * Prepares a query with one row and one column, `result`: the items of a JSON array as text, without
 * brackets. Empty text stands for no items. Passing a row from SQLite to JavaScript takes longer than reading
 * it, so all items are passed as one text.
 */
export const prepareJsonQuery = <TItem>(
  database: SqliteDatabase,
  sql: string,
): ((...values: SqliteValue[]) => readonly TItem[]) => {
  const statement = database.prepare(sql)
  // Without `pluck`, the client creates an object, which takes longer than reading the text.
  statement.pluck?.()
  return (...values) => {
    const row = statement.get(...values)
    const items = isNonArrayObject(row) ? row.result : row
    return typeof items === 'string' ? JSON.parse(`[${items}]`) : []
  }
}

/** Prepares a statement without results. */
export const prepareCommand = (
  database: SqliteDatabase,
  sql: string,
): ((...values: SqliteValue[]) => void) => {
  const statement = database.prepare(sql)
  // Each `run` returns the last rowid, and node:sqlite throws for an id that is too large for a number.
  statement.setReadBigInts?.(true)
  return (...values) => {
    statement.run(...values)
  }
}

/** The transactions of one connection. Bodies are synchronous, so that they never overlap. */
export type Transactions = {
  /**
   * Runs a body that sees one state of the database, regardless of writes of other processes. In a transaction that
   * the caller has opened on the connection, it sees the state of this transaction, and leaves it open.
   */
  runRead<T>(body: () => T): T
  /** Runs a body, and commits all of its writes, or none if it throws. */
  runWrite<T>(body: () => T): T
}

/** The commands of a kind of transactions. */
type TransactionCommands = {
  readonly begin: () => void
  readonly commit: () => void
  readonly rollback: () => void
}

export const createTransactions = (database: SqliteDatabase): Transactions => {
  const prepare = (sql: string) => prepareCommand(database, sql)
  const runTransaction = <T>({ begin, commit, rollback }: TransactionCommands, body: () => T): T => {
    begin()
    try {
      const result = body()
      commit()
      return result
    } catch (cause) {
      try {
        rollback()
      } catch {
        // On a full disk, SQLite has already rolled back, and throws because there is nothing to roll back.
      }
      throw cause
    }
  }
  // A savepoint may be in a transaction, and is one if there is none. A read has nothing to roll back.
  const endRead = prepare('release kithgraph_read')
  const read = { begin: prepare('savepoint kithgraph_read'), commit: endRead, rollback: endRead }
  // With `begin`, a write that reads first would fail if another process wrote after that read.
  const write = {
    begin: prepare('begin immediate'),
    commit: prepare('commit'),
    rollback: prepare('rollback'),
  }
  return {
    runRead: body => runTransaction(read, body),
    runWrite: body => runTransaction(write, body),
  }
}
