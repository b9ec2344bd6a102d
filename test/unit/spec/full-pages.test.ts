import { describe, expect, it } from 'vitest'
import type { RangeResult, Store } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import {
  idsOf,
  openLists,
  postId,
  sourceId,
  timeAt,
  VIEWER,
  visibleAt,
  visibleEvery,
  visiblePosts,
} from './visible-lists.ts'

const quarter = visibleEvery(4, 400)
const seen = visiblePosts(quarter)
const { graph, viewer, readPage, walk } = await openLists([quarter])

describe('a page of a list with hidden entries', () => {
  it('is full and has no hidden entries', async () => {
    const page = await readPage()
    expect(idsOf(page)).toEqual(seen.slice(0, 25))
    expect(Object.keys(page.paging ?? {})).toEqual(['cursors', 'next'])
  })

  it('has the cursors of its first and last visible entry', async () => {
    const bare = await openLists([visibleAt(400, ...quarter.keys())])
    const of = async (position: number) =>
      (await bare.readPage({ limit: 1, until: new Date(timeAt(position)) })).paging?.cursors
    const { paging } = await readPage()
    expect(paging?.cursors).toEqual({ before: (await of(0))?.before, after: (await of(96))?.after })
  })

  it('has a next link only if a visible entry follows', async () => {
    const { readPage } = await openLists([visibleAt(300, 3, 50, 200)])
    expect(await readPage({ limit: 2 })).toMatchObject({ paging: { next: expect.any(String) } })
    const whole = await readPage({ limit: 3 })
    expect(idsOf(whole)).toEqual([3, 50, 200].map(position => postId(0, position)))
    expect(Object.keys(whole.paging ?? {})).toEqual(['cursors'])
  })

  it('is like the page of an empty list if all entries are hidden', async () => {
    const { readPage } = await openLists([visibleAt(300)])
    expect(await readPage({ debug: 'all' })).toEqual({ data: [], __debug__: { messages: [] } })
    expect(await readPage({ order: 'chronological' })).toEqual({ data: [] })
  })

  it('is full before a cursor, with a previous link if more visible entries precede it', async () => {
    const { paging } = await readPage({ until: new Date(timeAt(200)), limit: 1 })
    const before = paging?.cursors.before
    const page = await readPage({ before, limit: 20 })
    expect(idsOf(page)).toEqual(seen.slice(30, 50))
    expect(Object.keys(page.paging ?? {})).toEqual(['cursors', 'previous', 'next'])
    const start = await readPage({ before, limit: 50 })
    expect(idsOf(start)).toEqual(seen.slice(0, 50))
    expect(Object.keys(start.paging ?? {})).toEqual(['cursors', 'next'])
  })

  it('is full in the requested order', async () => {
    expect(idsOf(await readPage({ order: 'chronological' }))).toEqual(seen.toReversed().slice(0, 25))
  })

  it('is full within its time window', async () => {
    const window = { since: new Date(timeAt(200)), until: new Date(timeAt(100)) }
    expect(idsOf(await readPage({ ...window, limit: 10 }))).toEqual(seen.slice(25, 35))
    const whole = await readPage({ ...window, limit: 30 })
    expect(idsOf(whole)).toEqual(seen.slice(25, 51))
    expect(whole.paging).not.toHaveProperty('next')
    const ordered = await readPage({ ...window, order: 'chronological', limit: 5 })
    expect(idsOf(ordered)).toEqual(seen.slice(46, 51).toReversed())
  })

  it.each([1, 7, 25, 99, 100])(
    'contains all visible entries together with the following pages, at a limit of %d',
    async limit => {
      const forth = await walk('next', await readPage({ limit }))
      expect(forth.flat()).toEqual(seen)
      expect(forth.slice(0, -1).every(({ length }) => length === limit)).toBe(true)
      const oldest = await readPage({ limit, order: 'chronological' })
      expect((await walk('next', oldest)).flat()).toEqual(seen.toReversed())
    },
  )

  it('contains all visible entries together with the previous pages', async () => {
    const { paging } = await readPage({ until: new Date(timeAt(396)), limit: 1 })
    const nearest = await readPage({ before: paging?.cursors.before, limit: 9 })
    const back = await walk('previous', nearest)
    expect(back.reverse().flat()).toEqual(seen.slice(0, -1))
  })

  it('is followed by all further visible entries in iterateEdge', async () => {
    const ids = []
    const call = { id: sourceId(0), type: 'person', edge: 'posts', fields: 'id', limit: 30 } as const
    for await (const { id } of graph.iterateEdge(viewer, call)) ids.push(id)
    expect(ids).toEqual(seen)
  })
})

describe('pages of several lists with hidden entries', () => {
  const lists = [
    visibleEvery(1, 60),
    visibleEvery(2, 60),
    visibleEvery(7, 60),
    visibleAt(60),
    visibleEvery(3, 5),
  ]

  it('are full for each list of getEdges', async () => {
    const { graph, viewer } = await openLists(lists)
    const ids = lists.map((_, index) => sourceId(index))
    const result = await graph.getEdges(viewer, {
      ids,
      type: 'person',
      edge: 'posts',
      limit: 8,
      fields: 'id',
    })
    expect(ids.map(id => result[id]?.data.map(({ id }) => id))).toEqual(
      lists.map((list, index) => visiblePosts(list, index).slice(0, 8)),
    )
    expect(ids.map(id => result[id]?.paging?.next !== undefined)).toEqual([true, true, true, false, false])
  })

  it('are full for each nested list, with links to the next entries', async () => {
    const { graph, viewer, follow } = await openLists(lists)
    const fields = 'follows{posts.limit(8){id}}'
    const { follows } = await graph.getNode(viewer, { id: VIEWER, type: 'person', fields })
    const pages = follows.data.map(({ posts }) => posts)
    expect(pages.map(({ data }) => data.map(({ id }) => id))).toEqual(
      lists.map((list, index) => visiblePosts(list, index).slice(0, 8)),
    )
    expect(idsOf(await follow(pages[1]?.paging?.next ?? ''))).toEqual(
      visiblePosts(lists[1] ?? [], 1).slice(8, 16),
    )
  })
})

describe('a store that returns fewer entries than requested', () => {
  /**
   * Creates a store that returns at most two entries per range, for every second range none, and the position
   * to continue from.
   */
  const createShortReadingStore = (store: Store): Store => {
    let readCount = 0
    const shorten = (rangeResult: RangeResult): RangeResult => {
      const entries = rangeResult.entries.slice(0, 2)
      const hasMore = rangeResult.hasMore || entries.length < rangeResult.entries.length
      const lastExamined = entries.at(-1) ?? rangeResult.lastExamined
      return { ...rangeResult, hasMore, lastExamined, entries: readCount++ % 2 === 0 ? entries : [] }
    }
    return delegateStore(store, {
      read: async (request, options) => {
        const result = await store.read(request, options)
        return { ...result, ranges: result.ranges.map(shorten) }
      },
    })
  }

  it('gives full pages of a list of nodes under a policy', async () => {
    const { readPage } = await openLists([visibleEvery(1, 40)], { wrap: createShortReadingStore })
    const ids = visiblePosts(visibleEvery(1, 40)).filter((_, position) => position % 4 < 2)
    const page = await readPage({ limit: 9 })
    expect(idsOf(page)).toEqual(ids.slice(0, 9))
    expect(page.paging?.next).toBeDefined()
  })
})
