import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EdgeRange, RangeResult, Store, StoreReadResult } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { createAppIdOptions, createIdMapper } from '../helpers/app-id-options.ts'
import { callGraph, callNaiveGraph, captureOutcome } from '../helpers/call-graph.ts'
import { CursorTranslator } from '../helpers/naive-graph/cursor-translator.ts'
import { NaiveGraph } from '../helpers/naive-graph/naive-graph.ts'
import { printItems } from '../helpers/naive-graph/query.ts'
import { Cursor } from '../helpers/naive-graph/result-parts.ts'
import { filterWorld, type VisibleWorld } from '../helpers/naive-graph/visible-world.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { type OpenWorldOptions, openWorld } from '../helpers/open-world.ts'
import { withIds } from '../helpers/probes.ts'
import { type CallSpec, worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { propertySettings } from './property-settings.ts'

type OpenedWorld = Awaited<ReturnType<typeof openWorld>>
type EdgeCallSpec = CallSpec & { readonly method: 'getEdge' }

/** Returns the cursors of a page of the naive graph. */
const cursorsIn = (page: object): readonly (readonly ['after' | 'before', Cursor])[] => {
  const { paging } = Object.assign({ paging: { cursors: {} } }, page)
  return Object.entries(paging.cursors).flatMap(([name, cursor]) =>
    cursor instanceof Cursor && (name === 'after' || name === 'before') ? [[name, cursor] as const] : [],
  )
}

/**
 * Compares the results of a graph with those of the naive graph as texts, so that the order of keys matters.
 */
class Comparison {
  readonly #openedWorld: OpenedWorld
  readonly #naive: NaiveGraph
  readonly #cursors = new CursorTranslator()

  constructor(opened: OpenedWorld, naive: NaiveGraph) {
    this.#openedWorld = opened
    this.#naive = naive
  }

  async compareCall(callSpec: CallSpec): Promise<void> {
    const { graph, session } = this.#openedWorld
    const outcome = await captureOutcome(() => callGraph(graph, session, callSpec))
    const naive = await captureOutcome(() => callNaiveGraph(this.#naive, callSpec))
    const expected = this.#cursors.translate(naive, outcome)
    // For several ids, the order of the keys is not defined.
    if (callSpec.method === 'getNodes') expect(outcome).toEqual(expected)
    else expect(JSON.stringify(outcome)).toBe(JSON.stringify(expected))
    if (callSpec.method === 'getEdge' && 'result' in naive)
      await this.#compareNeighbours(callSpec, Object(naive.result))
  }

  /** Compares the pages before and after a page. */
  async #compareNeighbours(callSpec: EdgeCallSpec, page: object): Promise<void> {
    const { graph, session } = this.#openedWorld
    const { method: _, style, fields: items, ...call } = callSpec
    const fields = items.length === 0 ? undefined : printItems(items, style)
    for (const [side, cursor] of cursorsIn(page)) {
      const text = this.#cursors.textOf(cursor)
      const result = await graph.getEdge(session, { ...call, fields, [side]: text })
      const naive = this.#naive.getEdge({ ...callSpec, [side]: cursor.position })
      expect(JSON.stringify(result)).toBe(JSON.stringify(this.#cursors.translate(naive, result)))
    }
  }
}

type CompareOptions = OpenWorldOptions & {
  readonly cost?: number | undefined
  readonly visible?: VisibleWorld | undefined
}

const compare = async (
  world: World,
  calls: readonly CallSpec[],
  { cost, visible, ...options }: CompareOptions = {},
): Promise<void> => {
  const limits = { cost }
  const opened = await openWorld(world, { limits, ...options })
  const toPublic = options.appIds?.forApp('tests').toPublic.bind(options.appIds.forApp('tests'))
  const comparison = new Comparison(opened, new NaiveGraph(world, { cost, toPublic, visible }))
  const mapId = createIdMapper([world], toPublic ?? (id => id))
  for (const callSpec of calls) await comparison.compareCall(withIds(callSpec, mapId))
}

describe('a graph has the same results as the naive reference graph', () => {
  it('for valid calls, and for the pages before and after each page', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls(), ({ world, calls }) => compare(world, calls)),
      propertySettings(200),
    )
  })

  it('for a viewer with hidden nodes, as if these did not exist', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls({ hasPolicies: true }), ({ world, calls }) => compare(world, calls)),
      propertySettings(200),
    )
  })

  it('for an app with app-scoped ids', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls({ hasPolicies: true }), ({ world, calls }) =>
        compare(world, calls, createAppIdOptions()),
      ),
      propertySettings(100),
    )
  })

  it('for invalid calls, with the same error even if a call has several mistakes', async () => {
    await fc.assert(
      fc.asyncProperty(
        worldsWithCalls({ hasErrors: true, hasPolicies: true }),
        fc.integer({ min: 1, max: 200 }),
        ({ world, calls }, cost) => compare(world, calls, { cost }),
      ),
      propertySettings(200),
    )
  })
})

