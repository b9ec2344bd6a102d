import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { createPostgresStore } from 'kithgraph/postgres'
import { createRedisStore } from 'kithgraph/redis'
import { createSqliteStore } from 'kithgraph/sqlite'
import type { Store } from '../../src/store/contract.ts'
import type { Dump } from './dumped-lines.ts'
import { startPostgres } from './postgres.ts'
import { hasRedisServer, startRedis } from './redis.ts'
import { startRedisCluster } from './redis-cluster.ts'
import { createFolder, type OpenDatabase, openBetter, openNode, ownDatabase } from './sqlite-databases.ts'

/** An engine that runs. */
export type Engine = {
  /** Creates a store without any data, which is not open yet. */
  create(): Store & { dump(): Dump }
  stop(): Promise<void>
}

/** Starts an engine; the name is what tests call its stores. */
export type EngineKind = { readonly name: string; readonly start: () => Promise<Engine> }

/** Databases in files, so that there are snapshots. */
const sqlite = (open: OpenDatabase) => async (): Promise<Engine> => {
  const folder = createFolder()
  let files = 0
  const create = () => {
    const path = join(folder.path, `${++files}.db`)
    const database = open(path)
    return ownDatabase(createSqliteStore(database, { connect: () => open(path) }), database, () => {})
  }
  return { create, stop: async () => folder.remove() }
}

const postgres = async (): Promise<Engine> => {
  const server = await startPostgres()
  const pool = server.pool()
  let schemas = 0
  return { create: () => createPostgresStore(pool, { schema: `fresh_${++schemas}` }), stop: server.stop }
}

const pglite = async (): Promise<Engine> => {
  const client = await PGlite.create()
  let schemas = 0
  const create = () => createPostgresStore(client, { schema: `fresh_${++schemas}` })
  return { create, stop: () => client.close() }
}

const redis = async (): Promise<Engine> => {
  const server = await startRedis()
  let stores = 0
  const create = () => createRedisStore(server.admin, { prefix: `fresh ${++stores}:` })
  return { create, stop: () => server.stop() }
}

const redisCluster = async (): Promise<Engine> => {
  const cluster = await startRedisCluster()
  const client = cluster.connect()
  let stores = 0
  const create = () => createRedisStore(client, { prefix: `fresh ${++stores}:` })
  return { create, stop: () => cluster.stop() }
}

/** The engines that this machine can run, one of each store adapter; with `every`, all of them. */
export const engineKinds = (about: string, { every }: { readonly every: boolean }): readonly EngineKind[] => [
  { name: 'better-sqlite3', start: sqlite(openBetter) },
  ...(every && openNode ? [{ name: 'node:sqlite', start: sqlite(openNode) }] : []),
  { name: 'Postgres', start: postgres },
  ...(every ? [{ name: 'PGlite', start: pglite }] : []),
  ...(hasRedisServer(`${about}, on Redis`)
    ? [...(every ? [{ name: 'Redis', start: redis }] : []), { name: 'Redis Cluster', start: redisCluster }]
    : []),
]
