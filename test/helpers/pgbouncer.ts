import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { PostgresServer } from './postgres.ts'
import { findFreePorts, HOST, waitUntil } from './redis.ts'

/** Debian installs the program in a folder that is not in the path of every user. */
const ENVIRONMENT = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }

/** Whether PgBouncer is installed. If not, prints which tests are skipped. In CI, throws instead. */
export const hasPgBouncer = (skippedTests: string): boolean => {
  const isInstalled = spawnSync('pgbouncer', ['--version'], { env: ENVIRONMENT }).status === 0
  const message = `pgbouncer is not installed (apt-get install pgbouncer): ${skippedTests}`
  if (!isInstalled && process.env.CI) throw new Error(message)
  if (!isInstalled) process.stderr.write(`\n*** SKIPPED, since ${message} ***\n\n`)
  return isInstalled
}

/** A PgBouncer in transaction mode, in front of a server. */
export type PgBouncer = {
  readonly port: number
  stop(): Promise<void>
}

/** The users of the pooler, with their passwords. The server must have them too. */
export type PoolerUsers = { readonly [name: string]: string }

const createConfig = (port: number, target: number, folder: string, poolSize: number): string => `
[databases]
* = host=${HOST} port=${target}
[pgbouncer]
listen_addr = ${HOST}
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
`

/** PgBouncer does not run as root. The tests of a server that root runs have created this user. */
const asUser = (): readonly string[] => (userInfo().uid === 0 ? ['-u', 'postgres'] : [])

/** The shell kills the pooler when its standard input closes, even if the test process is killed. */
const COMMAND = 'pgbouncer -q "$@" & pooler=$!; read -r _; kill -9 $pooler 2>&-; wait'

/** Starts a pooler whose clients share at most `poolSize` connections to the server, for each user. */
export const startPgBouncer = async (
  { port: target, pool }: PostgresServer,
  poolSize = 20,
  users: PoolerUsers = {},
): Promise<PgBouncer> => {
  const { user, password } = pool().options
  const folder = mkdtempSync(join(tmpdir(), 'kithgraph-pgbouncer-'))
  chmodSync(folder, 0o755)
  const [port = 0] = await findFreePorts(1)
  const lines = Object.entries({ ...users, [`${user}`]: `${password}` }).map(
    ([name, secret]) => `"${name}" "${secret}"\n`,
  )
  writeFileSync(join(folder, 'users.txt'), lines.join(''))
  writeFileSync(join(folder, 'pgbouncer.ini'), createConfig(port, target, folder, poolSize))
  const child = spawn('sh', ['-c', COMMAND, 'sh', ...asUser(), join(folder, 'pgbouncer.ini')], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: ENVIRONMENT,
  })
  const ended = new Promise(resolve => child.on('close', resolve))
  await waitUntil('PgBouncer responds', async () => {
    const client = new pg.Client({ host: HOST, port, user, password: `${password}`, database: 'postgres' })
    await client.connect()
    await client.end()
    return true
  })
  const stop = async () => {
    child.stdin.end()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return { port, stop }
}
