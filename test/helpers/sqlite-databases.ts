import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { SqliteDatabase, SqliteStore } from 'kithgraph/sqlite'

/** Opens a database file. */
export type OpenDatabase = (path: string) => SqliteDatabase

export const openBetter: OpenDatabase = path => new Database(path)

/** The driver that the runtime brings, where it does: Node 22.5 and newer. */
export const openNode: OpenDatabase | undefined = (() => {
  const module: unknown = process.getBuiltinModule?.('node:sqlite')
  if (typeof module !== 'object' || module === null || !('DatabaseSync' in module)) return undefined
  // The types of Node 20 do not know the module.
  const DatabaseSync = module.DatabaseSync as new (path: string) => SqliteDatabase
  return path => new DatabaseSync(path)
})()

/** A folder for one test, deleted by `remove`. */
export const createFolder = (): { readonly path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'kithgraph-sqlite-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * A store that closes its database when it is closed. It does not wait for the disk, which is slow and which only a
 * power cut would tell.
 */
export const ownDatabase = (
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
