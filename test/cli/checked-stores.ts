import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Cluster, Redis } from 'ioredis'
import { createGraph } from 'kithgraph'
import { createPostgresStore } from 'kithgraph/postgres'
import { createRedisStore } from 'kithgraph/redis'
import { createSqliteStore } from 'kithgraph/sqlite'
import type { Store } from '../../src/store/contract.ts'
import { startPostgres } from '../helpers/postgres.ts'
import type { Dump } from '../helpers/read-dump-lines.ts'
import { HOST, startRedis } from '../helpers/redis.ts'
import { startRedisCluster } from '../helpers/redis-cluster.ts'
import { type CliResult, runCli } from '../helpers/run-cli.ts'
import { createTemporaryFolder } from '../helpers/sqlite-databases.ts'
import { schema } from './people-schema.ts'

export const SCHEMA_FILE = 'test/cli/people-schema.ts'

const createPeopleGraph = (store: Parameters<typeof createGraph>[0]) => createGraph(store, { schema })

/** A store with the people of these tests, which a test damages. */
export type CheckedStore = {
  readonly graph: ReturnType<typeof createPeopleGraph>
  /** The URL and the name of the store, with which `openStore` of the examples opens it. */
  readonly url: string
  readonly name: string
  /** Creates another store of the same data. */
  createStore(): Store & { dump(): Dump }
  /** Runs SQL, or a command of Redis. Returns the reply of Redis. */
  execute(text: string): Promise<unknown>
  /** Runs a command with the URL of the store. */
  run(command: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<CliResult>
  check(...args: readonly string[]): Promise<CliResult>
  close(): Promise<void>
}

/** Creates the functions that run commands with the URL and the options of a store. */
const createRunner = (
  url: string,
  name: string,
  storeArgs: readonly string[],
): Pick<CheckedStore, 'url' | 'name' | 'run' | 'check'> => {
  const run: CheckedStore['run'] = (command, options) =>
    runCli([...command, ...storeArgs], { ...options, environment: { KITHGRAPH_URL: url } })
  return { url, name, run, check: (...args) => run(['check', 'store', ...args]) }
}

/** Writes people 1 and 2, photo 3, and edges between them. */
export const writePeople = async ({ graph }: CheckedStore): Promise<void> => {
  await graph.write([
    { op: 'putNode', node: { id: '1', type: 'person', fields: { name: 'Ada' } } },
    { op: 'putNode', node: { id: '2', type: 'person', fields: { name: 'Ben' } } },
    { op: 'putNode', node: { id: '3', type: 'photo', fields: {} } },
    { op: 'putEdge', edge: { source: '1', name: 'friends', target: '2', time: 5, data: { note: 'school' } } },
    { op: 'putEdge', edge: { source: '1', name: 'likes', target: '3', time: 6 } },
    { op: 'putEdge', edge: { source: '2', name: 'follows', target: '1', time: 7 } },
  ])
}

/** Creates stores of one engine until it is stopped. */
export type CheckedEngine = { create(): Promise<CheckedStore>; stop(): Promise<void> }

export const startSqliteEngine = async (): Promise<CheckedEngine> => {
  const folder = createTemporaryFolder()
  let files = 0
  const create = async (): Promise<CheckedStore> => {
    const path = join(folder.path, `${++files}.db`)
    const database = new Database(path)
    const graph = createPeopleGraph(createSqliteStore(database))
    return {
      graph,
      createStore: () => createSqliteStore(database, { connect: () => new Database(path) }),
      execute: async sql => {
        database.exec(sql)
      },
      ...createRunner(`sqlite:${path}`, '', []),
      close: async () => {
        await graph.close()
        database.close()
      },
    }
  }
  return { create, stop: async () => folder.remove() }
}

/**
 * Stores in Redis. `execute` runs one command, and adds the prefix of the store to keys such as `{1}n`. Single
 * quotes enclose an argument with spaces.
 */
const createRedisEngine = (
  client: Redis | Cluster,
  url: string,
  stop: () => Promise<void>,
): CheckedEngine => {
  let stores = 0
  const create = async (): Promise<CheckedStore> => {
    const name = `checked${++stores}`
    const prefix = `kithgraph-${name}:`
    const createStore = () => createRedisStore(client, { prefix })
    const graph = createPeopleGraph(createStore())
    return {
      graph,
      createStore,
      execute: async text => {
        const words = text.replaceAll(/\{(?=[^{}"]*\})/g, `${prefix}{`).match(/'[^']*'|\S+/g) ?? []
        const [command = '', ...args] = words.map(word => word.replaceAll("'", ''))
        return client.call(command, args)
      },
      ...createRunner(url, name, ['--prefix', prefix]),
      close: async () => graph.close(),
    }
  }
  return { create, stop }
}

export const startRedisEngine = async (): Promise<CheckedEngine> => {
  const server = await startRedis()
  return createRedisEngine(server.admin, `redis://${HOST}:${server.port}`, () => server.stop())
}

export const startClusterEngine = async (): Promise<CheckedEngine> => {
  const cluster = await startRedisCluster()
  const url = `redis+cluster://${HOST}:${cluster.masters[0]?.port}`
  return createRedisEngine(cluster.connect(), url, () => cluster.stop())
}

export const startPostgresEngine = async (): Promise<CheckedEngine> => {
  const server = await startPostgres()
  const pool = server.pool()
  const { user, password, host, port, database } = pool.options
  const url = `postgres://${user}:${password}@${host}:${port}/${database}`
  let schemas = 0
  const create = async (): Promise<CheckedStore> => {
    const name = `checked_${++schemas}`
    const schemaName = `kithgraph_${name}`
    const createStore = () => createPostgresStore(pool, { schema: schemaName })
    const graph = createPeopleGraph(createStore())
    return {
      graph,
      createStore,
      execute: async sql => {
        await pool.query(`set search_path = ${schemaName}; ${sql}`)
      },
      ...createRunner(url, name, ['--postgres-schema', schemaName]),
      close: async () => graph.close(),
    }
  }
  return { create, stop: server.stop }
}
