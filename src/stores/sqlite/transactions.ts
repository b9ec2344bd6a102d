import type { SqliteDatabase } from './sqlite-client.ts'
import { prepareCommand } from './statements.ts'

/** The transactions of one connection. Bodies are synchronous, so that none meets another. */
export type Transactions = {
  /** Runs a body that sees one state of the database, whatever other processes write meanwhile. */
  read<T>(body: () => T): T
  /** Runs a body whose writes are all there after it, or none where it throws. */
  write<T>(body: () => T): T
}

export const createTransactions = (database: SqliteDatabase): Transactions => {
  const commit = prepareCommand(database, 'commit')
  const rollback = prepareCommand(database, 'rollback')
  const run = <T>(begin: () => void, body: () => T): T => {
    begin()
    try {
      const result = body()
      commit()
      return result
    } catch (cause) {
      try {
        rollback()
      } catch {
        // On a full disk SQLite has rolled back by itself, and says that there is nothing to roll back.
      }
      throw cause
    }
  }
  const begin = prepareCommand(database, 'begin')
  // A write that reads first would fail, without any waiting, where another process wrote after that read.
  const beginWrite = prepareCommand(database, 'begin immediate')
  return { read: body => run(begin, body), write: body => run(beginWrite, body) }
}
