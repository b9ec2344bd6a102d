import { describe, expect, it } from 'vitest'
import type { EdgeSlice, Store } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { idsOf, oneIn, openLists, postId, seenAt, seenOf, sourceId, timeAt, VIEWER } from './sifted-lists.ts'

const quarter = oneIn(4, 400)
const seen = seenOf(quarter)
const { graph, viewer, askPage, walk } = await openLists([quarter])

describe('a page of a list of which the viewer may see a part', () => {
  it('is full', async () => {
    const page = await askPage()
    expect(idsOf(page)).toEqual(seen.slice(0, 25))
    expect(Object.keys(page.paging ?? {})).toEqual(['cursors', 'next'])
  })

  it('begins and ends with what is answered: its cursors are those of the same list without the hidden', async () => {
    const bare = await openLists([seenAt(400, ...quarter.keys())])
    const of = async (place: number) =>
      (await bare.askPage({ limit: 1, until: new Date(timeAt(place)) })).paging?.cursors
    const { paging } = await askPage()
    expect(paging?.cursors).toEqual({ before: (await of(0))?.before, after: (await of(96))?.after })
  })

  it('has a next where there is a further entry to be seen, and not for the hidden', async () => {
    const { askPage } = await openLists([seenAt(300, 3, 50, 200)])
    expect(await askPage({ limit: 2 })).toMatchObject({ paging: { next: expect.any(String) } })
    const whole = await askPage({ limit: 3 })
    expect(idsOf(whole)).toEqual([3, 50, 200].map(place => postId(0, place)))
    expect(Object.keys(whole.paging ?? {})).toEqual(['cursors'])
  })

  it('is like that of an empty list where nothing is to be seen', async () => {
    const { askPage } = await openLists([seenAt(300)])
    expect(await askPage({ debug: 'all' })).toEqual({ data: [], __debug__: { messages: [] } })
    expect(await askPage({ order: 'chronological' })).toEqual({ data: [] })
  })

  it('is full in front of a cursor, and has a previous where there is more', async () => {
    const { paging } = await askPage({ until: new Date(timeAt(200)), limit: 1 })
    const before = paging?.cursors.before
    const page = await askPage({ before, limit: 20 })
    expect(idsOf(page)).toEqual(seen.slice(30, 50))
    expect(Object.keys(page.paging ?? {})).toEqual(['cursors', 'previous', 'next'])
    const start = await askPage({ before, limit: 50 })
    expect(idsOf(start)).toEqual(seen.slice(0, 50))
    expect(Object.keys(start.paging ?? {})).toEqual(['cursors', 'next'])
  })

  it('is full in the order asked for', async () => {
    expect(idsOf(await askPage({ order: 'chronological' }))).toEqual(seen.toReversed().slice(0, 25))
  })

  it('keeps to its times', async () => {
    const window = { since: new Date(timeAt(200)), until: new Date(timeAt(100)) }
    expect(idsOf(await askPage({ ...window, limit: 10 }))).toEqual(seen.slice(25, 35))
    const whole = await askPage({ ...window, limit: 30 })
    expect(idsOf(whole)).toEqual(seen.slice(25, 51))
    expect(whole.paging).not.toHaveProperty('next')
    const ordered = await askPage({ ...window, order: 'chronological', limit: 5 })
    expect(idsOf(ordered)).toEqual(seen.slice(46, 51).toReversed())
  })

  it.each([1, 7, 25, 99, 100])(
    'joins with the others to all that is to be seen, %d at a time',
    async limit => {
      const forth = await walk('next', await askPage({ limit }))
      expect(forth.flat()).toEqual(seen)
      expect(forth.slice(0, -1).every(({ length }) => length === limit)).toBe(true)
      const end = await askPage({ limit, order: 'chronological' })
      expect((await walk('next', end)).flat()).toEqual(seen.toReversed())
    },
  )

  it('joins backwards too', async () => {
    const { paging } = await askPage({ until: new Date(timeAt(396)), limit: 1 })
    const end = await askPage({ before: paging?.cursors.before, limit: 9 })
    const back = await walk('previous', end)
    expect(back.reverse().flat()).toEqual(seen.slice(0, -1))
  })

  it('is walked by iterateEdge', async () => {
    const ids = []
    const call = { id: sourceId(0), type: 'person', edge: 'posts', fields: 'id', limit: 30 } as const
    for await (const { id } of graph.iterateEdge(viewer, call)) ids.push(id)
    expect(ids).toEqual(seen)
  })
})

describe('pages of several lists', () => {
  const lists = [oneIn(1, 60), oneIn(2, 60), oneIn(7, 60), seenAt(60), oneIn(3, 5)]

  it('are full, each for itself', async () => {
    const { graph, viewer } = await openLists(lists)
    const ids = lists.map((_, index) => sourceId(index))
    const answer = await graph.getEdges(viewer, {
      ids,
      type: 'person',
      edge: 'posts',
      limit: 8,
      fields: 'id',
    })
    expect(ids.map(id => answer[id]?.data.map(({ id }) => id))).toEqual(
      lists.map((list, index) => seenOf(list, index).slice(0, 8)),
    )
    expect(ids.map(id => answer[id]?.paging?.next !== undefined)).toEqual([true, true, true, false, false])
  })

  it('are full below an edge, and their links go on', async () => {
    const { graph, viewer, follow } = await openLists(lists)
    const fields = 'follows{posts.limit(8){id}}'
    const { follows } = await graph.getNode(viewer, { id: VIEWER, type: 'person', fields })
    const pages = follows.data.map(({ posts }) => posts)
    expect(pages.map(({ data }) => data.map(({ id }) => id))).toEqual(
      lists.map((list, index) => seenOf(list, index).slice(0, 8)),
    )
    expect(idsOf(await follow(pages[1]?.paging?.next ?? ''))).toEqual(seenOf(lists[1] ?? [], 1).slice(8, 16))
  })
})

describe('a store that answers less than was asked', () => {
  /** At most two entries a range, and at every other time none, with the place where to go on. */
  const stingy = (store: Store): Store => {
    let asked = 0
    const shorten = (slice: EdgeSlice): EdgeSlice => {
      const entries = slice.entries.slice(0, 2)
      const more = slice.more || entries.length < slice.entries.length
      const end = entries.at(-1) ?? slice.end
      return { ...slice, more, end, entries: asked++ % 2 === 0 ? entries : [] }
    }
    return delegateStore(store, {
      read: async (wave, options) => {
        const answer = await store.read(wave, options)
        return { ...answer, ranges: answer.ranges.map(shorten) }
      },
    })
  }

  it('gives full pages of what it answers', async () => {
    const { askPage } = await openLists([oneIn(1, 40)], { wrap: stingy })
    const ids = seenOf(oneIn(1, 40)).filter((_, place) => place % 4 < 2)
    const page = await askPage({ limit: 9 })
    expect(idsOf(page)).toEqual(ids.slice(0, 9))
    expect(page.paging?.next).toBeDefined()
  })
})
