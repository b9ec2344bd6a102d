import type { Cluster } from 'ioredis'
import type { RedisClient } from 'kithgraph/redis'
import { HOST, type RedisServer, waitUntil } from './redis.ts'

/** Whether a server is a master with slots. */
export const isMasterWithSlots = async ({ admin }: RedisServer): Promise<boolean> =>
  /myself,master.* connected \d/.test(String(await admin.cluster('NODES')))

/** Waits until the replicas of a master have all of its writes. */
export const waitForReplicas = ({ admin }: RedisServer): Promise<void> =>
  waitUntil('the replicas have all writes', async () => {
    const info = await admin.info('replication')
    const offset = Number(/^master_repl_offset:(\d+)/m.exec(info)?.[1])
    const replicaOffsets = [...info.matchAll(/state=online,offset=(\d+)/g)]
    return replicaOffsets.length > 0 && replicaOffsets.every(([, text]) => Number(text) >= offset)
  })

/** Waits until all members know a server in a role. */
const waitUntilKnown = async (
  { port }: RedisServer,
  role: 'master' | 'slave',
  members: readonly RedisServer[],
): Promise<void> => {
  const line = new RegExp(`:${port}@\\d+ (?:myself,)?${role} `)
  for (const { admin } of members)
    await waitUntil(`a member knows a ${role}`, async () => line.test(String(await admin.cluster('NODES'))))
}

/** Makes a replica the master of its shard, without a failure. */
export const promote = async (replica: RedisServer, members: readonly RedisServer[]): Promise<void> => {
  await waitUntilKnown(replica, 'slave', members)
  await replica.admin.cluster('FAILOVER')
  await waitForPromotion(replica, members)
}

/** Waits until a replica is the master of its shard, and the members know it. */
export const waitForPromotion = async (
  replica: RedisServer,
  members: readonly RedisServer[],
): Promise<void> => {
  await waitUntil('a replica is promoted', () => isMasterWithSlots(replica))
  await waitUntilKnown(replica, 'master', members)
}

/** Returns the replica of a master that has received all of the master's data, or undefined. */
export const findReplica = async (
  { port }: RedisServer,
  members: readonly RedisServer[],
): Promise<RedisServer | undefined> => {
  for (const member of members) {
    const info = await member.admin.info('replication')
    if (info.includes(`master_port:${port}\r`) && info.includes('master_link_status:up')) return member
  }
  return undefined
}

/** Kills a member of a cluster and starts it again, without its data and before it is replaced. */
export const restartEmpty = async (member: RedisServer): Promise<void> => {
  member.kill()
  await member.restart()
  await waitUntil('a member restarts', async () => (await member.admin.ping()) === 'PONG')
}

/** Makes a replica a new master without slots and keys, as if it had just been added. */
export const addAsMaster = async (replica: RedisServer, masters: readonly RedisServer[]): Promise<void> => {
  const busPort = /:\d+@(\d+) myself/.exec(String(await replica.admin.cluster('NODES')))?.[1] ?? ''
  await replica.admin.call('cluster', ['RESET', 'HARD'])
  const line = new RegExp(`^${String(await replica.admin.cluster('MYID'))} .*\\bmaster `, 'm')
  for (const { admin } of masters) await admin.call('cluster', ['MEET', HOST, replica.port, busPort])
  for (const { admin } of [...masters, replica])
    await waitUntil(
      'a master joins',
      async () =>
        line.test(String(await admin.cluster('NODES'))) &&
        String(await admin.cluster('INFO')).includes('cluster_state:ok'),
    )
}

/** Marks a slot as moving from one master to another, without a move. Returns a function that ends this. */
export const beginMove = async (
  slot: number,
  from: RedisServer,
  to: RedisServer,
): Promise<() => Promise<void>> => {
  const [source, target] = [await from.admin.cluster('MYID'), await to.admin.cluster('MYID')]
  await to.admin.call('cluster', ['SETSLOT', slot, 'IMPORTING', String(source)])
  await from.admin.call('cluster', ['SETSLOT', slot, 'MIGRATING', String(target)])
  return async () => {
    for (const { admin } of [to, from]) await admin.call('cluster', ['SETSLOT', slot, 'STABLE'])
  }
}

/** Returns the slots of each master, as a server sees them. */
const readSlotMap = async ({ admin }: RedisServer): Promise<string> =>
  String(await admin.cluster('NODES'))
    .split('\n')
    .map(line => line.split(' '))
    .filter(words => words.length > 8)
    .map(([id, , , , , , , , ...slots]) => `${id} ${slots.join(' ')}`)
    .sort()
    .join('\n')

/** Moves slots with their keys, as an operator does, and waits until the masters agree about the slots. */
export const moveSlots = async (
  slots: readonly number[],
  from: RedisServer,
  to: RedisServer,
  others: readonly RedisServer[],
): Promise<void> => {
  const target = String(await to.admin.cluster('MYID'))
  for (const slot of slots) {
    await beginMove(slot, from, to)
    for (;;) {
      const keys = await from.admin.cluster('GETKEYSINSLOT', slot, 1000)
      if (!Array.isArray(keys) || keys.length === 0) break
      await from.admin.migrate(HOST, to.port, '', 0, 5000, 'KEYS', ...keys.map(String))
    }
    for (const { admin } of [to, from, ...others])
      await admin.call('cluster', ['SETSLOT', slot, 'NODE', target])
  }
  await waitUntil('the masters agree about the slots', async () => {
    const slotMaps = await Promise.all([from, to, ...others].map(readSlotMap))
    return new Set(slotMaps).size === 1
  })
}

/**
 * Creates a client that calls a function before each command to one master, with the master's port. Other
 * commands are sent to a reader, by default to the cluster.
 */
export const actBeforeMasterCall = (
  cluster: Cluster,
  act: (command: string, port: number | undefined) => Promise<void>,
  chooseReader: () => RedisClient = () => cluster,
): RedisClient => ({
  pipeline: commands => chooseReader().pipeline(commands),
  call: (command, args) => chooseReader().call(command, args),
  get slots() {
    return cluster.slots
  },
  nodes: role =>
    cluster.nodes(role).map(node => ({
      call: async (command, args) => {
        await act(command, node.options.port)
        return node.call(command, args)
      },
    })),
})
