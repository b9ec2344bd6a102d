import type { Cluster } from 'ioredis'
import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { computeSlot } from '../../src/stores/redis/key-slot.ts'
import { putEdge, putNodes } from '../../src/testing/records.ts'
import { hasRedisServer, type RedisServer, startRedis, waitUntil } from '../helpers/redis.ts'
import {
  actBeforeMasterCall,
  addAsMaster,
  beginMove,
  moveSlots,
  promote,
  waitForPromotion,
  waitForReplicas,
} from '../helpers/redis-changes.ts'
import { type RedisCluster, startRedisCluster } from '../helpers/redis-cluster.ts'

const isLong = process.env.KITHGRAPH_LONG !== undefined

const NODE_COUNT = 600
const ids = Array.from({ length: NODE_COUNT }, (_, index) => `${index + 1}`)
/** Each node likes the next one, so many edges are in another shard than their target. */
const GRAPH = [
  ...putNodes(...ids),
  ...ids.map(id => putEdge(id, 'likes', `${(Number(id) % NODE_COUNT) + 1}`, 1)),
]

/** Reads all lines of a dump. Calls a function once, after a number of different lines. */
const readLines = async (
  dump: AsyncIterable<string>,
  pauseAfter = Number.POSITIVE_INFINITY,
  act: () => Promise<void> = async () => {},
): Promise<ReadonlySet<string>> => {
  const lines = new Set<string>()
  let isActDone = false
  for await (const line of dump) {
    lines.add(line)
    if (isActDone || lines.size < pauseAfter) continue
    isActDone = true
    await act()
  }
  return lines
}

const expectWhole = (lines: ReadonlySet<string>) => {
  expect(lines.size).toBe(GRAPH.length)
}

/** Returns a function that calls another one only once. */
const once = (act: () => Promise<void>): (() => Promise<void>) => {
  let isCalled = false
  return async () => {
    if (isCalled) return
    isCalled = true
    await act()
  }
}

