/** A value of a parameter. An id is passed as a bigint or in JSON, never as a number. */
export type SqliteValue = string | number | bigint

/** A prepared statement of the client. */
export interface SqliteStatement {
  /** Returns the first row, by column name; undefined or null if there is none. */
  get(...values: SqliteValue[]): unknown
  /** Runs a statement without rows. */
  run(...values: SqliteValue[]): unknown
  /** Only in better-sqlite3: returns rows as their first column. */
  pluck?(isOn?: boolean): unknown
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
