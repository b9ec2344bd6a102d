import { Redis } from 'ioredis'
import type { RedisClient } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { computeSlot } from '../../src/stores/redis/key-slot.ts'
import { createShards } from '../../src/stores/redis/shards.ts'
import { patchNode, putNode } from '../../src/testing/records.ts'
import { HOST, hasRedisServer, startRedis } from '../helpers/redis.ts'
import { startRedisCluster } from '../helpers/redis-cluster.ts'
import { collect, createFlag, deleteNode, EntryStore, putEvent } from '../helpers/redis-entries.ts'

const RUNS = process.env.KITHGRAPH_LONG ? 50 : 5
const WRITERS = 4
const WRITES_PER_WRITER = 40
const IDS = Array.from({ length: 30 }, (_, index) => `${index + 1}`)

/** Servers under test, and a new client for each writer. */
type Servers = { connect(): RedisClient; stop(): Promise<void> }

const startServer = async (): Promise<Servers> => {
  const server = await startRedis()
  const clients: Redis[] = []
  const connect = () => {
    const client = new Redis({ port: server.port, host: HOST })
    clients.push(client)
    return client
  }
  const stop = async () => {
    for (const client of clients) client.disconnect()
    await server.stop()
  }
  return { connect, stop }
}

const SERVERS = { 'a Redis server': startServer, 'a Redis Cluster': () => startRedisCluster() }

const choose = <TItem>(items: readonly TItem[]): TItem => {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new Error('nothing to choose from')
  return item
}

const randomRank = (): number => Math.floor(Math.random() * 1000)

const createBatch = (id: string) =>
  choose([
    () => putEvent(id, randomRank()),
    () => [patchNode(id, { rank: randomRank() }), collect(id)],
    () => [patchNode(id, { rank: null }), collect(id)],
    () => [deleteNode(id)],
    () => [deleteNode(id), ...putEvent(id, randomRank())],
  ])()

describe.skipIf(!hasRedisServer('collections in Redis')).each(Object.entries(SERVERS))(
  'the collections of %s',
  (_, start) => {
    let servers: Servers
    let writers: readonly RedisClient[]
    let stores = 0

    beforeAll(async () => {
      servers = await start()
      writers = Array.from({ length: WRITERS + 1 }, () => servers.connect())
    })
    afterAll(() => servers?.stop())

    it('equal the nodes after four writers and a program that derives all entries', async () => {
      for (let run = 0; run < RUNS; run++) {
        const prefix = `run ${++stores}:`
        const [reader, ...others] = writers.map(client => new EntryStore(client, prefix, IDS))
        if (reader === undefined) throw new Error('no store')
        await Promise.all([reader, ...others].map(({ store }) => store.open()))
        // These nodes were written by programs without the collection.
        await reader.write(...IDS.slice(0, 20).map(id => putNode(id, { rank: randomRank() })))
        const write = async (entries: EntryStore) => {
          // A patch of a missing node is rejected.
          for (let at = 0; at < WRITES_PER_WRITER; at++)
            await entries.write(...createBatch(choose(IDS))).catch(() => undefined)
        }
        const build = async () => {
          for (let at = 0; at < IDS.length; at += 5) await reader.write(...IDS.slice(at, at + 5).map(collect))
        }
        await Promise.all([...others.map(write), build()])
        await reader.assertComplete()
      }
    })

    it('have shards on all masters', () => {
      const slots = createShards(16).map(computeSlot)
      expect(slots.map(slot => Math.floor(slot / 1024))).toEqual(slots.map((_, index) => index))
    })

    it('have flags that are set while no master has a node, whatever other programs store', async () => {
      const [client] = writers
      if (client === undefined) throw new Error('no client')
      for (let number = 0; number < 3000; number++) await client.call('set', [`other {${number}}n`, '1'])
      for (const id of ['1', '2', '3', '4', '5', '6']) {
        const entries = new EntryStore(client, `flags ${++stores}:`)
        await entries.store.open()
        expect(await entries.readFlags('a', 'b')).toEqual([true, true])
        await entries.write(putNode(id))
        expect(await entries.readFlags('a', 'b')).toEqual([false, false])
        await entries.write({ op: 'putFlag', flag: createFlag('b') })
        expect(await entries.readFlags('a', 'b')).toEqual([false, true])
        await entries.write(putNode('7'), deleteNode(id))
        expect(await entries.readFlags('a', 'b')).toEqual([false, true])
        await entries.write(deleteNode('7'))
        expect(await entries.readFlags('a', 'b')).toEqual([true, true])
      }
    })

    it('have no flag any more when another process puts the first node', async () => {
      const [client, otherClient] = writers
      if (client === undefined || otherClient === undefined) throw new Error('no client')
      const entries = new EntryStore(client, `flags ${++stores}:`)
      await entries.store.open()
      expect(await entries.readFlags('a')).toEqual([true])
      await entries.writeOver(otherClient, putNode('1'))
      await expect.poll(() => entries.readFlags('a')).toEqual([false])
    })
  },
)
