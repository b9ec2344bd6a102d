import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { createPostgresStore } from 'kithgraph/postgres'
import { createRedisStore } from 'kithgraph/redis'
import { createSqliteStore } from 'kithgraph/sqlite'
import type { IdKind } from '../../src/base/ids.ts'
import type { Store } from '../../src/store/contract.ts'
import { startPostgres } from './postgres.ts'
import type { Dump } from './read-dump-lines.ts'
import { hasRedisServer, startRedis } from './redis.ts'
import { startRedisCluster } from './redis-cluster.ts'
import {
  closeDatabaseWithStore,
  createTemporaryFolder,
  type OpenDatabase,
  openBetterSqlite,
  openNodeSqlite,
} from './sqlite-databases.ts'

/** A running database engine. */
export type StoreEngine = {
  /** Creates an empty store for a kind of ids, by default digits. The store is not open. */
  create(ids?: IdKind): Store & { dump(): Dump }
  stop(): Promise<void>
}

/** A kind of engine, with its name in test titles. */
export type StoreEngineKind = {
  readonly name: string
  /** The only kind of ids of its stores. Without it, they have either kind. */
  readonly ids?: IdKind
  readonly start: () => Promise<StoreEngine>
}

/** Creates databases in files, so that stores have snapshots. */
const startSqliteIn = (open: OpenDatabase) => async (): Promise<StoreEngine> => {
  const folder = createTemporaryFolder()
  let files = 0
  const create = (ids?: IdKind) => {
    const path = join(folder.path, `${++files}.db`)
    const database = open(path)
    return closeDatabaseWithStore(
      createSqliteStore(database, { ids, connect: () => open(path) }),
      database,
      () => {},
    )
  }
  return { create, stop: async () => folder.remove() }
}

const startPostgresEngine = async (): Promise<StoreEngine> => {
  const server = await startPostgres()
  const pool = server.pool()
  let schemas = 0
  const create = (ids?: IdKind) => createPostgresStore(pool, { schema: `fresh_${++schemas}`, ids })
  return { create, stop: server.stop }
}

const startPgliteEngine = async (): Promise<StoreEngine> => {
  const client = await PGlite.create()
  let schemas = 0
  const create = (ids?: IdKind) => createPostgresStore(client, { schema: `fresh_${++schemas}`, ids })
  return { create, stop: () => client.close() }
}

const startRedisEngine = async (): Promise<StoreEngine> => {
  const server = await startRedis()
  let stores = 0
  const create = () => createRedisStore(server.admin, { prefix: `fresh ${++stores}:` })
  return { create, stop: () => server.stop() }
}

const startRedisClusterEngine = async (): Promise<StoreEngine> => {
  const cluster = await startRedisCluster()
  const client = cluster.connect()
  let stores = 0
  const create = () => createRedisStore(client, { prefix: `fresh ${++stores}:` })
  return { create, stop: () => cluster.stop() }
}

/**
 * Returns one engine for each store adapter that this machine can run. With `every`, returns all engines that
 * it can run.
 */
export const availableEngines = (
  skippedTests: string,
  { every }: { readonly every: boolean },
): readonly StoreEngineKind[] => [
  { name: 'better-sqlite3', start: startSqliteIn(openBetterSqlite) },
  ...(every && openNodeSqlite ? [{ name: 'node:sqlite', start: startSqliteIn(openNodeSqlite) }] : []),
  { name: 'Postgres', start: startPostgresEngine },
  ...(every ? [{ name: 'PGlite', start: startPgliteEngine }] : []),
  ...(hasRedisServer(`${skippedTests}, on Redis`)
    ? [
        ...(every ? [{ name: 'Redis', ids: 'digits' as const, start: startRedisEngine }] : []),
        { name: 'Redis Cluster', ids: 'digits' as const, start: startRedisClusterEngine },
      ]
    : []),
]
