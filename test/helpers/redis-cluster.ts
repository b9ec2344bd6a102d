import { Cluster, type ClusterOptions } from 'ioredis'
import { findFreePorts, HOST, type RedisServer, startRedisProcess, waitUntil } from './redis.ts'

const SLOTS = 16_384
const MASTERS = 3
const NODE_COUNT = 2 * MASTERS
/**
 * Milliseconds after which a master that does not respond is replaced: longer than any delay on a busy
 * machine.
 */
const NODE_TIMEOUT_MS = 30_000
/** The timeout in milliseconds for tests that kill a master. */
const SHORT_NODE_TIMEOUT_MS = 1000

type ClusterNode = RedisServer & { readonly busPort: number }

/** A cluster of three masters, each with a replica. */
export type RedisCluster = {
  readonly masters: readonly RedisServer[]
  readonly replicas: readonly RedisServer[]
  /** Makes the cluster replace a master after a second without a response. */
  shortenNodeTimeout(): Promise<void>
  /** Creates a client of the cluster, which `stop` closes. */
  connect(options?: ClusterOptions): Cluster
  stop(): Promise<void>
}

/** Options of a cluster. */
export type RedisClusterOptions = {
  /** The time in milliseconds after which a master that does not respond is replaced. */
  readonly nodeTimeoutMs?: number
  /** Variables of the environment of the replicas. */
  readonly replicaEnvironment?: Readonly<Record<string, string>>
}

const startNodes = async ({
  nodeTimeoutMs = NODE_TIMEOUT_MS,
  replicaEnvironment = {},
}: RedisClusterOptions): Promise<readonly ClusterNode[]> => {
  const ports = await findFreePorts(2 * NODE_COUNT)
  return ports.slice(0, NODE_COUNT).map((port, index) => {
    const busPort = ports[NODE_COUNT + index] ?? 0
    const args = ['--cluster-port', `${busPort}`, '--cluster-node-timeout', `${nodeTimeoutMs}`]
    const fixed = ['--cluster-enabled', 'yes', '--repl-diskless-sync-delay', '0']
    const environment = index < MASTERS ? {} : replicaEnvironment
    return { ...startRedisProcess(port, [...fixed, ...args], environment), busPort }
  })
}

const hasJoined = async ({ admin }: RedisServer): Promise<boolean> => {
  const info = String(await admin.cluster('INFO'))
  return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${NODE_COUNT}`)
}

const isReplicating = async ({ admin }: RedisServer): Promise<boolean> =>
  (await admin.info('replication')).includes('master_link_status:up')

const joinNodes = async (
  masters: readonly ClusterNode[],
  replicas: readonly ClusterNode[],
): Promise<void> => {
  const share = Math.ceil(SLOTS / masters.length)
  for (const [index, { admin }] of masters.entries()) {
    await admin.cluster('SET-CONFIG-EPOCH', index + 1)
    const last = Math.min(SLOTS, (index + 1) * share) - 1
    await admin.call('cluster', ['ADDSLOTSRANGE', index * share, last])
  }
  const [first, ...others] = [...masters, ...replicas]
  for (const { port, busPort } of others) await first?.admin.call('cluster', ['MEET', HOST, port, busPort])
  for (const member of [...masters, ...replicas]) await waitUntil('a member joins', () => hasJoined(member))
  for (const [index, { admin }] of replicas.entries())
    await admin.cluster('REPLICATE', String(await masters[index]?.admin.cluster('MYID')))
  for (const replica of replicas) await waitUntil('a replica follows', () => isReplicating(replica))
}

/** Starts a cluster, which takes a few seconds. */
export const startRedisCluster = async (options: RedisClusterOptions = {}): Promise<RedisCluster> => {
  const members = await startNodes(options)
  const [masters, replicas] = [members.slice(0, MASTERS), members.slice(MASTERS)]
  const clients: Cluster[] = []
  const stop = async () => {
    for (const client of clients) client.disconnect()
    await Promise.all(members.map(member => member.stop()))
  }
  const shortenNodeTimeout = async () => {
    for (const { admin } of members) await admin.config('SET', 'cluster-node-timeout', SHORT_NODE_TIMEOUT_MS)
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
    await joinNodes(masters, replicas)
  } catch (error) {
    await stop()
    throw error
  }
  return { masters, replicas, shortenNodeTimeout, connect, stop }
}
