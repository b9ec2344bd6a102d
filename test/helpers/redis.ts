import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'

export const HOST = '127.0.0.1'
const READY_TIMEOUT_MS = 30_000

/** Whether Redis is installed. If not, prints which tests are skipped. In CI, throws instead. */
export const hasRedisServer = (skippedTests: string): boolean => {
  const isInstalled = spawnSync('redis-server', ['--version']).status === 0
  if (!isInstalled && process.env.CI) throw new Error(`redis-server is not installed: ${skippedTests}`)
  if (!isInstalled)
    process.stderr.write(`\n*** SKIPPED, since redis-server is not installed: ${skippedTests} ***\n\n`)
  return isInstalled
}

const listen = (): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server: Server = createServer()
      .on('error', reject)
      .listen(0, HOST, () => resolve(server))
  })

/** Returns different free ports. All of them are opened at the same time, so no port is returned twice. */
export const findFreePorts = async (count: number): Promise<number[]> => {
  const servers = await Promise.all(Array.from({ length: count }, listen))
  return servers.map(server => {
    const address = server.address()
    server.close()
    if (typeof address !== 'object' || address === null) throw new Error('a server without a port')
    return address.port
  })
}

/** Waits until a check returns true. */
export const waitUntil = async (
  about: string,
  check: () => Promise<boolean>,
  timeoutMs = READY_TIMEOUT_MS,
): Promise<void> => {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(20))
    if (await check().catch(() => false)) return
  throw new Error(`not within ${timeoutMs} ms: ${about}`)
}

/** A running Redis server, which tests may change and kill. */
export type RedisServer = {
  readonly port: number
  /** A client of this server only, even in a cluster. */
  readonly admin: Redis
  /** Kills the process, as a crash would. */
  kill(): void
  /** Starts a killed process again, with the same port and files. */
  restart(): Promise<void>
  /** Stops the server and removes its files. */
  stop(): Promise<void>
}

/** The shell kills the server when its standard input closes, even if the test process is killed. */
const SERVER_COMMAND = 'redis-server "$@" & server=$!; read -r _; kill -9 $server 2>&-; wait'

/** Starts a server without waiting until it is ready. */
export const startRedisProcess = (
  port: number,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): RedisServer => {
  const dir = mkdtempSync(join(tmpdir(), 'kithgraph-redis-'))
  const fixed = ['--port', `${port}`, '--bind', HOST, '--dir', dir, '--save', '', '--appendonly', 'no']
  const start = () => {
    const child = spawn('sh', ['-c', SERVER_COMMAND, 'sh', ...fixed, ...args], {
      stdio: ['pipe', 'ignore', 'inherit'],
      env: { ...process.env, ...environment },
    })
    return { child, ended: new Promise(resolve => child.on('close', resolve)) }
  }
  let running = start()
  const admin = new Redis({ port, host: HOST, retryStrategy: () => 50, maxRetriesPerRequest: null })
  admin.on('error', () => undefined)
  const kill = () => void running.child.stdin.end()
  const restart = async () => {
    await running.ended
    running = start()
  }
  const stop = async () => {
    admin.disconnect()
    kill()
    await running.ended
    rmSync(dir, { recursive: true, force: true })
  }
  return { port, admin, kill, restart, stop }
}

/** Starts a single server and waits until it is ready. */
export const startRedis = async (): Promise<RedisServer> => {
  const [port = 0] = await findFreePorts(1)
  const server = startRedisProcess(port)
  await waitUntil('a server responds', async () => (await server.admin.ping()) === 'PONG')
  return server
}
