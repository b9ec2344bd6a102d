import type { Store } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { createPostgresStore } from 'kithgraph/postgres'
import { createRedisStore } from 'kithgraph/redis'
import { createSqliteStore } from 'kithgraph/sqlite'

/** The supported URLs. Each line has one URL and a description. */
export const STORE_URLS = `\
  memory:                                in memory until the program ends
  sqlite:./graph.db                      a file
  postgres://user:password@host/database a database of a Postgres server
  redis://host:6379                      a Redis server
  redis+cluster://host:6379              a Redis Cluster, by one of its servers`

/** Imports the client package of a store. Only users of this store need to install the package. */
const importClient = async <TModule>(name: string, importing: Promise<TModule>): Promise<TModule> => {
  try {
    return await importing
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND'
    throw isMissing ? new Error(`This store needs a client: npm install ${name}`, { cause }) : cause
  }
}

/**
 * Returns a store that also ends its client when it is closed. A store never does this itself, because it
 * does not own the client.
 */
const withClient = (store: Store, end: () => unknown): Store => ({
  ...store,
  close: async () => {
    await store.close()
    await end()
  },
})

const openSqlite = async (path: string): Promise<Store> => {
  const { default: Database } = await importClient('better-sqlite3', import('better-sqlite3'))
  const database = new Database(path)
  return withClient(createSqliteStore(database), () => database.close())
}

const openPostgres = async (connectionString: string, schema: string): Promise<Store> => {
  const { Pool } = await importClient('pg', import('pg'))
  const pool = new Pool({ connectionString })
  // Without a listener, a broken idle connection of the pool would end the process.
  // The next query opens a new connection.
  pool.on('error', () => {})
  const client = await pool.connect()
  client.release()
  return withClient(createPostgresStore(pool, { schema }), () => pool.end())
}

const CLUSTER_SCHEME = 'redis+cluster:'

const openRedis = async (url: URL, prefix: string): Promise<Store> => {
  const { Cluster, Redis } = await importClient('ioredis', import('ioredis'))
  const redisOptions = {
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  }
  const client =
    url.protocol === CLUSTER_SCHEME
      ? new Cluster([{ host: url.hostname, port: Number(url.port) }], { lazyConnect: true, redisOptions })
      : new Redis(url.href, { lazyConnect: true })
  let lost: unknown
  client.on('error', error => {
    lost = error
  })
  try {
    await client.connect()
  } catch (error) {
    client.disconnect()
    throw lost ?? error
  }
  return withClient(createRedisStore(client, { prefix }), () => client.quit())
}

/**
 * Connects to the store of a URL. Closing the store ends its connections. On a database server, `name`
 * separates the data of this program from the data of other programs.
 *
 * @throws Error if the URL is not supported (the message lists the supported forms and hides the password),
 * or if the client is not installed (the message has instructions). If the client cannot reach the file or
 * server, throws the client's error.
 */
export const openStore = async (text: string, name: string): Promise<Store> => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const path = text.slice('sqlite:'.length)
  switch (url?.protocol) {
    case 'memory:':
      return createMemoryStore()
    case 'sqlite:':
      if (path !== '') return openSqlite(path)
      break
    case 'postgres:':
    case 'postgresql:':
      return openPostgres(text, `kithgraph_${name}`)
    case 'redis:':
    case 'rediss:':
    case CLUSTER_SCHEME:
      return openRedis(url, `kithgraph-${name}:`)
  }
  const shown = JSON.stringify(text.replace(/\/\/.*@/, '//…@'))
  throw new Error(`Expected the URL of a store; received ${shown}. Supported forms:\n${STORE_URLS}`)
}
