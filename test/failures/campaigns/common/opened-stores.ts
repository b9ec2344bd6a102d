import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createMemoryStore } from 'kithgraph/memory'
import { createPostgresStore } from 'kithgraph/postgres'
import { createRedisStore } from 'kithgraph/redis'
import { createSqliteStore } from 'kithgraph/sqlite'
import type { Store } from '../../../../src/store/contract.ts'
import { startPostgres } from '../../../helpers/postgres.ts'
import { createTemporaryFolder } from '../../../helpers/sqlite-databases.ts'
import { startRedisServers } from './redis-servers.ts'

/** An open, empty store, and its own server or file, which `stop` removes. */
export type OpenedStore = { readonly store: Store; stop(): Promise<void> }

/** No write of a campaign ends earlier. */
const WRITE_TIMEOUT_MS = 3_600_000

const createRedis = async (kind: string): Promise<OpenedStore> => {
  const servers = await startRedisServers(kind)
  const store = createRedisStore(servers.connect(), { writeTimeoutMs: WRITE_TIMEOUT_MS })
  return { store, stop: () => servers.stop() }
}

const CREATORS: { readonly [kind: string]: () => Promise<OpenedStore> } = {
  memory: async () => ({ store: createMemoryStore(), stop: async () => undefined }),
  sqlite: async () => {
    const folder = createTemporaryFolder()
    const database = new Database(join(folder.path, 'graph.db'))
    const stop = async () => {
      database.close()
      folder.remove()
    }
    return { store: createSqliteStore(database), stop }
  },
  postgres: async () => {
    const server = await startPostgres()
    const store = createPostgresStore(server.pool(), { writeTimeoutMs: WRITE_TIMEOUT_MS })
    return { store, stop: () => server.stop() }
  },
  redis: () => createRedis('redis'),
  'redis-cluster': () => createRedis('redis-cluster'),
}

export const STORE_KINDS = Object.keys(CREATORS)

/** Starts a server if the kind of store needs one, and opens a store. */
export const openEmptyStore = async (kind: string): Promise<OpenedStore> => {
  const create = CREATORS[kind]
  if (create === undefined)
    throw new Error(`the store must be one of ${STORE_KINDS.join(', ')}; received ${JSON.stringify(kind)}`)
  const opened = await create()
  await opened.store.open()
  return opened
}
