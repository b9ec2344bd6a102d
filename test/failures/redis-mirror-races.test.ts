import fc from 'fast-check'
import { createRedisStore } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EdgeKey } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import {
  encodeReverseEntry,
  parseGeneration,
  parseMember,
  parseMemberGeneration,
  withoutDataSuffix,
} from '../../src/stores/redis/encoding.ts'
import { decodeData } from '../../src/stores/redis/stored-json.ts'
import { putEdge, putNode, putNodes } from '../../src/testing/records.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../helpers/redis.ts'
import { breakAfter, TurnScheduler } from '../helpers/redis-clients.ts'

const RUNS = process.env.KITHGRAPH_LONG ? 3000 : 40
const IDS = ['1', '2', '3']
/** The names of both sides of the mirrored edges. */
const MIRROR_NAMES: Readonly<Record<string, string>> = {
  friends: 'friends',
  parents: 'children',
  children: 'parents',
}

const id = fc.constantFrom(...IDS)
const key = fc.record({ source: id, name: fc.constantFrom(...Object.keys(MIRROR_NAMES)), target: id })
const mirrorOf = ({ source, name, target }: EdgeKey): EdgeKey => ({
  source: target,
  name: MIRROR_NAMES[name] ?? name,
  target: source,
})
const mirroredPut = fc
  .record({ key, time: fc.nat(5), hasData: fc.boolean() })
  .map(({ key, time, hasData }): StoreMutation => {
    const edge = hasData ? { ...key, time, data: { time } } : { ...key, time }
    return { op: 'putEdge', edge, mirror: mirrorOf(key) }
  })
const mirroredDeletion = key.map(
  (edge): StoreMutation => ({ op: 'deleteEdge', edge, mirror: mirrorOf(edge) }),
)
const batch: fc.Arbitrary<readonly StoreMutation[]> = fc.oneof(
  { weight: 4, arbitrary: fc.array(mirroredPut, { minLength: 1, maxLength: 2 }) },
  { weight: 3, arbitrary: mirroredDeletion.map(mutation => [mutation]) },
  { weight: 2, arbitrary: fc.tuple(id, id).map(([source, target]) => [putEdge(source, 'likes', target, 1)]) },
  { weight: 1, arbitrary: id.map(id => [{ op: 'deleteNode' as const, id }]) },
  { weight: 1, arbitrary: id.map(id => [putNode(id)]) },
  { weight: 2, arbitrary: id.map(id => [{ op: 'deleteNode' as const, id }, putNode(id)]) },
)
const race = fc.record({
  /** The batches of each writer, and the number of commands after which its connection breaks. */
  writers: fc.array(
    fc.record({
      batches: fc.array(batch, { minLength: 1, maxLength: 3 }),
      commands: fc.option(fc.integer({ min: 1, max: 25 }), { nil: undefined }),
    }),
    { minLength: 2, maxLength: 3 },
  ),
  /** Numbers that choose the next writer, whenever all writers wait. */
  turns: fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 40 }),
})

describe.skipIf(!hasRedisServer('races of mirrored edges'))(
  'concurrent writers on Redis, some of them killed',
  () => {
    let server: RedisServer
    let stores = 0

    beforeAll(async () => {
      server = await startRedis()
    })
    afterAll(() => server?.stop())

    /** Reads all edges as they are stored, with their numbers. */
    const readSides = async (prefix: string) => {
      const sides = new Map<string, { readonly edge: EdgeKey; readonly state: unknown }>()
      const generationOf = async (id: string) => {
        const record = await server.admin.get(`${prefix}{${id}}n`)
        return record === null ? undefined : parseGeneration(record)
      }
      for (const source of IDS)
        for (const name of ['likes', ...Object.keys(MIRROR_NAMES)]) {
          const cells = await server.admin.zrange(`${prefix}{${source}}e${name}`, 0, -1, 'WITHSCORES')
          for (let at = 0; at < cells.length; at += 2) {
            const member = cells[at] ?? ''
            const field = withoutDataSuffix(member)
            const target = parseMember(member)
            const about = `${source} ${name} ${target}`
            expect(await generationOf(target), `the target of ${about}`).toBe(parseMemberGeneration(member))
            const sourceGeneration = await generationOf(source)
            const entry = encodeReverseEntry({ source, generation: sourceGeneration ?? '', name })
            expect(
              await server.admin.sismember(`${prefix}{${target}}r`, entry),
              `the reverse entry of ${about}`,
            ).toBe(1)
            const text = await server.admin.hget(`${prefix}{${source}}d${name}`, field)
            const number = await server.admin.hget(`${prefix}{${source}}m`, `${field} ${name}`)
            sides.set(about, {
              edge: { source, name, target },
              state: [Number(cells[at + 1]), text === null ? undefined : decodeData(text), number],
            })
          }
        }
      return sides
    }

    const run = async ({ writers, turns }: typeof race extends fc.Arbitrary<infer T> ? T : never) => {
      const prefix = `store ${++stores}:`
      const store = createRedisStore(server.admin, { prefix })
      await store.open()
      await store.write(putNodes(...IDS), { signal: undefined })
      let turn = 0
      await new TurnScheduler(() => turns[turn++ % turns.length] ?? 0).run(
        server.admin,
        writers.map(({ batches, commands }) => async client => {
          const own = createRedisStore(commands === undefined ? client : breakAfter(client, commands), {
            prefix,
          })
          for (const mutations of batches)
            await Promise.resolve(own.write(mutations, { signal: undefined })).catch(() => undefined)
        }),
      )
      return { prefix, store }
    }

    it('leave no edge with unequal sides after the recovery, and no edge without its nodes', async () => {
      await fc.assert(
        fc.asyncProperty(race, async race => {
          const { prefix, store } = await run(race)
          await store.recover()
          const sides = await readSides(prefix)
          for (const { edge, state } of sides.values()) {
            if (edge.name === 'likes') continue
            const mirror = mirrorOf(edge)
            const other = sides.get(`${mirror.source} ${mirror.name} ${mirror.target}`)
            expect(other?.state, `the mirror of ${edge.source} ${edge.name} ${edge.target}`).toEqual(state)
          }
          expect((await store.recover()).notes, 'a second recovery finds nothing').toBe(0)
          await store.close()
        }),
        { numRuns: RUNS },
      )
    })

    it('leave nothing but numbers and generations that expire, after all nodes are deleted', async () => {
      await fc.assert(
        fc.asyncProperty(race, async race => {
          const { prefix, store } = await run(race)
          await store.recover()
          await store.write(
            IDS.map(id => ({ op: 'deleteNode' as const, id })),
            { signal: undefined },
          )
          await store.recover()
          for (const key of await server.admin.keys(`${prefix}*`))
            expect([key, await server.admin.ttl(key)]).toEqual([key, expect.any(Number)])
          const lasting = (await server.admin.keys(`${prefix}*`)).filter(key => !/\}[tz]$/.test(key))
          expect(lasting).toEqual([])
          await store.close()
        }),
        { numRuns: RUNS / 2 },
      )
    })
  },
)
