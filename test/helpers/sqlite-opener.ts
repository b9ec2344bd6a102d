/** Opens a store on each file that its parent sends, and sends the message of its error, or `opened`. */
import Database from 'better-sqlite3'
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'

const openStore = (path: string): string => {
  const database = new Database(path)
  try {
    createSqliteStore(database).open()
    return 'opened'
  } catch (error) {
    return `${error}`
  } finally {
    database.close()
  }
}

process.on('message', path => process.send?.(openStore(String(path))))
process.send?.('started')
