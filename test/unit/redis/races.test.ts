import fc from 'fast-check'
import { createRedisStore } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mutation } from '../../../src/store/contract.ts'
import { deleteEdge, putEdge, putNode, putNodes } from '../../../src/testing/records.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'

const RUNS = 60
const IDS = ['1', '2', '3']
const id = fc.constantFrom(...IDS)
const name = fc.constantFrom('likes', 'knows')
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(id, name, id).map(edge => putEdge(...edge, 1)) },
  { weight: 2, arbitrary: fc.tuple(id, name, id).map(edge => deleteEdge(...edge)) },
  { weight: 1, arbitrary: id.map(id => ({ op: 'deleteNode' as const, id })) },
  { weight: 2, arbitrary: id.map(id => putNode(id)) },
)
/** What each of several writers sends, one batch after another. */
const writers = fc.array(fc.array(fc.array(mutation, { maxLength: 3 }), { maxLength: 6 }), { maxLength: 6 })

describe.skipIf(!hasRedisServer('writers to Redis that race'))('writers that race', () => {
  let server: RedisServer
  let stores = 0

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  const race = async (batches: readonly (readonly (readonly Mutation[])[])[]) => {
    const prefix = `store ${++stores}:`
    const store = createRedisStore(server.admin, { prefix })
    await store.open()
    const write = async (mutations: readonly Mutation[]) => store.write(mutations, { signal: undefined })
    await write(putNodes(...IDS))
    await Promise.all(
      batches.map(async own => {
        // A batch may well be refused, since others delete what it needs.
        for (const batch of own) await write(batch).catch(() => undefined)
      }),
    )
    return { prefix, write }
  }

  it('leave no edge without its ends, and none that its target does not remember', async () => {
    await fc.assert(
      fc.asyncProperty(writers, async batches => {
        const { prefix } = await race(batches)
        for (const list of await server.admin.keys(`${prefix}{*}e*`)) {
          const [, source = '', name = ''] = /\{(\d+)\}e(.*)$/.exec(list) ?? []
          expect(await server.admin.exists(`${prefix}{${source}}n`), list).toBe(1)
          for (const member of await server.admin.zrange(list, 0, -1)) {
            const target = BigInt(member)
            expect(await server.admin.exists(`${prefix}{${target}}n`), `${list} to ${target}`).toBe(1)
            expect(await server.admin.sismember(`${prefix}{${target}}r`, `${source} ${name}`), list).toBe(1)
          }
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('leave nothing behind once all nodes are deleted', async () => {
    await fc.assert(
      fc.asyncProperty(writers, async batches => {
        const { prefix, write } = await race(batches)
        await write(IDS.map(id => ({ op: 'deleteNode', id })))
        expect(await server.admin.keys(`${prefix}*`)).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })
})
