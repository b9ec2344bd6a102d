import fc from 'fast-check'
import { createRedisStore } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import {
  encodeReverseEntry,
  parseGeneration,
  parseMember,
  parseMemberGeneration,
} from '../../../src/stores/redis/encoding.ts'
import { deleteEdge, putEdge, putNode, putNodes } from '../../../src/testing/records.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'
import { TurnScheduler } from '../../helpers/redis-clients.ts'

const RUNS = 150
const IDS = ['1', '2']
const id = fc.constantFrom(...IDS)
const mutation: fc.Arbitrary<StoreMutation> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(id, id).map(([source, target]) => putEdge(source, 'likes', target, 1)) },
  { weight: 2, arbitrary: fc.tuple(id, id).map(([source, target]) => deleteEdge(source, 'likes', target)) },
  { weight: 1, arbitrary: id.map(id => ({ op: 'deleteNode' as const, id })) },
  { weight: 1, arbitrary: id.map(id => putNode(id)) },
)
const races = fc.record({
  /** The mutations of each writer, in their order. */
  writers: fc.array(fc.array(mutation, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 3 }),
  /** Numbers that choose the next writer, whenever all writers wait. */
  turns: fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 30 }),
})

describe.skipIf(!hasRedisServer('writers to Redis that race'))('concurrent writers on Redis', () => {
  let server: RedisServer
  let stores = 0

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  /** Runs a race on two nodes that like each other and themselves. */
  const run = async ({ writers, turns }: typeof races extends fc.Arbitrary<infer T> ? T : never) => {
    const prefix = `store ${++stores}:`
    const store = createRedisStore(server.admin, { prefix })
    await store.open()
    const write = async (...mutations: readonly StoreMutation[]) =>
      store.write(mutations, { signal: undefined })
    const edges = IDS.flatMap(source => IDS.map(target => putEdge(source, 'likes', target, 1)))
    await write(...putNodes(...IDS), ...edges)
    let turn = 0
    await new TurnScheduler(() => turns[turn++ % turns.length] ?? 0).run(
      server.admin,
      writers.map(mutations => async client => {
        const own = createRedisStore(client, { prefix })
        await own.open()
        // A write may be rejected, because another writer has deleted its nodes.
        for (const mutation of mutations)
          await Promise.resolve(own.write([mutation], { signal: undefined })).catch(() => undefined)
      }),
    )
    return { prefix, write, store }
  }

  it('leave no edge without its nodes, or without its entry in the record of the edges to its target', async () => {
    await fc.assert(
      fc.asyncProperty(races, async race => {
        const { prefix, store } = await run(race)
        await store.recover()
        const generationOf = async (id: string) => {
          const record = await server.admin.get(`${prefix}{${id}}n`)
          return record === null ? undefined : parseGeneration(record)
        }
        for (const source of IDS) {
          for (const member of await server.admin.zrange(`${prefix}{${source}}elikes`, 0, -1)) {
            const target = parseMember(member)
            const [sourceGeneration, targetGeneration] = [
              await generationOf(source),
              await generationOf(target),
            ]
            expect(targetGeneration, `${source} likes ${target}`).toBe(parseMemberGeneration(member))
            const entry = encodeReverseEntry({ source, generation: sourceGeneration ?? '', name: 'likes' })
            const remembered = await server.admin.sismember(`${prefix}{${target}}r`, entry)
            expect(remembered, `${target} remembers ${source}`).toBe(1)
          }
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('leave no key after all nodes are deleted, except the generations of these nodes for a day', async () => {
    await fc.assert(
      fc.asyncProperty(races, async race => {
        const { prefix, write, store } = await run(race)
        await write(...IDS.map(id => ({ op: 'deleteNode' as const, id })))
        await store.recover()
        const keys = await server.admin.keys(`${prefix}*`)
        expect(keys.sort()).toEqual(IDS.map(id => `${prefix}{${id}}t`))
        for (const key of keys) expect(await server.admin.ttl(key)).toBeLessThanOrEqual(24 * 3600)
      }),
      { numRuns: RUNS },
    )
  })
})
