import type { SqliteDatabase } from './sqlite-client.ts'

/** Milliseconds that a write waits for that of another process; this process stands still meanwhile, as SQLite does. */
const BUSY_TIMEOUT = 2000

/**
 * Sets what a connection forgets when it is closed. With `full` the log is on the disk when a write was answered, so
 * that a power cut takes nothing back.
 */
export const configure = (database: SqliteDatabase): void => {
  database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT}; pragma synchronous = full`)
}
