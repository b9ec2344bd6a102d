import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RangeResult, Store } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { captureOutcome } from '../helpers/call-graph.ts'
import { countExamined, createSeededDraw } from '../helpers/scan-overrides.ts'
import { idsOf, type PageBoundary } from './edge-lists.ts'
import {
  type Entry,
  filterVisible,
  policyListOptions,
  policyLists,
  readWholeVisible,
} from './policy-entries.ts'
import {
  collectPages,
  findEndCursor,
  isEncrypted,
  openPolicyList,
  type PolicyListPage,
  scanLimits,
  walkPages,
  ways,
} from './policy-lists.ts'
import { propertySettings } from './property-settings.ts'

const readJoined = (wrap?: (store: Store) => Store) =>
  fc.asyncProperty(policyLists, policyListOptions, ways, async (list, listCall, way) => {
    const pages = await collectPages(walkPages(await openPolicyList(list, { wrap }), way, listCall, {}))
    expect(pages.flatMap(idsOf)).toEqual(readWholeVisible(list, listCall))
    const sizes = pages.slice(0, -1).map(({ data }) => data.length)
    expect(sizes).toEqual(sizes.map(() => listCall.limit))
    expect(pages.slice(1).every(({ data }) => data.length > 0)).toBe(true)
    expect(pages.some(({ paging }) => isEncrypted(paging?.cursors.after))).toBe(false)
  })

describe('the pages of a list with many hidden entries', () => {
  it('together contain all entries that are visible and pass the filter, and all pages but the last are full', async () => {
    await fc.assert(readJoined(), propertySettings(80))
  })

  it('together contain all visible entries if they are read backwards, and all pages but the first are full', async () => {
    await fc.assert(
      fc.asyncProperty(policyLists, policyListOptions, ways, async (list, listCall, way) => {
        const before = await findEndCursor(list, listCall)
        if (before === undefined) return
        const pages = (
          await collectPages(walkPages(await openPolicyList(list), way, listCall, { before }))
        ).toReversed()
        expect(pages.flatMap(idsOf)).toEqual(readWholeVisible(list, listCall).slice(0, -1))
        expect(pages.slice(1).every(({ data }) => data.length === listCall.limit)).toBe(true)
        expect(pages.every(({ data, paging }) => data.length === 0 || paging?.next !== undefined)).toBe(true)
        expect(pages.some(({ paging }) => isEncrypted(paging?.cursors.before))).toBe(false)
      }),
      propertySettings(80),
    )
  })

  it('count the entries of the whole list that are visible and pass the filter, wherever the page is', async () => {
    await fc.assert(
      fc.asyncProperty(policyLists, policyListOptions, ways, async (list, listCall, way) => {
        const pages = await collectPages(walkPages(await openPolicyList(list), way, listCall, {}))
        const counts = pages.map(({ summary }) => summary?.total_count)
        expect(counts).toEqual(counts.map(() => filterVisible(list, listCall).length))
      }),
      propertySettings(80),
    )
  })
})

describe('the comparison of pages with all visible entries', () => {
  /** Wraps a store so that later passes have wrong results. Their ranges begin within a list. */
  const sabotageLaterReads = (
    store: Store,
    wrong: (rangeResult: RangeResult) => Partial<RangeResult>,
  ): Store =>
    delegateStore(store, {
      read: async (request, options) => {
        const result = await store.read(request, options)
        const ranges = result.ranges.map((rangeResult, index) =>
          request.ranges[index]?.from === undefined ? rangeResult : { ...rangeResult, ...wrong(rangeResult) },
        )
        return { ...result, ranges }
      },
    })

  const sabotages: { readonly [name: string]: (store: Store) => Store } = {
    'a later read that loses its first entry': store =>
      sabotageLaterReads(store, ({ entries }) => ({ entries: entries.slice(1) })),
    'a later read that ends its list early': store => sabotageLaterReads(store, () => ({ hasMore: false })),
    'checks of policies that never find an edge': store =>
      delegateStore(store, {
        read: async (request, options) => {
          const result = await store.read(request, options)
          return { ...result, checks: result.checks.map(() => false) }
        },
      }),
  }

  it.each(Object.entries(sabotages))('finds a store with a defect: %s', async (_name, wrap) => {
    const { failed } = await fc.check(readJoined(wrap), { ...propertySettings(1000), endOnFailure: true })
    expect(failed).toBe(true)
  })
})

/** Opens a list whose pages may end at limits that are drawn from a seed. They have no count. */
const openLimitedList = (
  list: readonly Entry[],
  { scan, seed }: { readonly scan: number; readonly seed: number },
) => openPolicyList(list, { limits: { scan }, summary: false, drawUniform: createSeededDraw(seed) })

/** The ways whose pages may end at the drawn limit: calls of `getEdge`. */
const limitedWays = fc.constantFrom('call', 'link')

