import fc, { type Arbitrary } from 'fast-check'
import { createGraph, isGraphError } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RangeResult, Store } from '../../src/store/contract.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { createRange } from '../../src/testing/records.ts'
import { createAppIdOptions, createIdMapper } from '../helpers/app-id-options.ts'
import { worlds } from '../helpers/graph-arbitraries.ts'
import { listsOf } from '../helpers/naive-graph/edge-parameters.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { createSchema, toMutations } from '../helpers/open-world.ts'
import { type Caller, callVariants, type Probe, recordTranscript, withIds } from '../helpers/probes.ts'
import { worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { readDumpLines } from '../helpers/read-dump-lines.ts'
import { drawInTurn, overrideScan } from '../helpers/scan-overrides.ts'
import { IDS } from '../helpers/schema-arbitraries.ts'
import { availableEngines, type StoreEngine } from '../helpers/store-engines.ts'
import {
  batchSeeds,
  createMutations,
  type GraphMutation,
  withDeclaredData,
} from '../helpers/write-arbitraries.ts'
import { propertySettings } from '../property/property-settings.ts'

const ANY_TIME = { signal: undefined, deadline: undefined, minRevision: undefined }
const NOW = Date.UTC(2014, 7, 4)

/** A world and its turns. Each turn runs a probe before and after the write of a batch. */
type AgreementCase = {
  readonly world: World
  readonly turns: readonly { readonly probe: Probe; readonly batch: readonly GraphMutation[] }[]
  /** Whether the viewer has a token of the store, which is revoked in the last turn. */
  readonly byToken: boolean
  /** Whether ids are app-scoped. */
  readonly scoped: boolean
  readonly snapshots: boolean
  readonly limits: { readonly scan: number | undefined; readonly cost: number | undefined }
}

const maybe = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 })

const agreementCases: Arbitrary<AgreementCase> = fc
  .record({
    worldWithCalls: fc.oneof(
      worldsWithCalls({ ids: 'digits', hasErrors: true }),
      worldsWithCalls({ ids: 'digits', hasPolicies: true }),
      worldsWithCalls({ ids: 'digits', hasPolicies: true, hasErrors: true }),
    ),
    variants: fc.array(callVariants, { minLength: 5, maxLength: 5 }),
    batches: fc.array(batchSeeds, { minLength: 5, maxLength: 5 }),
    byToken: fc.boolean(),
    scoped: fc.boolean(),
    snapshots: fc.boolean(),
    limits: fc.record({
      scan: maybe(fc.integer({ min: 1, max: 10 })),
      cost: maybe(fc.integer({ min: 1, max: 200 })),
    }),
  })
  .map(({ worldWithCalls: { world, calls }, variants, batches, ...options }) => {
    const turns = calls.flatMap((callSpec, index) => {
      const [variant, batch] = [variants[index], batches[index]]
      return variant && batch ? [{ probe: { callSpec, variant }, batch: createMutations(world, batch) }] : []
    })
    return { ...options, world, turns }
  })

/** Returns the outcome of a call as text: its result, or its error without the trace id. */
const captureText = async (call: () => Promise<unknown>): Promise<string> => {
  try {
    return JSON.stringify({ result: await call() })
  } catch (error) {
    if (!isGraphError(error)) throw error
    return JSON.stringify({ error: { ...error.toJSON().error, fbtrace_id: '' } })
  }
}

/** Returns a cursor of an earlier page. The list may have changed since then. */
const findCursor = (texts: readonly string[]): string | undefined =>
  /"(?:after|before)":"([^"]+)"/.exec(texts.join())?.[1]

const runCaseProbe = async (
  caller: Caller,
  { callSpec, variant }: Probe,
  { mapId, earlier }: { readonly mapId: (id: string) => string; readonly earlier: readonly string[] },
): Promise<readonly string[]> => {
  const probe = { callSpec: withIds(callSpec, mapId), variant }
  const cursor = variant.seed % 3 === 0 ? findCursor(earlier) : undefined
  return recordTranscript(caller, probe, { ids: [...IDS, '404'].map(mapId), cursor })
}

