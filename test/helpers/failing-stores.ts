import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { createMemoryStore } from 'kithgraph/memory'
import { createPostgresStore } from 'kithgraph/postgres'
import { createRedisStore } from 'kithgraph/redis'
import type { FailingStore, StoreInUse, WriterProcess } from 'kithgraph/testing'
import { openStore } from '../../examples/shared/open-store.ts'
import type { Store } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import type { PostgresServer } from './postgres.ts'
import { HOST, type RedisServer } from './redis.ts'
import { createTemporaryFolder } from './sqlite-databases.ts'
import { startProxy, type TcpProxy } from './tcp-proxy.ts'

const WRITE_TIMEOUT_MS = 2000

/** Starts a process that writes to the store of a URL. */
const startWriterProcess = (url: string, name: string, task: string): WriterProcess => {
  const script = new URL('failure-writer.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--import', 'tsx', script, url, name, task], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  return {
    output: child.stdout,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Returns a store that also releases its client when it is closed. */
const withClient = (store: Store, end: () => unknown): Store =>
  delegateStore(store, {
    close: async () => {
      await store.close()
      await end()
    },
  })

type NamedStore = StoreInUse & { readonly url: string; readonly dataName: string }
type ProxiedStore = NamedStore & { readonly proxy: TcpProxy }

const connectionFailures = {
  cut: ({ proxy }: ProxiedStore) => proxy.cut(),
  stall: ({ proxy }: ProxiedStore) => proxy.stall(),
  restore: ({ proxy }: ProxiedStore) => proxy.restore(),
}
export const startWriter = ({ url, dataName }: NamedStore, task: string): WriterProcess =>
  startWriterProcess(url, dataName, task)

let storeCount = 0

export const failingMemoryStore: FailingStore<StoreInUse> = {
  name: 'memory',
  create: () => ({ store: createMemoryStore() }),
}

export const failingSqliteStore: FailingStore<NamedStore> = {
  name: 'SQLite',
  create: async () => {
    const folder = createTemporaryFolder()
    const url = `sqlite:${join(folder.path, 'graph.db')}`
    const connect = () => openStore(url, '')
    return { url, dataName: '', store: await connect(), connect, remove: async () => folder.remove() }
  },
  startWriter,
}

export const createFailingPostgresStore = (findServer: () => PostgresServer): FailingStore<ProxiedStore> => ({
  name: 'Postgres',
  create: async () => {
    const server = findServer()
    const proxy = await startProxy(server.port)
    const dataName = `failures_${++storeCount}`
    const schema = `kithgraph_${dataName}`
    const connectTo = (port: number) => {
      const pool = server.pool({ port, connectionTimeoutMillis: WRITE_TIMEOUT_MS })
      return createPostgresStore(pool, { schema, writeTimeoutMs: WRITE_TIMEOUT_MS })
    }
    const { user, password, database } = server.pool().options
    return {
      proxy,
      dataName,
      url: `postgres://${user}:${password}@${HOST}:${server.port}/${database}`,
      store: connectTo(proxy.port),
      connect: () => connectTo(server.port),
      remove: proxy.stop,
    }
  },
  ...connectionFailures,
})

export const createFailingRedisStore = (findServer: () => RedisServer): FailingStore<ProxiedStore> => ({
  name: 'Redis',
  create: async () => {
    const server = findServer()
    const proxy = await startProxy(server.port)
    const dataName = `failures-${++storeCount}`
    const prefix = `kithgraph-${dataName}:`
    const connectTo = (port: number): Store => {
      const client = new Redis({ port, host: HOST, retryStrategy: () => 50 })
      client.on('error', () => undefined)
      const store = createRedisStore(client, { prefix, writeTimeoutMs: WRITE_TIMEOUT_MS })
      return withClient(store, () => client.disconnect())
    }
    return {
      proxy,
      dataName,
      url: `redis://${HOST}:${server.port}`,
      store: connectTo(proxy.port),
      connect: () => connectTo(server.port),
      remove: proxy.stop,
    }
  },
  ...connectionFailures,
})
