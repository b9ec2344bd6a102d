import fc, { type Arbitrary } from 'fast-check'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import type { Mutation, Store } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { outcomeOf } from '../helpers/ask.ts'
import { type Asked, asked, idsOf } from './edge-lists.ts'
import {
  type Budget,
  deleteEntry,
  type Entry,
  entries,
  HALF,
  isSealed,
  OWNER,
  openPolicedList,
  POLICED_WAYS,
  type PolicedPage,
  policedLists,
  putEntry,
  visibleIn,
  visibleWholeOf,
  walk,
} from './policed-lists.ts'
import { settings } from './settings.ts'

const ways = fc.constantFrom(...POLICED_WAYS)

const pagesOf = async (walked: AsyncGenerator<PolicedPage, void>): Promise<PolicedPage[]> => {
  const pages: PolicedPage[] = []
  for await (const page of walked) pages.push(page)
  return pages
}

/** Budgets that end within a page or between two, or in a list beside it. */
const budgets: Arbitrary<Budget> = fc.record({
  scan: fc.integer({ min: 1, max: 20 }),
  scanQuery: fc.constantFrom(1, 20, 100, undefined),
})

/** Where a list is walked from so that all of it is in front, but for its last entry. */
const endOf = async (list: readonly Entry[], asked: Asked): Promise<string | undefined> => {
  const page = await (await openPolicedList(list)).ways.call({ ...asked, limit: 100 }, {})
  return page.paging?.cursors.after
}

describe('the pages of a list of which much is hidden', () => {
  it('joined are all that is visible, and all but the last are full', async () => {
    await fc.assert(
      fc.asyncProperty(policedLists, asked, ways, async (list, asked, way) => {
        const pages = await pagesOf(walk(await openPolicedList(list), way, asked, {}))
        expect(pages.flatMap(idsOf)).toEqual(visibleWholeOf(list, asked))
        const sizes = pages.slice(0, -1).map(({ data }) => data.length)
        expect(sizes).toEqual(sizes.map(() => asked.limit))
        expect(pages.slice(1).every(({ data }) => data.length > 0)).toBe(true)
        expect(pages.some(({ paging }) => isSealed(paging?.cursors.after))).toBe(false)
      }),
      settings(150),
    )
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

/** What is written while a list is walked: an entry comes, changes its time or whether it may be seen, or goes. */
type Change = { readonly op: 'put' | 'deleteEdge' | 'deleteNode'; readonly entry: Entry }

const changes: Arbitrary<readonly (readonly Change[])[]> = fc.array(
  fc.array(fc.record({ op: fc.constantFrom('put', 'put', 'deleteEdge', 'deleteNode'), entry: entries }), {
    maxLength: 4,
  }),
  { maxLength: 12, size: 'max' },
)

const mutationsOf = ({ op, entry }: Change): readonly Mutation[] => {
  if (op === 'put') return putEntry(entry)
  return [op === 'deleteEdge' ? deleteEntry(entry) : { op: 'deleteNode', id: entry.target }]
}

/** What may be seen from the first page to the last, at one time: untouched, or written again just as it was. */
const constantIn = (list: readonly Entry[], made: readonly Change[]): readonly Entry[] =>
  visibleIn(list).filter(entry =>
    made.every(
      ({ op, entry: { target, time, state } }) =>
        target !== entry.target || (op === 'put' && time === entry.time && state === entry.state),
    ),
  )

describe('while entries come, go, move, show and hide before every read of the store', () => {
  it('nothing is lost or doubled that is visible throughout', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ list: policedLists, asked, way: ways, budget: fc.option(budgets, { nil: {} }), changes }),
        fc.boolean(),
        async ({ list, asked, way, budget, changes }, isForward) => {
          const before = isForward ? undefined : await endOf(list, asked)
          const made: Change[] = []
          let turn = 0
          const wrap = (store: Store): Store =>
            delegateStore(store, {
              read: async (wave, options) => {
                const batch = changes[turn++] ?? []
                made.push(...batch)
                await store.write(batch.flatMap(mutationsOf), { signal: undefined })
                return store.read(wave, options)
              },
            })
          const opened = await openPolicedList(list, { limits: budget, wrap })
          const pages = await pagesOf(walk(opened, way, asked, { before }))
          const walked = (isForward || before === undefined ? pages : pages.toReversed()).flatMap(idsOf)
          const constant = visibleWholeOf(constantIn(list, made), asked)
          const last = visibleWholeOf(list, asked).at(-1)
          const expected = before === undefined ? constant : constant.filter(id => id !== last)
          expect(walked.filter(id => expected.includes(id))).toEqual(expected)
        },
      ),
      settings(200),
    )
  })
})