describe('pages of getEdge that may end at a randomly drawn scan limit', () => {
  it('together contain all visible entries if they are read forwards or by iterateEdge', async () => {
    await fc.assert(
      fc.asyncProperty(
        policyLists,
        policyListOptions,
        limitedWays,
        scanLimits,
        async (list, listCall, way, limit) => {
          const opened = await openLimitedList(list, limit)
          const pages = await collectPages(walkPages(opened, way, listCall, {}))
          expect(pages.flatMap(idsOf)).toEqual(readWholeVisible(list, listCall))
          expect(await opened.iterate(listCall)).toEqual(readWholeVisible(list, listCall))
          for (const { data, paging } of pages) {
            if (data.length < listCall.limit && paging?.next !== undefined) {
              expect(isEncrypted(paging.cursors.after)).toBe(true)
              expect(paging.next).toContain(`after=${paging.cursors.after}`)
            }
            if (data.length === 0 && paging !== undefined) {
              expect(Object.keys(paging.cursors)).toEqual(['after'])
            }
          }
        },
      ),
      propertySettings(100),
    )
  })

  it('together contain all visible entries if they are read backwards', async () => {
    await fc.assert(
      fc.asyncProperty(
        policyLists,
        policyListOptions,
        limitedWays,
        scanLimits,
        async (list, listCall, way, limit) => {
          const before = await findEndCursor(list, listCall)
          if (before === undefined) return
          const pages = await collectPages(
            walkPages(await openLimitedList(list, limit), way, listCall, { before }),
          )
          expect(pages.toReversed().flatMap(idsOf)).toEqual(readWholeVisible(list, listCall).slice(0, -1))
          for (const { data, paging } of pages) {
            if (data.length < listCall.limit && paging?.previous !== undefined) {
              expect(isEncrypted(paging.cursors.before)).toBe(true)
              expect(paging.previous).toContain(`before=${paging.cursors.before}`)
            }
          }
        },
      ),
      propertySettings(100),
    )
  })

  it('have an encrypted cursor that is valid only for its own list and viewer', async () => {
    await fc.assert(
      fc.asyncProperty(policyLists, policyListOptions, async (list, listCall) => {
        const { graph, session, ways, ids } = await openLimitedList(list, { scan: 1, seed: 1 })
        const { paging } = await ways.call(listCall, {})
        const after = paging?.cursors.after
        if (after === undefined || !isEncrypted(after)) return
        const other = graph.session({ viewer: ids.owner, app: 'tests', scopes: [] })
        const { order, parameters } = listCall
        const call = { edge: 'likes', order, parameters, after }
        expect(await captureOutcome(() => graph.getEdge(session, { ...call, id: ids.owner }))).toHaveProperty(
          'result',
        )
        const rejected = { reason: 'invalid_parameter' }
        expect(await captureOutcome(() => graph.getEdge(session, { ...call, id: ids.half }))).toEqual(
          rejected,
        )
        expect(await captureOutcome(() => graph.getEdge(other, { ...call, id: ids.owner }))).toEqual(rejected)
      }),
      propertySettings(50),
    )
  })

  it('examine exactly as many edges as the limit if their cursor is encrypted, and otherwise at most as many', async () => {
    await fc.assert(
      fc.asyncProperty(
        policyLists,
        policyListOptions,
        scanLimits,
        fc.nat(9),
        async (list, listCall, { scan }, tenths) => {
          const drawUniform = () => tenths / 10
          const opened = await openPolicyList(list, { limits: { scan }, summary: false, drawUniform })
          const drawn = Math.floor(scan * (1 + tenths / 10))
          const pages: PolicyListPage[] = []
          let where: PageBoundary | undefined = {}
          while (where !== undefined) {
            const from: PageBoundary = where
            const examined = await countExamined(async () => {
              pages.push(await opened.ways.call(listCall, from))
            })
            const { next, cursors } = pages.at(-1)?.paging ?? {}
            if (isEncrypted(cursors?.after)) expect(examined).toBe(drawn)
            else expect(examined).toBeLessThanOrEqual(drawn)
            where = next === undefined ? undefined : { after: cursors?.after }
          }
          expect(pages.flatMap(idsOf)).toEqual(readWholeVisible(list, listCall))
        },
      ),
      propertySettings(100),
    )
  })
})

describe('a call with a count and a randomly drawn scan limit', () => {
  it('fails if it examines more edges than the limit, and otherwise returns the same as without it', async () => {
    const seen = { failed: 0, succeeded: 0 }
    await fc.assert(
      fc.asyncProperty(
        policyLists,
        policyListOptions,
        ways,
        scanLimits,
        async (list, listCall, way, { scan, seed }) => {
          const unlimited = await openPolicyList(list)
          let page: unknown
          const examined = await countExamined(async () => {
            page = await unlimited.ways[way](listCall, {}, undefined)
          })
          const draw = createSeededDraw(seed)()
          const opened = await openPolicyList(list, { limits: { scan }, drawUniform: () => draw })
          const outcome = await captureOutcome(() => opened.ways[way](listCall, {}, undefined))
          const fits = examined <= Math.floor(scan * (1 + draw))
          expect(outcome).toEqual(fits ? { result: page } : { reason: 'query_too_expensive' })
          seen[fits ? 'succeeded' : 'failed']++
        },
      ),
      propertySettings(100),
    )
    expect(Math.min(seen.failed, seen.succeeded)).toBeGreaterThan(5)
  })
})
