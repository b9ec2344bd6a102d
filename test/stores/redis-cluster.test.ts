import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { Cluster } from 'ioredis'
import { createRedisStore } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isGraphError } from '../../src/base/errors.ts'
import type { Store } from '../../src/store/contract.ts'
import { guardStore } from '../../src/store/guard.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { computeSlot } from '../../src/stores/redis/key-slot.ts'
import { createNode, createRange, putEdge, putNode, putNodes, targetsOf } from '../../src/testing/records.ts'
import { HOST, hasRedisServer, type RedisServer } from '../helpers/redis.ts'
import { recordPipelines } from '../helpers/redis-clients.ts'
import { type RedisCluster, startRedisCluster } from '../helpers/redis-cluster.ts'

const NO_OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }
const MASTERS = 3
const ids = Array.from({ length: 200 }, (_, index) => `${index + 1}`)
const REQUEST = {
  nodes: ids,
  ranges: ids.map(id => createRange(id, 'likes')),
  checks: ids.map(id => ({ source: id, name: 'likes', target: '1' })),
  tokens: ['abc'],
}

/** Each node likes the first one, and the first one likes all nodes. */
const GRAPH = [
  ...putNodes(...ids),
  ...ids.map(id => putEdge(id, 'likes', '1', 1)),
  ...ids.map(id => putEdge('1', 'likes', id, 2)),
]

describe.skipIf(!hasRedisServer('the Redis store on a cluster, its failover and moving slots'))(
  'a Redis store in a cluster',
  () => {
    let cluster: RedisCluster
    let client: Cluster
    let stores = 0

    beforeAll(async () => {
      cluster = await startRedisCluster()
      // By default, a client retries 16 times, every 100 ms. A failover takes longer.
      client = cluster.connect({ maxRedirections: 300 })
    })
    afterAll(() => cluster?.stop())

    const write = async (store: Store, ...mutations: Parameters<Store['write']>[0][number][]) =>
      store.write(mutations, { signal: undefined })
    const connectTo = (prefix: string, of: Cluster) => guardStore(createRedisStore(of, { prefix }))
    const create = async () => {
      const prefix = `store ${++stores}:`
      const store = connectTo(prefix, client)
      await write(store, ...GRAPH)
      return { prefix, store }
    }
    /** Reads everything, with a deadline after the end of all retries. */
    const readAll = async (store: Store) =>
      store.read(REQUEST, { ...NO_OPTIONS, deadline: Date.now() + 60_000 })

    it('computes the slots of keys as the servers do', async () => {
      const [first] = cluster.masters
      const keys = fc.string({ unit: fc.constantFrom('{', '}', 'a', '1', 'é', '😀', '\u0000') })
      await fc.assert(
        fc.asyncProperty(keys, async key => {
          expect(computeSlot(key)).toBe(Number(await first?.admin.cluster('KEYSLOT', key)))
        }),
      )
    })

    it.each([
      ['', ''],
      [', under a prefix of the client', 'client:'],
    ])(
      'sends one pipeline per master for a read, and a second one for the targets of ranges%s',
      async (_, keyPrefix) => {
        const { client: counted, pipelines, scriptLoads } = recordPipelines(cluster.connect({ keyPrefix }))
        const prefix = `store ${++stores}:`
        const writer = createRedisStore(cluster.connect({ keyPrefix }), { prefix })
        await writer.open()
        await write(writer, ...GRAPH)
        await writer.close()
        const store = createRedisStore(counted, { prefix })
        await store.open()
        await store.read(REQUEST, NO_OPTIONS)
        scriptLoads.length = 0
        const count = async (request: Partial<typeof REQUEST>) => {
          pipelines.length = 0
          await store.read({ ...EMPTY_REQUEST, ...request }, NO_OPTIONS)
          return pipelines.length
        }
        expect(await count({ nodes: ids })).toBe(MASTERS)
        expect(await count({ nodes: ids, checks: REQUEST.checks, tokens: ids })).toBe(MASTERS)
        expect(await count({ nodes: ['1'] })).toBe(1)
        expect(await count({ ranges: REQUEST.ranges })).toBe(2 * MASTERS)
        expect(scriptLoads, 'commands that were not in a pipeline').toEqual([])
      },
    )

    it('reads and writes correctly while slots move to another master', async () => {
      const { store } = await create()
      const expected = await readAll(store)
      const [from, to] = cluster.masters
      if (from === undefined || to === undefined) throw new Error('no masters')
      let moving = true
      const move = moveSlots(from, to).finally(() => {
        moving = false
      })
      let reads = 0
      for (; moving || reads === 0; reads++) {
        expect(await readAll(store)).toEqual(expected)
        await write(store, putNode('1'), putEdge('1', 'likes', '2', 2))
      }
      const moved = await move
      expect(moved.filter(slot => ids.some(id => computeSlot(`{${id}}`) === slot)).length).toBeGreaterThan(5)
      expect(reads).toBeGreaterThan(3)
      expect(await readAll(store)).toEqual(expected)
    })

    it('reads and writes again after a master was killed, and returns no wrong result meanwhile', async () => {
      const { prefix, store } = await create()
      const hasty = connectTo(prefix, cluster.connect())
      const expected = await readAll(hasty)
      await client
        .nodes('master')
        .reduce((before, node) => before.then(() => node.wait(1, 0)), Promise.resolve(0))
      await cluster.shortenNodeTimeout()
      cluster.masters[2]?.kill()
      const patient = Promise.all(
        [0, 100, 500, 1500].map(async delay => {
          await sleep(delay)
          return readAll(store)
        }),
      )
      // The retries of this client end before the failover.
      const early = await readAll(hasty).catch((error: unknown) => error)
      if (isGraphError(early))
        expect(early).toMatchObject({ reason: 'store_error', cause: expect.any(Error) })
      else expect(early).toEqual(expected)
      for (const result of await patient) expect(result).toEqual(expected)
      await write(store, putNode('1', { after: true }))
      const { nodes, ranges } = await readAll(store)
      expect(nodes[0]).toEqual(createNode('1', { after: true }))
      expect(targetsOf(ranges[0])).toEqual(targetsOf(expected.ranges[0]))
    })
  },
)

/** Moves the slots of some ids with their keys, one by one, as an operator does, and returns the slots. */
const moveSlots = async (from: RedisServer, to: RedisServer): Promise<readonly number[]> => {
  const [source, target] = [await from.admin.cluster('MYID'), await to.admin.cluster('MYID')]
  const slots = [...new Set(ids.map(id => computeSlot(`{${id}}`)))].filter(
    slot => slot < 16_384 / MASTERS - 1,
  )
  for (const slot of slots.slice(0, 20)) {
    await to.admin.call('cluster', ['SETSLOT', slot, 'IMPORTING', String(source)])
    await from.admin.call('cluster', ['SETSLOT', slot, 'MIGRATING', String(target)])
    for (;;) {
      const keys = await from.admin.cluster('GETKEYSINSLOT', slot, 1)
      if (!Array.isArray(keys) || keys.length === 0) break
      await from.admin.migrate(HOST, to.port, '', 0, 5000, 'KEYS', ...keys.map(String))
      await sleep(5)
    }
    await to.admin.call('cluster', ['SETSLOT', slot, 'NODE', String(target)])
    await from.admin.call('cluster', ['SETSLOT', slot, 'NODE', String(target)])
  }
  return slots.slice(0, 20)
}
