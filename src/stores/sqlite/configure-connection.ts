import type { SqliteDatabase } from './sqlite-client.ts'

/** The maximum wait for a write of another process, in milliseconds. SQLite blocks this process meanwhile. */
const BUSY_TIMEOUT_MS = 2000

/**
 * Configures a connection. With `full`, the log is on disk when a write returns, so that a power
 * failure loses nothing.
 */
export const configureConnection = (database: SqliteDatabase): void => {
  database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma synchronous = full`)
}
