import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { SqliteDatabase, SqliteStore } from 'kithgraph/sqlite'

/** Opens a database file. */
export type OpenDatabase = (path: string) => SqliteDatabase

export const openBetterSqlite: OpenDatabase = path => new Database(path)

/** Opens a file with `node:sqlite`, or `undefined` before Node 22.5. */
export const openNodeSqlite: OpenDatabase | undefined = (() => {
  const module: unknown = process.getBuiltinModule?.('node:sqlite')
  if (typeof module !== 'object' || module === null || !('DatabaseSync' in module)) return undefined
  // The types of Node 20 do not declare the module.
  const DatabaseSync = module.DatabaseSync as new (path: string) => SqliteDatabase
  return path => new DatabaseSync(path)
})()

/** Creates a folder for one test. `remove` deletes it. */
export const createTemporaryFolder = (): { readonly path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'kithgraph-sqlite-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * Returns a store that also closes its database. It does not sync to disk, because that is slow and only
 * matters for a power failure.
 */
export const closeDatabaseWithStore = (
  store: SqliteStore,
  database: SqliteDatabase,
  close: () => void,
): SqliteStore => ({
  ...store,
  open: () => {
    store.open()
    database.exec('pragma synchronous = off')
  },
  close: () => {
    store.close()
    database.close()
    close()
  },
})