/** Wraps a store so that a part of its results is wrong. */
const sabotageResults = (store: Store, wrong: (result: StoreReadResult) => Partial<StoreReadResult>): Store =>
  delegateStore(store, {
    read: async (request, options) => {
      const result = await store.read(request, options)
      return { ...result, ...wrong(result) }
    },
  })

const sabotageRanges = (store: Store, wrong: (rangeResult: RangeResult) => Partial<RangeResult>): Store =>
  sabotageResults(store, ({ ranges }) => ({
    ranges: ranges.map(rangeResult => ({ ...rangeResult, ...wrong(rangeResult) })),
  }))

/** Wraps a store so that it reads other ranges than the requested ones. */
const sabotageRequests = (store: Store, wrong: Partial<EdgeRange>): Store =>
  delegateStore(store, {
    read: (request, options) =>
      store.read({ ...request, ranges: request.ranges.map(range => ({ ...range, ...wrong })) }, options),
  })

describe('the comparison with the naive reference graph', () => {
  const sabotages: { readonly [name: string]: (store: Store) => Store } = {
    'the entries of a page reversed': store =>
      sabotageRanges(store, ({ entries }) => ({ entries: entries.toReversed() })),
    'the last entry of a page missing': store =>
      sabotageRanges(store, ({ entries }) => ({ entries: entries.slice(0, -1), hasMore: false })),
    'no page with a next page': store => sabotageRanges(store, () => ({ hasMore: false })),
    'counts off by one': store =>
      sabotageRanges(store, ({ total }) => ({ total: total === undefined ? undefined : total + 1 })),
    'times off by a second': store =>
      sabotageRanges(store, ({ entries }) => ({
        entries: entries.map(entry => ({ ...entry, time: entry.time + 1000 })),
      })),
    'data of edges lost': store =>
      sabotageRanges(store, ({ entries }) => ({
        entries: entries.map(entry => ({ ...entry, data: undefined })),
      })),
    'since ignored': store => sabotageRequests(store, { minTime: undefined }),
    'until ignored': store => sabotageRequests(store, { maxTime: undefined }),
    'cursors ignored': store => sabotageRequests(store, { from: undefined }),
    'only one direction': store => sabotageRequests(store, { direction: 'newest' }),
    'checks inverted': store =>
      sabotageResults(store, ({ checks }) => ({ checks: checks.map(found => !found) })),
    'nodes in the wrong order': store =>
      sabotageResults(store, ({ nodes }) => ({ nodes: nodes.toReversed() })),
  }

  it.each(Object.entries(sabotages))('finds a store with a defect: %s', async (_name, wrap) => {
    const { failed } = await fc.check(
      fc.asyncProperty(worldsWithCalls(), ({ world, calls }) => compare(world, calls, { wrap })),
      { ...propertySettings(500), endOnFailure: true },
    )
    expect(failed).toBe(true)
  })

  /** The parts of a world that a viewer sees through a graph with a leak or a loss. */
  const leaks: { readonly [name: string]: (world: World) => Partial<VisibleWorld> } = {
    'hidden nodes shown if they are requested': ({ nodes }) => ({ nodes }),
    'hidden entries counted, but not shown': ({ edges }) => ({ edges }),
    'policies of edges ignored': world => {
      const ids = filterWorld(world).nodes.map(({ id }) => id)
      return {
        edges: world.edges.filter(({ source, target }) => ids.includes(source) && ids.includes(target)),
      }
    },
    'policies of fields ignored': () => ({ isFieldVisible: () => true }),
    'one visible edge lost': world => ({ edges: filterWorld(world).edges.slice(1) }),
  }

  it.each(Object.entries(leaks))('finds a leak or a loss: %s', async (_name, leak) => {
    const { failed } = await fc.check(
      fc.asyncProperty(worldsWithCalls({ hasPolicies: true }), ({ world, calls }) =>
        compare(world, calls, { visible: { ...filterWorld(world), ...leak(world) } }),
      ),
      { ...propertySettings(500), endOnFailure: true },
    )
    expect(failed).toBe(true)
  })
})
