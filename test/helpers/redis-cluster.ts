import { Cluster, type ClusterOptions } from 'ioredis'
import { eventually, freePorts, HOST, type RedisServer, startProcess } from './redis.ts'

const SLOTS = 16_384
const MASTERS = 3
const SIZE = 2 * MASTERS
/** Milliseconds after which a master that does not answer is voted out: more than a busy machine keeps one waiting. */
const PATIENCE = 30_000
/** The same where a master is killed for a test. */
const IMPATIENCE = 1000

type Member = RedisServer & { readonly busPort: number }

/** A cluster of our own: three masters, each with a replica. */
export type RedisCluster = {
  readonly masters: readonly RedisServer[]
  readonly replicas: readonly RedisServer[]
  /** Has a master that does not answer voted out soon. */
  loseSoon(): Promise<void>
  /** A client of the cluster; closed with it. */
  connect(options?: ClusterOptions): Cluster
  stop(): Promise<void>
}

const startMembers = async (): Promise<readonly Member[]> => {
  const ports = await freePorts(2 * SIZE)
  return ports.slice(0, SIZE).map((port, index) => {
    const busPort = ports[SIZE + index] ?? 0
    const args = ['--cluster-port', `${busPort}`, '--cluster-node-timeout', `${PATIENCE}`]
    return {
      ...startProcess(port, '--cluster-enabled', 'yes', ...args, '--repl-diskless-sync-delay', '0'),
      busPort,
    }
  })
}

const hasJoined = async ({ admin }: RedisServer): Promise<boolean> => {
  const info = String(await admin.cluster('INFO'))
  return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${SIZE}`)
}

const follows = async ({ admin }: RedisServer): Promise<boolean> =>
  (await admin.info('replication')).includes('master_link_status:up')

const joinMembers = async (masters: readonly Member[], replicas: readonly Member[]): Promise<void> => {
  const share = Math.ceil(SLOTS / masters.length)
  for (const [index, { admin }] of masters.entries()) {
    await admin.cluster('SET-CONFIG-EPOCH', index + 1)
    const last = Math.min(SLOTS, (index + 1) * share) - 1
    await admin.call('cluster', ['ADDSLOTSRANGE', index * share, last])
  }
  const [first, ...others] = [...masters, ...replicas]
  for (const { port, busPort } of others) await first?.admin.call('cluster', ['MEET', HOST, port, busPort])
  for (const member of [...masters, ...replicas]) await eventually('a member joins', () => hasJoined(member))
  for (const [index, { admin }] of replicas.entries())
    await admin.cluster('REPLICATE', String(await masters[index]?.admin.cluster('MYID')))
  for (const replica of replicas) await eventually('a replica follows', () => follows(replica))
}

/** Starts a cluster, which takes a few seconds. */
export const startRedisCluster = async (): Promise<RedisCluster> => {
  const members = await startMembers()
  const [masters, replicas] = [members.slice(0, MASTERS), members.slice(MASTERS)]
  const clients: Cluster[] = []
  const stop = async () => {
    for (const client of clients) client.disconnect()
    await Promise.all(members.map(member => member.stop()))
  }
  const loseSoon = async () => {
    for (const { admin } of members) await admin.config('SET', 'cluster-node-timeout', IMPATIENCE)
  }
  const connect = (options: ClusterOptions = {}) => {
    const client = new Cluster(
      members.map(({ port }) => ({ host: HOST, port })),
      options,
    )
    client.on('error', () => undefined)
    clients.push(client)
    return client
  }
  try {
    await joinMembers(masters, replicas)
  } catch (error) {
    await stop()
    throw error
  }
  return { masters, replicas, loseSoon, connect, stop }
}
