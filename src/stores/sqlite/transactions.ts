import type { SqliteDatabase, SqliteStatement } from './sqlite-client.ts'

/** The transactions of one connection. Bodies are synchronous, so that none meets another. */
export type Transactions = {
  /** Runs a body that sees one state of the database, whatever other processes write meanwhile. */
  read<T>(body: () => T): T
  /** Runs a body whose writes are all there after it, or none where it throws. */
  write<T>(body: () => T): T
}

export const createTransactions = (database: SqliteDatabase): Transactions => {
  const commit = database.prepare('commit')
  const rollback = database.prepare('rollback')
  const run = <T>(begin: SqliteStatement, body: () => T): T => {
    begin.run()
    try {
      const result = body()
      commit.run()
      return result
    } catch (cause) {
      try {
        rollback.run()
      } catch {
        // On a full disk SQLite has rolled back by itself, and says that there is nothing to roll back.
      }
      throw cause
    }
  }
  const begin = database.prepare('begin')
  // A write that reads first would fail, without any waiting, where another process wrote after that read.
  const beginWrite = database.prepare('begin immediate')
  return { read: body => run(begin, body), write: body => run(beginWrite, body) }
}
