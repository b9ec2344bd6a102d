import { join } from 'node:path'
import { startPostgres } from './postgres.ts'
import { HOST, hasRedisServer, startRedis } from './redis.ts'
import { startRedisCluster } from './redis-cluster.ts'
import { createFolder } from './sqlite-databases.ts'

/** A place for stores that several processes can reach, by the URL that programs are told. */
export type ServedStore = { readonly url: string; stop(): Promise<void> }

/** Starts a server; the name is what tests call it. */
export type ServedKind = { readonly name: string; readonly start: () => Promise<ServedStore> }

const sqlite: ServedKind = {
  name: 'SQLite',
  start: async () => {
    const folder = createFolder()
    return { url: `sqlite:${join(folder.path, 'graph.db')}`, stop: async () => folder.remove() }
  },
}

const postgres: ServedKind = {
  name: 'Postgres',
  start: async () => {
    const server = await startPostgres()
    const { user, password, host, port, database } = server.pool().options
    return { url: `postgres://${user}:${password}@${host}:${port}/${database}`, stop: server.stop }
  },
}

const redis: ServedKind = {
  name: 'Redis',
  start: async () => {
    const server = await startRedis()
    return { url: `redis://${HOST}:${server.port}`, stop: () => server.stop() }
  },
}

const redisCluster: ServedKind = {
  name: 'Redis Cluster',
  start: async () => {
    const cluster = await startRedisCluster()
    return { url: `redis://${HOST}:${cluster.masters[0]?.port}?cluster=1`, stop: () => cluster.stop() }
  },
}

/** What this machine can serve, one of each store adapter; with `every`, a cluster too. */
export const servedKinds = (about: string, { every }: { readonly every: boolean }): readonly ServedKind[] => [
  sqlite,
  postgres,
  ...(hasRedisServer(`${about}, on Redis`) ? [redis, ...(every ? [redisCluster] : [])] : []),
]
