import { createRedisStore } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { computeSlot } from '../../src/stores/redis/key-slot.ts'
import { putEdge, putNodes } from '../../src/testing/records.ts'
import { hasRedisServer, type RedisServer, waitUntil } from '../helpers/redis.ts'
import {
  findReplica,
  isMasterWithSlots,
  moveSlots,
  promote,
  restartEmpty,
  waitForPromotion,
  waitForReplicas,
} from '../helpers/redis-changes.ts'
import { type RedisCluster, startRedisCluster } from '../helpers/redis-cluster.ts'

const NODE_COUNT = 3000
const ids = Array.from({ length: NODE_COUNT }, (_, index) => `${index + 1}`)
const GRAPH = [
  ...putNodes(...ids),
  ...ids.map(id => putEdge(id, 'likes', `${(Number(id) % NODE_COUNT) + 1}`, 1)),
]
const MOMENTS = [0.05, 0.35, 0.5, 0.65, 0.95]
const SETTLE_TIMEOUT_MS = 120_000

const isLong = process.env.KITHGRAPH_LONG !== undefined

describe.skipIf(!isLong || !hasRedisServer('the dump of a Redis Cluster that changes'))(
  'the dump of a Redis Cluster is whole or fails',
  () => {
    let cluster: RedisCluster
    let members: readonly RedisServer[]

    beforeAll(async () => {
      cluster = await startRedisCluster()
      members = [...cluster.masters, ...cluster.replicas]
    })
    afterAll(() => cluster?.stop())

    /** Killed members that start again when they have been replaced. */
    const restarts: Promise<void>[] = []

    const connect = () => cluster.connect({ maxRedirections: 300 })
    const findMasters = async (): Promise<RedisServer[]> => {
      const checks = await Promise.all(members.map(isMasterWithSlots))
      return members.filter((_, index) => checks[index])
    }
    /** Returns a different master for each number, and another one. */
    const chooseMasters = async (seed: number): Promise<readonly [RedisServer, RedisServer]> => {
      const masters = await findMasters()
      const [first, second] = [masters[seed % masters.length], masters[(seed + 1) % masters.length]]
      if (first === undefined || second === undefined) throw new Error('no masters')
      return [first, second]
    }
    const awaitReplica = async (master: RedisServer): Promise<RedisServer> => {
      let replica: RedisServer | undefined
      await waitUntil('a master has a replica', async () => {
        replica = await findReplica(master, members)
        return replica !== undefined
      })
      if (replica === undefined) throw new Error('no replica')
      return replica
    }
    /** Returns the number of lines, or the error, of a dump during which a function is called. */
    const dumpDuring = async (moment: number, change: () => Promise<unknown>): Promise<unknown> => {
      const lines = new Set<string>()
      const store = createRedisStore(connect())
      let isChanged = false
      try {
        for await (const line of store.dump()) {
          lines.add(line)
          if (isChanged || lines.size < moment * GRAPH.length) continue
          isChanged = true
          await change()
        }
        return lines.size
      } catch (error) {
        return error
      }
    }

    const isHealthy = async (): Promise<boolean> => {
      const masters = await findMasters()
      const replicas = await Promise.all(masters.map(master => findReplica(master, members)))
      const infos = await Promise.all(members.map(({ admin }) => admin.cluster('INFO')))
      const isOk = infos.every(info => String(info).includes('cluster_state:ok'))
      return masters.length === 3 && isOk && !replicas.includes(undefined)
    }
    /** Waits until each of three masters has a replica, and writes the graph again. */
    const settle = () =>
      waitUntil(
        'the cluster is healthy and has the graph',
        async () => {
          if (!(await isHealthy())) return false
          await createRedisStore(connect()).write(GRAPH, { signal: undefined })
          for (const master of await findMasters()) await waitForReplicas(master)
          return (await dumpDuring(1, async () => {})) === GRAPH.length
        },
        SETTLE_TIMEOUT_MS,
      )

    const changes: readonly (readonly [string, losesNoData: boolean, (seed: number) => Promise<unknown>])[] =
      [
        [
          'a replica is promoted',
          true,
          async seed => {
            const [master] = await chooseMasters(seed)
            await promote(await awaitReplica(master), members)
          },
        ],
        [
          'two failovers follow each other',
          false,
          async seed => {
            const [master] = await chooseMasters(seed)
            const replica = await awaitReplica(master)
            await promote(replica, members)
            await awaitReplica(replica)
            await promote(master, members)
          },
        ],
        [
          'slots move to another master and back',
          true,
          async seed => {
            const [from, to] = await chooseMasters(seed)
            const keys = await from.admin.keys('*n')
            const slots = [...new Set(keys.map(computeSlot))].slice(0, 3)
            await moveSlots(slots, from, to, await findMasters())
            await moveSlots(slots, to, from, await findMasters())
          },
        ],
        [
          'a master restarts without its data',
          false,
          async seed => {
            const [master] = await chooseMasters(seed)
            await restartEmpty(master)
          },
        ],
        [
          'a master restarts without its data, and then its replica is promoted',
          false,
          async seed => {
            const [master] = await chooseMasters(seed)
            await restartEmpty(master)
            await promote(await awaitReplica(master), members)
          },
        ],
        [
          'a master is killed, and the dump continues during the election',
          true,
          async seed => {
            const [master] = await chooseMasters(seed)
            const replica = await awaitReplica(master)
            master.kill()
            // It becomes a replica of the promoted one.
            restarts.push(waitForPromotion(replica, [replica]).then(() => master.restart()))
          },
        ],
      ]

    it.each(changes)('if %s', async (_, losesNoData, change) => {
      const results: unknown[] = []
      for (const [seed, moment] of MOMENTS.entries()) {
        await Promise.all(restarts)
        await settle()
        results.push(await dumpDuring(moment, () => change(seed)))
      }
      expect(results.filter(result => !(result instanceof Error) && result !== GRAPH.length)).toEqual([])
      if (losesNoData) expect(results).toContain(GRAPH.length)
    })
  },
)
