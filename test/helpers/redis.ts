import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Cluster, type ClusterOptions, Redis } from 'ioredis'

const HOST = '127.0.0.1'
const SLOTS = 16_384
const MASTERS = 3
/** Milliseconds after which a master that does not answer is voted out. */
const NODE_TIMEOUT = 1000
const READY_WITHIN = 30_000

/** Whether this machine can run a server. Where it cannot, whoever asks says what it leaves out. */
export const hasRedisServer = (leftOut: string): boolean => {
  const there = spawnSync('redis-server', ['--version']).status === 0
  if (!there) process.stderr.write(`\n*** LEFT OUT, since there is no redis-server here: ${leftOut} ***\n\n`)
  return there
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, HOST, () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(address)))
    })
  })

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

const startProcess = async (...args: readonly string[]): Promise<RedisServer> => {
  const dir = mkdtempSync(join(tmpdir(), 'kithgraph-redis-'))
  const port = await freePort()
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
  const server = await startProcess()
  await eventually('a server answers', async () => (await server.admin.ping()) === 'PONG')
  return server
}

/** A cluster of our own: three masters, each with a replica. */
export type RedisCluster = {
  readonly masters: readonly RedisServer[]
  readonly replicas: readonly RedisServer[]
  /** A client of the cluster; closed with it. */
  connect(options?: ClusterOptions): Cluster
  stop(): Promise<void>
}

const isJoined = async ({ admin }: RedisServer, size: number): Promise<boolean> => {
  const info = String(await admin.cluster('INFO'))
  return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${size}`)
}

const joinAll = async (masters: readonly RedisServer[], replicas: readonly RedisServer[]): Promise<void> => {
  const [first, ...others] = [...masters, ...replicas]
  if (first === undefined) throw new Error('no servers')
  const share = Math.ceil(SLOTS / masters.length)
  for (const [index, { admin }] of masters.entries()) {
    await admin.cluster('SET-CONFIG-EPOCH', index + 1)
    await admin.call('cluster', ['ADDSLOTSRANGE', index * share, Math.min(SLOTS, (index + 1) * share) - 1])
  }
  for (const { port } of others) await first.admin.cluster('MEET', HOST, port)
  const all = [...masters, ...replicas]
  for (const server of all) await eventually('the cluster joins', () => isJoined(server, all.length))
  for (const [index, { admin }] of replicas.entries()) {
    const master = await masters[index]?.admin.cluster('MYID')
    await admin.cluster('REPLICATE', String(master))
  }
  for (const { admin } of replicas)
    await eventually('a replica follows', async () =>
      String(await admin.info('replication')).includes('master_link_status:up'),
    )
}

/** Starts a cluster, which takes about a second. */
export const startRedisCluster = async (): Promise<RedisCluster> => {
  const start = async () =>
    startProcess(
      ...['--cluster-enabled', 'yes', '--cluster-port', `${await freePort()}`],
      ...['--cluster-node-timeout', `${NODE_TIMEOUT}`, '--repl-diskless-sync-delay', '0'],
    )
  const servers = await Promise.all(Array.from({ length: 2 * MASTERS }, start))
  const [masters, replicas] = [servers.slice(0, MASTERS), servers.slice(MASTERS)]
  const clients: Cluster[] = []
  const stop = async () => {
    for (const client of clients) client.disconnect()
    await Promise.all(servers.map(server => server.stop()))
  }
  const connect = (options: ClusterOptions = {}) => {
    const client = new Cluster(
      servers.map(({ port }) => ({ host: HOST, port })),
      options,
    )
    client.on('error', () => undefined)
    clients.push(client)
    return client
  }
  try {
    await joinAll(masters, replicas)
  } catch (error) {
    await stop()
    throw error
  }
  return { masters, replicas, connect, stop }
}
