import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createPostgresStore } from '../stores/postgres/index.ts'
import { createPostgresInspector } from '../stores/postgres/inspect.ts'
import type { PostgresPool } from '../stores/postgres/postgres-client.ts'
import type { SqliteDatabase } from '../stores/sqlite/connection.ts'
import { createSqliteStore } from '../stores/sqlite/index.ts'
import { createSqliteInspector } from '../stores/sqlite/inspect.ts'
import { CommandError } from './command-error.ts'
import { createInstance, importDriver, importFromProject } from './import-driver.ts'
import { openRedis } from './open-redis.ts'
import { createConnection, type StoreConnection } from './store-connection.ts'
import type { StoreLocation, UrlOrigin } from './store-url.ts'

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

/** Says where a URL is from, unless it is in the command that the user sees. */
const describeOrigin = (origin: UrlOrigin): string => (origin === 'the arguments' ? '' : ` (from ${origin})`)

const openSqlite = (folder: string, path: string, origin: UrlOrigin): StoreConnection => {
  const absolutePath = resolve(folder, path)
  // A driver would create the file.
  if (!existsSync(absolutePath))
    throw new CommandError(`the file ${path} does not exist${describeOrigin(origin)}`)
  const database = openSqliteDatabase(folder, absolutePath)
  try {
    const inspector = createSqliteInspector(database)
    return createConnection(inspector, () => createSqliteStore(database, { ids: inspector.ids }))
  } catch (cause) {
    database.close()
    throw cause
  }
}

/** The number of connections. The check runs one statement at a time. */
const MAX_CONNECTIONS = 2
const CONNECTION_TIMEOUT_MS = 10_000

const openPostgres = async (folder: string, url: string, schema: string): Promise<StoreConnection> => {
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
    const ownedInspector = { ...inspector, close: () => pool.end() }
    return createConnection(ownedInspector, () => createPostgresStore(pool, { schema, ids: inspector.ids }))
  } catch (cause) {
    await pool.end()
    throw cause
  }
}

const describeLocation = (location: StoreLocation): string =>
  location.kind === 'sqlite' ? `in the file ${location.path}` : `on the server ${new URL(location.url).host}`

/**
 * Connects to a store with the driver of the user's project.
 *
 * @throws CommandError for a missing file or driver; otherwise an Error whose cause is the error of the driver.
 */
export const openConnection = async (
  location: StoreLocation,
  origin: UrlOrigin,
  folder: string,
  names: StoreNames,
): Promise<StoreConnection> => {
  try {
    return await open(location, origin, folder, names)
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    const described = `${describeLocation(location)}${describeOrigin(origin)}`
    throw new Error(`the store ${described} cannot be opened`, { cause })
  }
}

const open = async (
  location: StoreLocation,
  origin: UrlOrigin,
  folder: string,
  { prefix, postgresSchema }: StoreNames,
): Promise<StoreConnection> => {
  switch (location.kind) {
    case 'sqlite':
      return openSqlite(folder, location.path, origin)
    case 'postgres':
      return openPostgres(folder, location.url, postgresSchema)
    case 'redis':
      return openRedis(folder, location, prefix)
  }
}
