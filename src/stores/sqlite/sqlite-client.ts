/** What is bound to a parameter. An id goes in as a bigint or in JSON, never as a number. */
export type SqliteValue = string | number | bigint

/** A prepared statement of the client. */
export interface SqliteStatement {
  /** The first row, by column name; undefined or null where there is none. */
  get(...values: SqliteValue[]): unknown
  /** For what answers no rows. */
  run(...values: SqliteValue[]): unknown
  /** Of better-sqlite3 alone: rows come as their first column. */
  pluck?(isOn?: boolean): unknown
  /** Of `node:sqlite` alone. */
  setReadBigInts?(isOn: boolean): unknown
}

/**
 * A connection to a SQLite database: what the `Database` of better-sqlite3, the `DatabaseSync` of `node:sqlite` and
 * the `Database` of `bun:sqlite` have in common.
 */
export interface SqliteDatabase {
  /** Compiles one statement. */
  prepare(sql: string): SqliteStatement
  /** Runs statements that answer nothing. */
  exec(sql: string): unknown
  /** Lets go of the file. */
  close(): unknown
}
