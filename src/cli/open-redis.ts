import type { RedisClient } from '../stores/redis/command-sender.ts'
import { createRedisStore } from '../stores/redis/index.ts'
import { createRedisInspector } from '../stores/redis/inspect.ts'
import { createInstance, importDriver } from './import-driver.ts'
import { createConnection, type StoreConnection } from './store-connection.ts'
import type { RedisLocation } from './store-url.ts'

/** A client that this program owns. */
type OwnedClient = RedisClient & {
  connect(): Promise<unknown>
  disconnect(): void
  on(event: 'error', listener: (error: unknown) => void): unknown
}

const createClient = (driver: unknown, url: string, isCluster: boolean): OwnedClient => {
  if (!isCluster) return createInstance(driver, 'Redis', [url, { lazyConnect: true }])
  const { username, password } = new URL(url)
  const redisOptions = { username: decodeURIComponent(username), password: decodeURIComponent(password) }
  return createInstance(driver, 'Cluster', [[url], { lazyConnect: true, redisOptions }])
}

/** Connects to a store in Redis. */
export const openRedis = async (
  folder: string,
  { url, isCluster, database }: RedisLocation,
  prefix: string,
): Promise<StoreConnection> => {
  const client = createClient(importDriver(folder, 'ioredis'), url, isCluster)
  // The client reports why it lost its connection only here.
  let lastError: unknown
  client.on('error', error => {
    lastError = error
  })
  try {
    await client.connect()
    // The client itself ignores the error of the server if there is no such database, and uses another one.
    if (database !== undefined) await client.call('select', [database])
    const inspector = await createRedisInspector(client, prefix)
    const ownedInspector = { ...inspector, close: () => client.disconnect() }
    return createConnection(ownedInspector, () => createRedisStore(client, { prefix }))
  } catch (error) {
    client.disconnect()
    throw lastError ?? error
  }
}
