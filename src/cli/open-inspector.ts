import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { StoreInspector } from '../store/inspection.ts'
import { createPostgresInspector } from '../stores/postgres/inspect.ts'
import type { PostgresPool } from '../stores/postgres/postgres-client.ts'
import type { SqliteDatabase } from '../stores/sqlite/connection.ts'
import { createSqliteInspector } from '../stores/sqlite/inspect.ts'
import { CommandError } from './command-error.ts'
import { createInstance, importDriver, importFromProject } from './import-driver.ts'
import { openRedis } from './open-redis.ts'
import type { StoreLocation } from './store-url.ts'

/** The names that separate several stores of one server. */
type StoreNames = { readonly prefix: string; readonly postgresSchema: string }

type OwnedPool = PostgresPool & {
  on(event: 'error', listener: () => void): unknown
  end(): Promise<void>
}

const openSqliteDatabase = (folder: string, path: string): SqliteDatabase => {
  const betterSqlite = importFromProject(folder, 'better-sqlite3')
  if (betterSqlite !== undefined)
    return createInstance<SqliteDatabase>(betterSqlite, 'Database', [path, { fileMustExist: true }])
  const nodeSqlite: unknown = process.getBuiltinModule?.('node:sqlite')
  if (nodeSqlite !== undefined) return createInstance<SqliteDatabase>(nodeSqlite, 'DatabaseSync', [path])
  throw new CommandError(
    'this store needs Node 22.5 or newer, or the package better-sqlite3 in the project of the current folder: ' +
      'npm install better-sqlite3',
  )
}

const openSqlite = (folder: string, path: string): StoreInspector => {
  const absolutePath = resolve(folder, path)
  // A driver would create the file.
  if (!existsSync(absolutePath)) throw new CommandError(`the file ${path} does not exist`)
  const database = openSqliteDatabase(folder, absolutePath)
  try {
    return createSqliteInspector(database)
  } catch (cause) {
    database.close()
    throw cause
  }
}

/** The number of connections. The check runs one statement at a time. */
const MAX_CONNECTIONS = 2
const CONNECTION_TIMEOUT_MS = 10_000

const openPostgres = async (folder: string, url: string, schema: string): Promise<StoreInspector> => {
  const options = {
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  }
  const pool = createInstance<OwnedPool>(importDriver(folder, 'pg'), 'Pool', [options])
  // Without a listener, the loss of an idle connection would end the process.
  pool.on('error', () => {})
  try {
    const inspector = await createPostgresInspector(pool, schema)
    return { ...inspector, close: () => pool.end() }
  } catch (cause) {
    await pool.end()
    throw cause
  }
}

const describeLocation = (location: StoreLocation): string =>
  location.kind === 'sqlite' ? `in the file ${location.path}` : `on the server ${new URL(location.url).host}`

/**
 * Connects to a store with the driver of the user's project. Closing the inspector ends the connection.
 *
 * @throws CommandError for a missing file or driver; otherwise an Error whose cause is the error of the driver.
 */
export const openInspector = async (
  location: StoreLocation,
  folder: string,
  names: StoreNames,
): Promise<StoreInspector> => {
  try {
    return await open(location, folder, names)
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    throw new Error(`the store ${describeLocation(location)} cannot be opened`, { cause })
  }
}

const open = async (
  location: StoreLocation,
  folder: string,
  { prefix, postgresSchema }: StoreNames,
): Promise<StoreInspector> => {
  switch (location.kind) {
    case 'sqlite':
      return openSqlite(folder, location.path)
    case 'postgres':
      return openPostgres(folder, location.url, postgresSchema)
    case 'redis':
      return openRedis(folder, location, prefix)
  }
}
