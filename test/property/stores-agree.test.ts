import fc, { type Arbitrary } from 'fast-check'
import { createGraph, isGraphError } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EdgeSlice, Store } from '../../src/store/contract.ts'
import { NOTHING } from '../../src/store/nothing.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { rangeOf } from '../../src/testing/records.ts'
import { dumpedLines } from '../helpers/dumped-lines.ts'
import { type Engine, engineKinds } from '../helpers/every-store.ts'
import { MISSING_ID, worlds } from '../helpers/graph-arbitraries.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { recordsOf, schemaOf } from '../helpers/open-world.ts'
import { manners, type Probe, type Prober, transcriptOf, withIds } from '../helpers/probes.ts'
import { nameIn, scopedOptions } from '../helpers/public-ids.ts'
import { inquiries } from '../helpers/query-arbitraries.ts'
import { drawing, replaceSeams } from '../helpers/scan-seams.ts'
import { IDS } from '../helpers/schema-arbitraries.ts'
import { type BatchWrite, mutationsFor, rawBatch, writable } from '../helpers/write-arbitraries.ts'
import { settings } from './settings.ts'

const ANY_TIME = { signal: undefined, deadline: undefined, atLeast: undefined }
const NOW = Date.UTC(2014, 7, 4)

/** A world, and what is asked of it: each question twice, before a batch is written and behind it. */
type Story = {
  readonly world: World
  readonly turns: readonly { readonly probe: Probe; readonly batch: readonly BatchWrite[] }[]
  /** Whether the viewer comes with a token of the store, which is revoked before the last question is asked again. */
  readonly byToken: boolean
  /** Whether ids are scoped to the app. */
  readonly scoped: boolean
  readonly snapshots: boolean
  readonly limits: { readonly scan: number | undefined; readonly cost: number | undefined }
}

const maybe = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 })

const stories: Arbitrary<Story> = fc
  .record({
    inquiry: fc.oneof(
      inquiries({ faults: true }),
      inquiries({ policed: true }),
      inquiries({ policed: true, faults: true }),
    ),
    manners: fc.array(manners, { minLength: 5, maxLength: 5 }),
    batches: fc.array(rawBatch, { minLength: 5, maxLength: 5 }),
    byToken: fc.boolean(),
    scoped: fc.boolean(),
    snapshots: fc.boolean(),
    limits: fc.record({
      scan: maybe(fc.integer({ min: 1, max: 10 })),
      cost: maybe(fc.integer({ min: 1, max: 200 })),
    }),
  })
  .map(({ inquiry: { world, asked }, manners, batches, ...story }) => {
    const turns = asked.flatMap((question, index) => {
      const [manner, batch] = [manners[index], batches[index]]
      return manner && batch ? [{ probe: { question, manner }, batch: mutationsFor(world, batch) }] : []
    })
    return { ...story, world, turns }
  })

/** What a call comes to, as text: its answer, or its fault without the trace id. */
const textOf = async (call: () => Promise<unknown>): Promise<string> => {
  try {
    return JSON.stringify({ answer: await call() })
  } catch (error) {
    if (!isGraphError(error)) throw error
    return JSON.stringify({ error: { ...error.toJSON().error, fbtrace_id: '' } })
  }
}

/** A place in a list as an earlier page told it: writes may have changed since what is there. */
const cursorIn = (texts: readonly string[]): string | undefined =>
  /"(?:after|before)":"([^"]+)"/.exec(texts.join())?.[1]

const probed = async (
  prober: Prober,
  { question, manner }: Probe,
  { named, learned }: { readonly named: (id: string) => string; readonly learned: readonly string[] },
): Promise<readonly string[]> => {
  const probe = { question: withIds(question, named), manner }
  const cursor = manner.other % 3 === 0 ? cursorIn(learned) : undefined
  return transcriptOf(prober, probe, { ids: [...IDS, MISSING_ID].map(named), cursor })
}

/** Plays a story on an open store: all that those who write and those who read get to know, as texts. */
const play = async (
  { world, turns, byToken, scoped, snapshots, limits }: Story,
  store: Store,
): Promise<readonly string[]> => {
  await store.write(recordsOf(world), { signal: undefined })
  const { appIds, secret } = scopedOptions()
  const app = appIds.forApp('tests')
  const graph = createGraph(store, {
    schema: schemaOf(world.schema),
    secret,
    limits,
    now: () => NOW,
    consistency: snapshots && store.capabilities.snapshots ? 'snapshot' : 'wave',
    ...(scoped && { appIds }),
  })
  // Otherwise the same call could end at another limit in each store.
  replaceSeams(graph, { drawUniform: drawing(0.5) })
  const { viewer, scopes } = world
  const session = graph.session({ viewer, app: 'tests', scopes })
  const token = byToken
    ? await graph.tokens.issue({ viewer, app: 'tests', scopes }).catch(() => undefined)
    : undefined
  const prober = { graph, session: token ?? session }
  const named = nameIn([world], id => (scoped ? app.toPublic(id) : id))
  const texts: string[] = []
  for (const [turn, { probe, batch }] of turns.entries()) {
    texts.push(...(await probed(prober, probe, { named, learned: texts })))
    texts.push(await textOf(() => graph.write(batch)))
    if (token !== undefined && turn === turns.length - 1) await graph.tokens.revoke(token)
    texts.push(...(await probed(prober, probe, { named, learned: texts })))
  }
  if (token !== undefined) texts.push(await textOf(() => graph.tokens.inspect(token)))
  return [...texts, ...(await statesIn(store, world))]
}