// These tests change the cluster one after the other.
describe.skipIf(!hasRedisServer('the dump of a Redis Cluster during changes'))(
  'the dump of a Redis Cluster',
  () => {
    let cluster: RedisCluster
    /** The current masters. */
    let masters: RedisServer[]

    beforeAll(async () => {
      cluster = await startRedisCluster()
      masters = [...cluster.masters]
      await createRedisStore(cluster.connect()).write(GRAPH, { signal: undefined })
      for (const master of masters) await waitForReplicas(master)
    })
    afterAll(() => cluster?.stop())

    const server = (servers: readonly RedisServer[], index: number): RedisServer => {
      const found = servers[index]
      if (found === undefined) throw new Error(`no server ${index}`)
      return found
    }
    /** Returns the other server of a shard, whose first master may have been replaced. */
    const replicaOf = (index: number): RedisServer => {
      const first = server(cluster.masters, index)
      return masters[index] === first ? server(cluster.replicas, index) : first
    }
    const members = () => [...cluster.masters, ...cluster.replicas]
    /** Connects a client that knows the current masters, and waits for the end of an election. */
    const connect = async (): Promise<Cluster> => {
      const client = cluster.connect({ maxRedirections: 300 })
      await client.get('any')
      await Promise.all(client.nodes('master').map(node => node.ping()))
      return client
    }
    const waitUntilDisconnected = (client: Cluster) =>
      waitUntil('a connection ends', async () => client.nodes('master').length < masters.length)
    const dump = (client: RedisClient) => createRedisStore(client).dump()
    /** Returns some slots of a master that contain nodes. */
    const findSlots = async ({ admin }: RedisServer, count: number): Promise<readonly number[]> =>
      [...new Set((await admin.keys('*n')).map(computeSlot))].slice(0, count)

    it('is whole after a failover that the client has not noticed', async () => {
      const client = await connect()
      const [master, replica] = [server(masters, 0), replicaOf(0)]
      await promote(replica, members())
      masters[0] = replica
      await master.admin.client('KILL', 'TYPE', 'normal')
      await waitUntilDisconnected(client)
      expectWhole(await readLines(dump(client)))
    })

    it.skipIf(!isLong)(
      'is whole after slots moved to a new master that the client does not know',
      async () => {
        const client = await connect()
        const [from, to] = [server(masters, 1), server(cluster.replicas, 1)]
        await addAsMaster(to, masters)
        masters.push(to)
        await moveSlots(await findSlots(from, 20), from, to, masters)
        expectWhole(await readLines(dump(client)))
      },
    )

    it('is whole after slots moved between two pages of keys, to a master that was already scanned', async () => {
      const scannedPorts = new Set<number | undefined>()
      const move = once(async () => {
        const [from, to] = [
          masters.find(({ port }) => !scannedPorts.has(port)),
          masters.find(({ port }) => scannedPorts.has(port)),
        ]
        if (from === undefined || to === undefined) throw new Error('no master')
        await moveSlots(await findSlots(from, 5), from, to, masters)
      })
      const client = actBeforeMasterCall(await connect(), async (command, port) => {
        if (command !== 'scan') return
        if (scannedPorts.size === 2) await move()
        scannedPorts.add(port)
      })
      expectWhole(await readLines(dump(client)))
    })

    it('is whole if a former master of another shard has lost its data and still replies to reads', async () => {
      const formerMaster = await startRedis()
      const clusterClient = await connect()
      let scannedPort: number | undefined
      let repliesFormerMaster = false
      const client = actBeforeMasterCall(
        clusterClient,
        async (command, port) => {
          if (command === 'scan') scannedPort = port
          // The servers know the new master before the client reads their states.
          if (command === 'info') repliesFormerMaster = false
        },
        () => (repliesFormerMaster ? formerMaster.admin : clusterClient),
      )
      const lines = await readLines(dump(client), NODE_COUNT + 1, async () => {
        const index = masters[0]?.port === scannedPort ? 2 : 0
        const replica = replicaOf(index)
        await promote(replica, members())
        masters[index] = replica
        repliesFormerMaster = true
      })
      await formerMaster.stop()
      expectWhole(lines)
    })

    it('is not read while a slot moves, and an error says why', async () => {
      const [from, to] = [server(masters, 0), server(masters, 2)]
      const client = await connect()
      const [slot = 0] = await findSlots(from, 1)
      let endMove = await beginMove(slot, from, to)
      const lines: string[] = []
      const read = async () => {
        for await (const line of dump(client)) lines.push(line)
      }
      const error = {
        reason: 'store_error',
        message:
          '(#2) The store failed to scan all keys: hash slots are moving between masters; scan again after the move',
      }
      await expect(read()).rejects.toMatchObject(error)
      expect(lines).toEqual([])
      await endMove()
      const begin = async () => {
        endMove = await beginMove(slot, from, to)
      }
      await expect(readLines(dump(client), 10, begin)).rejects.toMatchObject(error)
      await endMove()
      expectWhole(await readLines(dump(client)))
    })

    describe('if a master is killed', () => {
      beforeAll(() => cluster.shortenNodeTimeout())

      const cases = [
        ['during the election of a new one', 2, false],
        ['after the election of a new one', 0, true],
      ] as const
      it.each(isLong ? cases : cases.slice(0, 1))(
        'is whole or fails if it is read on %s',
        async (_, index, isElected) => {
          const client = await connect()
          const master = server(masters, index)
          const replica = replicaOf(index)
          await waitForReplicas(master)
          const impatientClient = cluster.connect()
          await impatientClient.get('any')
          const toError = (error: unknown) => error
          let laterDump: Promise<unknown> = Promise.resolve()
          const dumped = await readLines(dump(client), NODE_COUNT, async () => {
            master.kill()
            masters[index] = replica
            await waitUntilDisconnected(client)
            if (isElected) await waitForPromotion(replica, masters)
            laterDump = readLines(dump(impatientClient)).catch(toError)
          }).catch(toError)
          for (const result of [dumped, await laterDump])
            if (result instanceof Set) expectWhole(result)
            else expect(result).toBeInstanceOf(Error)
          await waitForPromotion(replica, masters)
          expectWhole(await readLines(dump(client)))
        },
      )
    })
  },
)
