import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EdgeRange, RangeResult, Store, StoreReadResult } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { createAppIdOptions } from '../helpers/app-id-options.ts'
import { inheritingWorlds } from '../helpers/inheriting-worlds.ts'
import { filterWorld, type VisibleWorld } from '../helpers/naive-graph/visible-world.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { compareWithNaive } from './naive-comparison.ts'
import { propertySettings } from './property-settings.ts'

describe('a graph has the same results as the naive reference graph', () => {
  it('for valid calls, and for the pages before and after each page', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls(), ({ world, calls }) => compareWithNaive(world, calls)),
      propertySettings(50, 2000),
    )
  })

  it('for a viewer with hidden nodes, as if these did not exist', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls({ hasPolicies: true }), ({ world, calls }) =>
        compareWithNaive(world, calls),
      ),
      propertySettings(50, 2000),
    )
  })

  it('for a viewer whose nodes inherit their visibility, under rules about roles', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls({ from: inheritingWorlds }), ({ world, calls }) =>
        compareWithNaive(world, calls),
      ),
      propertySettings(60, 2000),
    )
  })

  it('for an app with app-scoped ids', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls({ hasPolicies: true }), ({ world, calls }) =>
        compareWithNaive(world, calls, createAppIdOptions()),
      ),
      propertySettings(100),
    )
  })

  it('for invalid calls, with the same error even if a call has several mistakes', async () => {
    await fc.assert(
      fc.asyncProperty(
        worldsWithCalls({ hasErrors: true, hasPolicies: true }),
        fc.integer({ min: 1, max: 200 }),
        ({ world, calls }, cost) => compareWithNaive(world, calls, { cost }),
      ),
      propertySettings(50, 2000),
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

/** Wraps a store so that the entries of further orders and collections are wrong. */
const sabotageEntries = (
  store: Store,
  wrong: (range: EdgeRange, rangeResult: RangeResult) => Partial<RangeResult>,
): Store =>
  delegateStore(store, {
    read: async (request, options) => {
      const result = await store.read(request, options)
      const ranges = result.ranges.map((rangeResult, index) => {
        const range = request.ranges[index]
        const isDerived = range?.source === 'root' || range?.name.includes('#')
        return range && isDerived ? { ...rangeResult, ...wrong(range, rangeResult) } : rangeResult
      })
      return { ...result, ranges }
    },
  })

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
    'collections and orders without their last entry': store =>
      sabotageEntries(store, (_range, { entries }) => ({ entries: entries.slice(0, -1) })),
    'the times of edges lost in their orders': store =>
      sabotageEntries(store, (_range, { entries }) => ({
        entries: entries.map(entry => {
          const { '#time': _, ...data } = entry.data ?? {}
          return { ...entry, data }
        }),
      })),
    'orders by a field in the order of times': store =>
      delegateStore(store, {
        read: (request, options) => {
          const ranges = request.ranges.map(range => ({ ...range, name: range.name.split('#')[0] ?? '' }))
          return store.read({ ...request, ranges }, options)
        },
      }),
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
      fc.asyncProperty(worldsWithCalls(), ({ world, calls }) => compareWithNaive(world, calls, { wrap })),
      { ...propertySettings(3000), endOnFailure: true },
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
    'policies of the viewer’s own edge ignored': () => ({ isEdgeVisible: () => true }),
    'one visible edge lost': world => ({ edges: filterWorld(world).edges.slice(1) }),
  }

  it.each(Object.entries(leaks))('finds a leak or a loss: %s', async (_name, leak) => {
    const worlds = fc.oneof(
      worldsWithCalls({ hasPolicies: true }),
      worldsWithCalls({ from: inheritingWorlds }),
    )
    const { failed } = await fc.check(
      fc.asyncProperty(worlds, ({ world, calls }) =>
        compareWithNaive(world, calls, { visible: { ...filterWorld(world), ...leak(world) } }),
      ),
      { ...propertySettings(3000), endOnFailure: true },
    )
    expect(failed).toBe(true)
  })
})
