import { createPostgresStore } from '../stores/postgres/index.ts'
import { createPostgresInspector } from '../stores/postgres/inspect.ts'
import { createSqliteStore } from '../stores/sqlite/index.ts'
import { createSqliteInspector } from '../stores/sqlite/inspect.ts'
import { createPool, openSqliteFile, toOpenError } from './open-driver.ts'
import { openRedis } from './open-redis.ts'
import { createConnection, type StoreConnection } from './store-connection.ts'
import type { StoreLocation, UrlOrigin } from './store-url.ts'

/** The names that separate several stores of one server. */
type StoreNames = { readonly prefix: string; readonly postgresSchema: string }

const openSqlite = (folder: string, path: string, origin: UrlOrigin): StoreConnection => {
  const database = openSqliteFile(folder, path, origin)
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

const openPostgres = async (folder: string, url: string, schema: string): Promise<StoreConnection> => {
  const pool = createPool(folder, url, MAX_CONNECTIONS)
  try {
    const inspector = await createPostgresInspector(pool, schema)
    const ownedInspector = { ...inspector, close: () => pool.end() }
    return createConnection(ownedInspector, () => createPostgresStore(pool, { schema, ids: inspector.ids }))
  } catch (cause) {
    await pool.end()
    throw cause
  }
}

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
    throw toOpenError(cause, 'store', location, origin)
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