/** What a store holds of the nodes and lists that there may be in a world. */
const statesIn = async (store: Store, { schema }: World): Promise<readonly string[]> => {
  const names = new Set(Object.values(schema.types).flatMap(({ edges }) => Object.keys(edges)))
  const ranges = IDS.flatMap(id => [...names].map(name => rangeOf(id, name, { limit: 100, count: true })))
  const state = await store.read({ ...NOTHING, nodes: IDS, ranges }, ANY_TIME)
  return [...state.nodes, ...state.ranges].map(part => JSON.stringify(part) ?? 'nothing')
}

/** Plays a story on a store that is closed afterwards. */
const playOn = async (story: Story, store: Store): Promise<readonly string[]> => {
  try {
    await store.open()
    // The graph would open it again.
    return await play(story, delegateStore(store, { open: () => {} }))
  } finally {
    await store.close()
  }
}

const agree = async (story: Story, store: Store): Promise<void> => {
  const expected = await playOn(story, createMemoryStore())
  expect(await playOn(story, store)).toEqual(expected)
}

const kinds = engineKinds('that all stores answer alike', { every: process.env.KITHGRAPH_LONG !== undefined })

describe.each(kinds)('a graph on $name', ({ start }) => {
  let engine: Engine
  beforeAll(async () => {
    engine = await start()
  })
  afterAll(() => engine?.stop())

  it('answers to the byte what it answers in memory, faults too, whatever is written in between', async () => {
    await fc.assert(
      fc.asyncProperty(stories, story => agree(story, engine.create())),
      settings(12, 200),
    )
  })

  it('holds what the memory store holds, once its dump was loaded, twice even, and gives it back', async () => {
    await fc.assert(
      fc.asyncProperty(worlds(), async world => {
        const memory = createMemoryStore()
        memory.write(recordsOf({ ...world, edges: world.edges.map(edge => writable(world, edge)) }))
        const store = engine.create()
        const { secret } = scopedOptions()
        const graph = createGraph(store, { schema: schemaOf(world.schema), secret })
        for (const _ of ['once', 'twice']) {
          await graph.load(memory.dump(), { batch: 7 })
          expect(await statesIn(store, world)).toEqual(await statesIn(memory, world))
        }
        const back = createMemoryStore()
        await createGraph(back, { schema: schemaOf(world.schema) }).load(await store.dump())
        expect(await dumpedLines(back.dump())).toEqual(await dumpedLines(memory.dump()))
        await graph.close()
      }),
      settings(5, 100),
    )
  })
})

describe('the comparison finds', () => {
  const slices = (store: Store, wrong: (slice: EdgeSlice) => Partial<EdgeSlice>): Store =>
    delegateStore(store, {
      read: async (wave, options) => {
        const answer = await store.read(wave, options)
        return { ...answer, ranges: answer.ranges.map(slice => ({ ...slice, ...wrong(slice) })) }
      },
    })

  /** Stores that differ from that in memory now and then. */
  const differences: { readonly [name: string]: (store: Store) => Store } = {
    'ids that were numbers on the way': store =>
      slices(store, ({ entries }) => ({
        entries: entries.map(entry => ({ ...entry, target: `${BigInt(Number(entry.target))}` })),
      })),
    'edges that nobody wrote data to and that have some': store =>
      slices(store, ({ entries }) => ({
        entries: entries.map(({ data = { role: 'guest' }, ...entry }) => ({ ...entry, data })),
      })),
    'counts that writes leave as they are': store => {
      const totals = new Map<string, number | undefined>()
      return delegateStore(store, {
        read: async (wave, options) => {
          const answer = await store.read(wave, options)
          const ranges = answer.ranges.map((slice, index) => {
            const { source, name } = wave.ranges[index] ?? {}
            const key = JSON.stringify([source, name])
            if (slice.total !== undefined && !totals.has(key)) totals.set(key, slice.total)
            return slice.total === undefined ? slice : { ...slice, total: totals.get(key) }
          })
          return { ...answer, ranges }
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
    'tokens that stay revoked in vain': store =>
      delegateStore(store, {
        read: async (wave, options) => {
          const answer = await store.read(wave, options)
          const tokens = answer.tokens.map(token => token && { ...token, revokedAt: undefined })
          return { ...answer, tokens }
        },
      }),
  }

  it('nothing where there is no difference', () =>
    fc.assert(
      fc.asyncProperty(stories, story => agree(story, createMemoryStore())),
      settings(),
    ))

  it.each(Object.entries(differences))('%s', async (_name, wrap) => {
    const { failed } = await fc.check(
      fc.asyncProperty(stories, story => agree(story, wrap(createMemoryStore()))),
      { ...settings(1000), endOnFailure: true },
    )
    expect(failed).toBe(true)
  })
})
