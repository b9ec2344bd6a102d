import type { SqliteDatabase } from './sqlite-client.ts'
import { prepareCommand } from './statements.ts'

/** The transactions of one connection. Bodies are synchronous, so that they never overlap. */
export type Transactions = {
  /** Runs a body that sees one state of the database, regardless of writes of other processes. */
  runRead<T>(body: () => T): T
  /** Runs a body, and commits all of its writes, or none if it throws. */
  runWrite<T>(body: () => T): T
}

export const createTransactions = (database: SqliteDatabase): Transactions => {
  const commit = prepareCommand(database, 'commit')
  const rollback = prepareCommand(database, 'rollback')
  const runTransaction = <T>(begin: () => void, body: () => T): T => {
    begin()
    try {
      const result = body()
      commit()
      return result
    } catch (cause) {
      try {
        rollback()
      } catch {
        // On a full disk SQLite has already rolled back, and throws because there is nothing to roll back.
      }
      throw cause
    }
  }
  const beginRead = prepareCommand(database, 'begin')
  // A write that reads first would fail at once, without waiting, if another process wrote after that read.
  const beginWrite = prepareCommand(database, 'begin immediate')
  return {
    runRead: body => runTransaction(beginRead, body),
    runWrite: body => runTransaction(beginWrite, body),
  }
}
