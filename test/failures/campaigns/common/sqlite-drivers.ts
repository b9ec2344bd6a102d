import type { SqliteDatabase } from 'kithgraph/sqlite'
import { type OpenDatabase, openBetterSqlite, openNodeSqlite } from '../../../helpers/sqlite-databases.ts'

const DRIVERS: ReadonlyMap<string, OpenDatabase | undefined> = new Map([
  ['better-sqlite3', openBetterSqlite],
  ['node:sqlite', openNodeSqlite],
])

/** Opens a file with the driver of that name. */
export const openDatabase = (driver: string, path: string): SqliteDatabase => {
  const open = DRIVERS.get(driver)
  if (open === undefined) throw new Error(`this Node has no driver ${driver}`)
  return open(path)
}

const works = (driver: string): boolean => {
  try {
    openDatabase(driver, ':memory:').close()
    return true
  } catch {
    return false
  }
}

/** A driver, and the Node that runs it. */
export type UsableDriver = { readonly driver: string; readonly node: string }

/**
 * Returns the drivers that work on this version of Node. If `node:sqlite` does not, another Node runs it, if
 * its path is not empty.
 */
export const findDrivers = (otherNode: string): readonly UsableDriver[] =>
  [...DRIVERS.keys()].flatMap(driver => {
    if (works(driver)) return { driver, node: process.execPath }
    return driver === 'node:sqlite' && otherNode !== '' ? { driver, node: otherNode } : []
  })
