import { join } from 'node:path'
import { startPostgres } from './postgres.ts'
import { HOST, hasRedisServer, startRedis } from './redis.ts'
import { startRedisCluster } from './redis-cluster.ts'
import { createTemporaryFolder } from './sqlite-databases.ts'

/** A server of stores that several processes can reach by its URL. */
export type StoreServer = { readonly url: string; stop(): Promise<void> }

/** A kind of server, with its name in test titles. */
export type StoreServerKind = { readonly name: string; readonly start: () => Promise<StoreServer> }

const sqlite: StoreServerKind = {
  name: 'SQLite',
  start: async () => {
    const folder = createTemporaryFolder()
    return { url: `sqlite:${join(folder.path, 'graph.db')}`, stop: async () => folder.remove() }
  },
}

const postgres: StoreServerKind = {
  name: 'Postgres',
  start: async () => {
    const server = await startPostgres()
    const { user, password, host, port, database } = server.pool().options
    return { url: `postgres://${user}:${password}@${host}:${port}/${database}`, stop: server.stop }
  },
}

const redis: StoreServerKind = {
  name: 'Redis',
  start: async () => {
    const server = await startRedis()
    return { url: `redis://${HOST}:${server.port}`, stop: () => server.stop() }
  },
}

const redisCluster: StoreServerKind = {
  name: 'Redis Cluster',
  start: async () => {
    const cluster = await startRedisCluster()
    return { url: `redis+cluster://${HOST}:${cluster.masters[0]?.port}`, stop: () => cluster.stop() }
  },
}

/**
 * Returns one kind of server for each store adapter that this machine can run. With `every`, also returns a
 * Redis Cluster.
 */
export const availableStoreServers = (
  skippedTests: string,
  { every }: { readonly every: boolean },
): readonly StoreServerKind[] => [
  sqlite,
  postgres,
  ...(hasRedisServer(`${skippedTests}, on Redis`) ? [redis, ...(every ? [redisCluster] : [])] : []),
]