/** Runs a case on an open store, and returns all results of its reads and writes as texts. */
const runCase = async (
  { world, turns, byToken, scoped, snapshots, limits }: AgreementCase,
  store: Store,
): Promise<readonly string[]> => {
  await store.write(toMutations(world), { signal: undefined })
  const { appIds, secret } = createAppIdOptions()
  const app = appIds.forApp('tests')
  const graph = createGraph(store, {
    schema: createSchema(world.schema),
    secret,
    limits,
    now: () => NOW,
    consistency: snapshots && store.capabilities.snapshots ? 'snapshot' : 'read',
    ...(scoped && { appIds }),
  })
  // A fixed draw, because otherwise the same call would have a different limit on each store.
  overrideScan(graph, { drawUniform: drawInTurn(0.5) })
  const { viewer, scopes } = world
  const session = graph.session({ viewer, app: 'tests', scopes })
  const token = byToken
    ? await graph.tokens.issue({ viewer, app: 'tests', scopes }).catch(() => undefined)
    : undefined
  const caller = { graph, session: token ?? session }
  const mapId = createIdMapper([world], id => (scoped ? app.toPublic(id) : id))
  const texts: string[] = []
  for (const [turn, { probe, batch }] of turns.entries()) {
    texts.push(...(await runCaseProbe(caller, probe, { mapId, earlier: texts })))
    texts.push(await captureText(() => graph.write(batch)))
    if (token !== undefined && turn === turns.length - 1) await graph.tokens.revoke(token)
    texts.push(...(await runCaseProbe(caller, probe, { mapId, earlier: texts })))
  }
  if (token !== undefined) texts.push(await captureText(() => graph.tokens.inspect(token)))
  return [...texts, ...(await readStates(store, world))]
}

/** Reads all nodes and lists that a world can have from a store, as texts. */
const readStates = async (store: Store, { schema }: World): Promise<readonly string[]> => {
  const names = new Set(Object.values(schema.types).flatMap(type => [...listsOf(type).keys()]))
  const ranges = IDS.flatMap(id => [...names].map(name => createRange(id, name, { limit: 100, count: true })))
  const state = await store.read({ ...EMPTY_REQUEST, nodes: IDS, ranges }, ANY_TIME)
  return [...state.nodes, ...state.ranges].map(part => JSON.stringify(part) ?? 'nothing')
}

/** Runs a case on a store, and closes the store. */
const runOnStore = async (agreementCase: AgreementCase, store: Store): Promise<readonly string[]> => {
  try {
    await store.open()
    // The store is open already, and the graph must not open it again.
    return await runCase(agreementCase, delegateStore(store, { open: () => {} }))
  } finally {
    await store.close()
  }
}

const compareStores = async (agreementCase: AgreementCase, store: Store): Promise<void> => {
  const expected = await runOnStore(agreementCase, createMemoryStore())
  expect(await runOnStore(agreementCase, store)).toEqual(expected)
}

const isLong = process.env.KITHGRAPH_LONG !== undefined
/** Writes to a cluster wait long for its replicas, so the cluster takes part only in long runs. */
const kinds = availableEngines('that all stores return the same', { every: isLong }).filter(
  ({ name }) => isLong || name !== 'Redis Cluster',
)

describe.each(kinds)('a graph on $name', ({ start }) => {
  let engine: StoreEngine
  beforeAll(async () => {
    engine = await start()
  })
  afterAll(() => engine?.stop())

  it('returns the same results and errors as in memory, after any writes', async () => {
    await fc.assert(
      fc.asyncProperty(agreementCases, one => compareStores(one, engine.create())),
      propertySettings(12, 200),
    )
  })

  it('contains the data of a dump after one or two loads, and its own dump is the same', async () => {
    await fc.assert(
      fc.asyncProperty(worlds({ ids: 'digits' }), async world => {
        const memory = createMemoryStore()
        memory.write(toMutations({ ...world, edges: world.edges.map(edge => withDeclaredData(world, edge)) }))
        const store = engine.create()
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

  /** Stores that sometimes differ from the memory store. */
  const differences: { readonly [name: string]: (store: Store) => Store } = {
    'ids that were converted to numbers': store =>
      sabotageRanges(store, ({ entries }) => ({
        entries: entries.map(entry => ({ ...entry, target: `${BigInt(Number(entry.target))}` })),
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
      fc.asyncProperty(agreementCases, one => compareStores(one, createMemoryStore())),
      propertySettings(),
    ))

  it.each(Object.entries(differences))('detects a difference: %s', async (_name, wrap) => {
    const { failed } = await fc.check(
      fc.asyncProperty(agreementCases, one => compareStores(one, wrap(createMemoryStore()))),
      { ...propertySettings(1000), endOnFailure: true },
    )
    expect(failed).toBe(true)
  })
})
