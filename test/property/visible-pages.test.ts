import fc from 'fast-check'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import type { EdgeSlice, Store } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { outcomeOf } from '../helpers/ask.ts'
import { asked, idsOf } from './edge-lists.ts'
import {
  budgets,
  endOf,
  HALF,
  isSealed,
  OWNER,
  openPolicedList,
  pagesOf,
  policedLists,
  visibleIn,
  visibleWholeOf,
  walk,
  ways,
} from './policed-lists.ts'
import { settings } from './settings.ts'

const joined = (wrap?: (store: Store) => Store) =>
  fc.asyncProperty(policedLists, asked, ways, async (list, asked, way) => {
    const pages = await pagesOf(walk(await openPolicedList(list, { wrap }), way, asked, {}))
    expect(pages.flatMap(idsOf)).toEqual(visibleWholeOf(list, asked))
    const sizes = pages.slice(0, -1).map(({ data }) => data.length)
    expect(sizes).toEqual(sizes.map(() => asked.limit))
    expect(pages.slice(1).every(({ data }) => data.length > 0)).toBe(true)
    expect(pages.some(({ paging }) => isSealed(paging?.cursors.after))).toBe(false)
  })

describe('the pages of a list of which much is hidden', () => {
  it('joined are all that is visible, and all but the last are full', async () => {
    await fc.assert(joined(), settings(150))
  })

  it('lead back to the beginning, each of them full but the first of the list', async () => {
    await fc.assert(
      fc.asyncProperty(policedLists, asked, ways, async (list, asked, way) => {
        const before = await endOf(list, asked)
        if (before === undefined) return
        const pages = (await pagesOf(walk(await openPolicedList(list), way, asked, { before }))).toReversed()
        expect(pages.flatMap(idsOf)).toEqual(visibleWholeOf(list, asked).slice(0, -1))
        expect(pages.slice(1).every(({ data }) => data.length === asked.limit)).toBe(true)
        expect(pages.every(({ data, paging }) => data.length === 0 || paging?.next !== undefined)).toBe(true)
        expect(pages.some(({ paging }) => isSealed(paging?.cursors.before))).toBe(false)
      }),
      settings(150),
    )
  })

  it('count what is visible of the whole list, wherever they are in it', async () => {
    await fc.assert(
      fc.asyncProperty(policedLists, asked, ways, async (list, asked, way) => {
        const pages = await pagesOf(walk(await openPolicedList(list), way, asked, {}))
        const counts = pages.map(({ summary }) => summary?.total_count)
        expect(counts).toEqual(counts.map(() => visibleIn(list).length))
      }),
      settings(150),
    )
  })
})

describe('the law of pages finds', () => {
  /** What a store answers wrongly to the passes behind the first: to ranges that begin within a list. */
  const behindTheFirst = (store: Store, wrong: (slice: EdgeSlice) => Partial<EdgeSlice>): Store =>
    delegateStore(store, {
      read: async (wave, options) => {
        const answer = await store.read(wave, options)
        const ranges = answer.ranges.map((slice, index) =>
          wave.ranges[index]?.from === undefined ? slice : { ...slice, ...wrong(slice) },
        )
        return { ...answer, ranges }
      },
    })

  const sabotages: { readonly [name: string]: (store: Store) => Store } = {
    'a pass that loses its first entry': store =>
      behindTheFirst(store, ({ entries }) => ({ entries: entries.slice(1) })),
    'a pass after which no other comes': store => behindTheFirst(store, () => ({ more: false })),
    'rules that are told of no edge': store =>
      delegateStore(store, {
        read: async (wave, options) => {
          const answer = await store.read(wave, options)
          return { ...answer, tests: answer.tests.map(() => false) }
        },
      }),
  }

  it.each(Object.entries(sabotages))('%s', async (_name, wrap) => {
    const { failed } = await fc.check(joined(wrap), { ...settings(200), endOnFailure: true })
    expect(failed).toBe(true)
  })
})

