import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'

export const HOST = '127.0.0.1'
const READY_WITHIN = 30_000

/** Whether this machine can run a server. Where it cannot, whoever asks says what it leaves out. */
export const hasRedisServer = (leftOut: string): boolean => {
  const there = spawnSync('redis-server', ['--version']).status === 0
  if (!there) process.stderr.write(`\n*** LEFT OUT, since there is no redis-server here: ${leftOut} ***\n\n`)
  return there
}

const listen = (): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server: Server = createServer()
      .on('error', reject)
      .listen(0, HOST, () => resolve(server))
  })

/** Ports that are free, no two the same, since all were held at once. */
export const freePorts = async (count: number): Promise<number[]> => {
  const servers = await Promise.all(Array.from({ length: count }, listen))
  return servers.map(server => {
    const address = server.address()
    server.close()
    if (typeof address !== 'object' || address === null) throw new Error('a server without a port')
    return address.port
  })
}

/** Waits until a check holds. */
export const eventually = async (
  about: string,
  check: () => Promise<boolean>,
  within = READY_WITHIN,
): Promise<void> => {
  for (const end = Date.now() + within; Date.now() < end; await sleep(20))
    if (await check().catch(() => false)) return
  throw new Error(`not within ${within} ms: ${about}`)
}

/** A server of our own. */
export type RedisServer = {
  readonly port: number
  /** To the server itself, cluster or not. */
  readonly admin: Redis
  /** Ends the process at once, as a crash would. */
  kill(): void
  /** Ends it and removes what it left. */
  stop(): Promise<void>
}

/** The shell ends the server when our end of the pipe closes, be it because this process was killed. */
const GUARD = 'redis-server "$@" & server=$!; read -r _; kill -9 $server; wait'

/** Starts a server that answers soon. */
export const startProcess = (port: number, ...args: readonly string[]): RedisServer => {
  const dir = mkdtempSync(join(tmpdir(), 'kithgraph-redis-'))
  const fixed = ['--port', `${port}`, '--bind', HOST, '--dir', dir, '--save', '', '--appendonly', 'no']
  const child = spawn('sh', ['-c', GUARD, 'sh', ...fixed, ...args], { stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = new Promise(resolve => child.on('close', resolve))
  const admin = new Redis({ port, host: HOST, retryStrategy: () => 50, maxRetriesPerRequest: null })
  admin.on('error', () => undefined)
  const kill = () => void child.stdin.end()
  const stop = async () => {
    admin.disconnect()
    kill()
    await ended
    rmSync(dir, { recursive: true, force: true })
  }
  return { port, admin, kill, stop }
}

/** Starts a single server. */
export const startRedis = async (): Promise<RedisServer> => {
  const [port = 0] = await freePorts(1)
  const server = startProcess(port)
  await eventually('a server answers', async () => (await server.admin.ping()) === 'PONG')
  return server
}
