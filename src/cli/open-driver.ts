import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { PostgresPool } from '../stores/postgres/postgres-client.ts'
import type { SqliteDatabase } from '../stores/sqlite/connection.ts'
import { CommandError } from './command-error.ts'
import { createInstance, importDriver, importFromProject } from './import-driver.ts'
import type { StoreLocation, UrlOrigin } from './store-url.ts'

/** A pool that this program owns. */
export type OwnedPool = PostgresPool & {
  on(event: 'error', listener: () => void): unknown
  end(): Promise<void>
}

const openSqliteDatabase = (folder: string, path: string, isReadOnly: boolean): SqliteDatabase => {
  const betterSqlite = importFromProject(folder, 'better-sqlite3')
  if (betterSqlite !== undefined) {
    const options = { fileMustExist: true, readonly: isReadOnly }
    return createInstance<SqliteDatabase>(betterSqlite, 'Database', [path, options])
  }
  const nodeSqlite: unknown = process.getBuiltinModule?.('node:sqlite')
  if (nodeSqlite !== undefined)
    return createInstance<SqliteDatabase>(nodeSqlite, 'DatabaseSync', [path, { readOnly: isReadOnly }])
  throw new CommandError(
    'SQLite needs Node 22.5 or newer, or the package better-sqlite3 in the project of the current folder: ' +
      'npm install better-sqlite3',
  )
}

/** Says where a URL is from, unless it is in the command that the user sees. */
const describeOrigin = (origin: UrlOrigin): string => (origin === 'the arguments' ? '' : ` (from ${origin})`)

/**
 * Opens a file with the driver of the user's project.
 *
 * @throws CommandError for a missing file or driver; otherwise the unchanged error of the driver.
 */
export const openSqliteFile = (
  folder: string,
  path: string,
  origin: UrlOrigin,
  isReadOnly = false,
): SqliteDatabase => {
  const absolutePath = resolve(folder, path)
  // A driver would create the file.
  if (!existsSync(absolutePath))
    throw new CommandError(`the file ${path} does not exist${describeOrigin(origin)}`)
  return openSqliteDatabase(folder, absolutePath, isReadOnly)
}

const CONNECTION_TIMEOUT_MS = 10_000

/**
 * Creates a pool with the driver of the user's project.
 *
 * @throws CommandError if the driver is not installed.
 */
export const createPool = (folder: string, url: string, maxConnections: number): OwnedPool => {
  const options = {
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  }
  const pool = createInstance<OwnedPool>(importDriver(folder, 'pg'), 'Pool', [options])
  // Without a listener, the loss of an idle connection would end the process.
  pool.on('error', () => {})
  return pool
}

const describeLocation = (location: StoreLocation): string =>
  location.kind === 'sqlite' ? `in the file ${location.path}` : `on the server ${new URL(location.url).host}`

/**
 * Converts an error of a driver to an error that names the file or the server. Returns a `CommandError` unchanged.
 */
export const toOpenError = (
  cause: unknown,
  opened: 'store' | 'database',
  location: StoreLocation,
  origin: UrlOrigin,
): Error => {
  if (cause instanceof CommandError) return cause
  const described = `${describeLocation(location)}${describeOrigin(origin)}`
  return new Error(`the ${opened} ${described} cannot be opened`, { cause })
}
