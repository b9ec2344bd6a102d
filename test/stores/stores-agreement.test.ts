import fc from 'fast-check'
import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RangeResult, Store } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { agreementCases, compareCase, readStates } from '../helpers/agreement-cases.ts'
import { createAppIdOptions } from '../helpers/app-id-options.ts'
import { worlds } from '../helpers/graph-arbitraries.ts'
import { digitsOf, kindOfWorld } from '../helpers/id-kinds.ts'
import { createSchema, toMutations } from '../helpers/open-world.ts'
import { readDumpLines } from '../helpers/read-dump-lines.ts'
import { availableEngines, type StoreEngine } from '../helpers/store-engines.ts'
import { toWritableWorld } from '../helpers/write-arbitraries.ts'
import { propertySettings } from '../property/property-settings.ts'

const isLong = process.env.KITHGRAPH_LONG !== undefined
/** Writes to a cluster wait long for its replicas, so the cluster takes part only in long runs. */
const kinds = availableEngines('that all stores return the same', { every: isLong }).filter(
  ({ name }) => isLong || name !== 'Redis Cluster',
)

describe.each(kinds)('a graph on $name', ({ ids, start }) => {
  let engine: StoreEngine
  beforeAll(async () => {
    engine = await start()
  })
  afterAll(() => engine?.stop())

  it('returns the same results and errors as in memory, after any writes', async () => {
    await fc.assert(
      fc.asyncProperty(agreementCases(ids), one => compareCase(one, kind => engine.create(kind))),
      propertySettings(12, 200),
    )
  })

  it('contains the data of a dump after one or two loads, and its own dump is the same', async () => {
    await fc.assert(
      fc.asyncProperty(worlds({ ids }), async world => {
        const memory = createMemoryStore()
        memory.write(toMutations(toWritableWorld(world)))
        const store = engine.create(kindOfWorld(world))
        const { secret } = createAppIdOptions()
        const graph = createGraph(store, { schema: createSchema(world.schema), secret })
        for (const _ of ['once', 'twice']) {
          await graph.load(memory.dump(), { batch: 7 })
          expect(await readStates(store, world)).toEqual(await readStates(memory, world))
        }
        const back = createMemoryStore()
        await createGraph(back, { schema: createSchema(world.schema) }).load(await store.dump())
        expect(await readDumpLines(back.dump())).toEqual(await readDumpLines(memory.dump()))
        await graph.close()
      }),
      propertySettings(5, 100),
    )
  })
})

describe('the comparison of stores', () => {
  const sabotageRanges = (store: Store, wrong: (rangeResult: RangeResult) => Partial<RangeResult>): Store =>
    delegateStore(store, {
      read: async (request, options) => {
        const result = await store.read(request, options)
        return {
          ...result,
          ranges: result.ranges.map(rangeResult => ({ ...rangeResult, ...wrong(rangeResult) })),
        }
      },
    })

  /** Returns an id whose digits a number has rounded. */
  const roundId = (id: string): string => {
    const digits = digitsOf(id)
    return id.slice(0, -digits.length) + BigInt(Number(digits))
  }

  /** Stores that sometimes differ from the memory store. */
  const differences: { readonly [name: string]: (store: Store) => Store } = {
    'ids that were converted to numbers': store =>
      sabotageRanges(store, ({ entries }) => ({
        entries: entries.map(entry => ({ ...entry, target: roundId(entry.target) })),
      })),
    'edges that were written without data and have data': store =>
      sabotageRanges(store, ({ entries }) => ({
        entries: entries.map(({ data = { role: 'guest' }, ...entry }) => ({ ...entry, data })),
      })),
    'counts that writes do not change': store => {
      const totals = new Map<string, number | undefined>()
      return delegateStore(store, {
        read: async (request, options) => {
          const result = await store.read(request, options)
          const ranges = result.ranges.map((rangeResult, index) => {
            const { source, name } = request.ranges[index] ?? {}
            const key = JSON.stringify([source, name])
            if (rangeResult.total !== undefined && !totals.has(key)) totals.set(key, rangeResult.total)
            return rangeResult.total === undefined ? rangeResult : { ...rangeResult, total: totals.get(key) }
          })
          return { ...result, ranges }
        },
      })
    },
    'patches that are lost': store =>
      delegateStore(store, {
        write: (mutations, options) =>
          store.write(
            mutations.filter(({ op }) => op !== 'patchNode'),
            options,
          ),
      }),
    'tokens that are valid although they are revoked': store =>
      delegateStore(store, {
        read: async (request, options) => {
          const result = await store.read(request, options)
          const tokens = result.tokens.map(token => token && { ...token, revokedAt: undefined })
          return { ...result, tokens }
        },
      }),
  }

  it('passes if there is no difference', () =>
    fc.assert(
      fc.asyncProperty(agreementCases(), one => compareCase(one, createMemoryStore)),
      propertySettings(),
    ))

  it.each(Object.entries(differences))('detects a difference: %s', async (_name, wrap) => {
    const { failed } = await fc.check(
      fc.asyncProperty(agreementCases(), one => compareCase(one, () => wrap(createMemoryStore()))),
      { ...propertySettings(1000), endOnFailure: true },
    )
    expect(failed).toBe(true)
  })
})
