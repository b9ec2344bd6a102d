import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { Cluster } from 'ioredis'
import { createRedisStore } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isGraphError } from '../../../src/base/faults.ts'
import type { Store } from '../../../src/store/contract.ts'
import { guardStore } from '../../../src/store/guard.ts'
import { NOTHING } from '../../../src/store/nothing.ts'
import { slotOf } from '../../../src/stores/redis/key-slot.ts'
import { nodeOf, putEdge, putNode, putNodes, rangeOf, targetsOf } from '../../../src/testing/records.ts'
import { HOST, hasRedisServer, type RedisServer } from '../../helpers/redis.ts'
import { countPipelines } from '../../helpers/redis-clients.ts'
import { type RedisCluster, startRedisCluster } from '../../helpers/redis-cluster.ts'

const NO_OPTIONS = { signal: undefined, deadline: undefined, atLeast: undefined }
const MASTERS = 3
const ids = Array.from({ length: 200 }, (_, index) => `${index + 1}`)
const WAVE = {
  nodes: ids,
  ranges: ids.map(id => rangeOf(id, 'likes')),
  tests: ids.map(id => ({ source: id, name: 'likes', target: '1' })),
  tokens: ['abc'],
}

/** Each likes the first; the first likes all. */
const GRAPH = [
  ...putNodes(...ids),
  ...ids.map(id => putEdge(id, 'likes', '1', 1)),
  ...ids.map(id => putEdge('1', 'likes', id, 2)),
]

describe.skipIf(!hasRedisServer('the Redis store on a cluster, its failover and moving slots'))(
  'a store in a cluster',
  () => {
    let cluster: RedisCluster
    let client: Cluster
    let stores = 0

    beforeAll(async () => {
      cluster = await startRedisCluster()
      // A failover takes longer than the 16 retries, 100 ms apart, that a client makes unless told otherwise.
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
    /** Reads everything, within a time that is more than any retry takes. */
    const readAll = async (store: Store) => store.read(WAVE, { ...NO_OPTIONS, deadline: Date.now() + 60_000 })

    it('puts keys where the servers do', async () => {
      const [first] = cluster.masters
      const keys = fc.string({ unit: fc.constantFrom('{', '}', 'a', '1', 'é', '😀', '\u0000') })
      await fc.assert(
        fc.asyncProperty(keys, async key => {
          expect(slotOf(key)).toBe(Number(await first?.admin.cluster('KEYSLOT', key)))
        }),
      )
    })

    it.each([
      ['', ''],
      [', under a prefix of the client', 'client:'],
    ])(
      'asks a wave in one pipeline a master, and in two where ranges bring targets%s',
      async (_, keyPrefix) => {
        const { client: counted, pipelines, alone } = countPipelines(cluster.connect({ keyPrefix }))
        const store = createRedisStore(counted, { prefix: `store ${++stores}:` })
        await store.open()
        await write(store, ...GRAPH)
        await store.read(WAVE, NO_OPTIONS)
        alone.length = 0
        const count = async (wave: Partial<typeof WAVE>) => {
          pipelines.length = 0
          await store.read({ ...NOTHING, ...wave }, NO_OPTIONS)
          return pipelines.length
        }
        expect(await count({ nodes: ids })).toBe(MASTERS)
        expect(await count({ nodes: ids, tests: WAVE.tests, tokens: ids })).toBe(MASTERS)
        expect(await count({ nodes: ['1'] })).toBe(1)
        expect(await count({ ranges: WAVE.ranges })).toBe(2 * MASTERS)
        expect(alone, 'commands that were not in a pipeline').toEqual([])
      },
    )

    it('answers and writes the same while slots move to another master', async () => {
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
      expect(moved.filter(slot => ids.some(id => slotOf(`{${id}}`) === slot)).length).toBeGreaterThan(5)
      expect(reads).toBeGreaterThan(3)
      expect(await readAll(store)).toEqual(expected)
    })

    it('reads on after a master was killed, and answers nothing wrong meanwhile', async () => {
      const { prefix, store } = await create()
      const hasty = connectTo(prefix, cluster.connect())
      const expected = await readAll(hasty)
      await client
        .nodes('master')
        .reduce((before, node) => before.then(() => node.wait(1, 0)), Promise.resolve(0))
      await cluster.loseSoon()
      cluster.masters[2]?.kill()
      const patient = Promise.all(
        [0, 100, 500, 1500].map(async delay => {
          await sleep(delay)
          return readAll(store)
        }),
      )
      // A client whose budget ends before the failover does.
      const early = await readAll(hasty).catch((error: unknown) => error)
      if (isGraphError(early))
        expect(early).toMatchObject({ data: { reason: 'store_fault' }, cause: expect.any(Error) })
      else expect(early).toEqual(expected)
      for (const answer of await patient) expect(answer).toEqual(expected)
      await write(store, putNode('1', { after: true }))
      const { nodes, ranges } = await readAll(store)
      expect(nodes[0]).toEqual(nodeOf('1', { after: true }))
      expect(targetsOf(ranges[0])).toEqual(targetsOf(expected.ranges[0]))
    })
  },
)

/** Moves the slots of some ids one by one, with their keys, as an operator does; answers them. */
const moveSlots = async (from: RedisServer, to: RedisServer): Promise<readonly number[]> => {
  const [source, target] = [await from.admin.cluster('MYID'), await to.admin.cluster('MYID')]
  const slots = [...new Set(ids.map(id => slotOf(`{${id}}`)))].filter(slot => slot < 16_384 / MASTERS - 1)
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
