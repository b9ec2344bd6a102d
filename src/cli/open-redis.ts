import type { StoreInspector } from '../store/inspection.ts'
import type { RedisClient } from '../stores/redis/command-sender.ts'
import { createRedisInspector } from '../stores/redis/inspect.ts'
import { createInstance, importDriver } from './import-driver.ts'
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

/** Connects to a store in Redis. Closing the inspector ends the connection. */
export const openRedis = async (
  folder: string,
  { url, isCluster, database }: RedisLocation,
  prefix: string,
): Promise<StoreInspector> => {
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
    return { ...inspector, close: () => client.disconnect() }
  } catch (error) {
    client.disconnect()
    throw lastError ?? error
  }
}