describe('where a scan budget ends', () => {
  it('the pages still join to all that is visible, forwards and by iterateEdge', async () => {
    await fc.assert(
      fc.asyncProperty(policedLists, asked, ways, budgets, async (list, asked, way, limits) => {
        const opened = await openPolicedList(list, { limits })
        const pages = await pagesOf(walk(opened, way, asked, {}))
        expect(pages.flatMap(idsOf)).toEqual(visibleWholeOf(list, asked))
        expect(await opened.iterate(asked)).toEqual(visibleWholeOf(list, asked))
        for (const { data, paging } of pages) {
          if (data.length < asked.limit && paging?.next !== undefined) {
            expect(isSealed(paging.cursors.after)).toBe(true)
            expect(paging.next).toContain(`after=${paging.cursors.after}`)
          }
          if (data.length === 0 && paging !== undefined) {
            expect(Object.keys(paging.cursors)).toEqual(['after'])
          }
        }
      }),
      settings(200),
    )
  })

  it('the pages still join to all that is visible, backwards', async () => {
    await fc.assert(
      fc.asyncProperty(policedLists, asked, ways, budgets, async (list, asked, way, limits) => {
        const before = await endOf(list, asked)
        if (before === undefined) return
        const pages = await pagesOf(walk(await openPolicedList(list, { limits }), way, asked, { before }))
        expect(pages.toReversed().flatMap(idsOf)).toEqual(visibleWholeOf(list, asked).slice(0, -1))
        for (const { data, paging } of pages) {
          if (data.length < asked.limit && paging?.previous !== undefined) {
            expect(isSealed(paging.cursors.before)).toBe(true)
            expect(paging.previous).toContain(`before=${paging.cursors.before}`)
          }
        }
      }),
      settings(200),
    )
  })

  it('a cursor that was sealed holds for its own list and viewer alone', async () => {
    await fc.assert(
      fc.asyncProperty(policedLists, asked, async (list, asked) => {
        const { graph, session, ways } = await openPolicedList(list, { limits: { scan: 1 } })
        const { paging } = await ways.call(asked, {})
        const after = paging?.cursors.after
        if (after === undefined || !isSealed(after)) return
        const other = graph.session({ viewer: OWNER, app: 'tests', scopes: [] })
        const call = { edge: 'likes', order: asked.order, after }
        expect(await outcomeOf(() => graph.getEdge(session, { ...call, id: OWNER }))).toHaveProperty('answer')
        const refused = { fault: 'bad_parameter' }
        expect(await outcomeOf(() => graph.getEdge(session, { ...call, id: HALF }))).toEqual(refused)
        expect(await outcomeOf(() => graph.getEdge(other, { ...call, id: OWNER }))).toEqual(refused)
      }),
      settings(50),
    )
  })

  it('a count is left out or right', async () => {
    await fc.assert(
      fc.asyncProperty(policedLists, asked, ways, budgets, async (list, asked, way, limits) => {
        const pages = await pagesOf(walk(await openPolicedList(list, { limits }), way, asked, {}))
        const counts = pages.flatMap(({ summary }) => summary?.total_count ?? [])
        expect(counts).toEqual(counts.map(() => visibleIn(list).length))
      }),
      settings(100),
    )
  })

  it('no page has examined more edges of its list than it may, twice that with its count', async () => {
    await fc.assert(
      fc.asyncProperty(policedLists, asked, fc.integer({ min: 1, max: 20 }), async (list, asked, scan) => {
        const counted: ReturnType<typeof countReads>[] = []
        const wrap = (store: Store) => {
          const one = countReads(store)
          counted.push(one)
          return one
        }
        const opened = await openPolicedList(list, { limits: { scan }, wrap })
        for await (const _ of walk(opened, 'call', asked, {})) {
          const reads = counted.flatMap(({ reads }) => reads)
          const examined = reads.reduce((sum, { rows, asked }) => sum + (asked.ranges > 0 ? rows : 0), 0)
          // The owner of the list is read with its first entries.
          expect(examined - 1).toBeLessThanOrEqual(2 * scan)
          for (const store of counted) store.clear()
        }
      }),
      settings(100),
    )
  })
})
