import { createGraph } from 'kithgraph'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { ADA, NEWEST_FIRST, SCOPES, worldStore } from '../../helpers/world.ts'
import { faultOf } from '../abuse/fault-of.ts'
import { oneIn, openLists, seenAt, seenOf, sourceId, timeAt, VIEWER } from './sifted-lists.ts'
import { HIDDEN, openNotes, SEEN } from './two-notes.ts'

const quarter = oneIn(4, 400)
const total = seenOf(quarter).length
const newest = 'reverse_chronological'

describe('the count of a list of which the viewer may see a part', () => {
  it('is of what may be seen, whatever the page', async () => {
    const { askPage } = await openLists([quarter])
    const after = (await askPage({ limit: 30 })).paging?.cursors.after
    const calls = [
      { limit: 1 },
      { limit: 25 },
      { limit: 100 },
      { after, limit: 5 },
      { before: after, limit: 5 },
      { since: new Date(timeAt(40)) },
      { until: new Date(timeAt(400)) },
      { since: new Date(timeAt(80)), until: new Date(timeAt(40)), limit: 3 },
    ]
    for (const call of calls) {
      expect((await askPage({ ...call, summary: true })).summary, JSON.stringify(call)).toEqual({
        order: newest,
        total_count: total,
      })
    }
    const order = 'chronological'
    expect((await askPage({ order, summary: true })).summary).toEqual({ order, total_count: total })
  })

  it.each([0, 1, 24, 25, 26, 27, 60])(
    'is exact for a list of %d that are seen, between hidden ones',
    async length => {
      const { askPage } = await openLists([
        oneIn(3, 3 * length),
        [...oneIn(1, length), ...seenAt(30)],
        [...seenAt(30), ...oneIn(1, length)],
      ])
      for (const list of [0, 1, 2]) {
        expect((await askPage({ id: sourceId(list), summary: true })).summary).toEqual({
          order: newest,
          total_count: length,
        })
      }
    },
  )

  it('does not change the page', async () => {
    const { askPage } = await openLists([quarter])
    for (const limit of [1, 26, 100]) {
      const { summary: _, paging, ...page } = await askPage({ limit, summary: true })
      const bare = await askPage({ limit })
      expect(page.data).toEqual(bare.data)
      expect(paging?.cursors).toEqual(bare.paging?.cursors)
    }
  })

  it('is given for each list of several, and below an edge', async () => {
    const lists = [quarter, oneIn(2, 30), seenAt(20), seenAt(0)]
    const { graph, viewer } = await openLists(lists)
    const counts = lists.map((list, index) => seenOf(list, index).length)
    const ids = lists.map((_, index) => sourceId(index))
    const many = await graph.getEdges(viewer, {
      ids,
      type: 'person',
      edge: 'posts',
      summary: true,
      fields: 'id',
    })
    expect(ids.map(id => many[id]?.summary?.total_count)).toEqual(counts)
    const fields = 'follows{posts.limit(2).summary(true){id}}'
    const { follows } = await graph.getNode(viewer, { id: VIEWER, type: 'person', fields })
    expect(follows.data.map(({ posts }) => posts.summary?.total_count)).toEqual(counts)
  })

  it('is exact or the call fails: one edge more than may be examined is too many', async () => {
    const page = { limit: 5, summary: true }
    // The page ends with the sixth that is seen, in the 21st place; all 400 count for the count.
    const { askPage: askShort } = await openLists([quarter], { limits: { scan: 420 } })
    expect((await faultOf(askShort(page))).data).toEqual({ reason: 'too_costly', limit: 420 })
    const { askPage: askRich } = await openLists([quarter], { limits: { scan: 421 } })
    expect((await askRich(page)).summary?.total_count).toBe(total)
  })

  it('is not begun where it cannot be ended', async () => {
    const { askPage, store } = await openLists([oneIn(1, 400)], { limits: { scan: 405 } })
    store.clear()
    await faultOf(askPage({ limit: 5, summary: true }))
    expect(store.reads.reduce((rows, read) => rows + read.rows, 0)).toBe(1 + 6)
    const { askPage: askRich } = await openLists([oneIn(1, 400)], { limits: { scan: 406 } })
    expect((await askRich({ limit: 5, summary: true })).summary?.total_count).toBe(400)
  })

  it('reads no edge twice where the page has seen them all', async () => {
    const { askPage, store } = await openLists([oneIn(2, 24)])
    store.clear()
    expect((await askPage({ limit: 25, summary: true })).summary?.total_count).toBe(12)
    expect(store.reads.reduce((rows, read) => rows + read.rows, 0)).toBe(1 + 24)
  })

  it('goes on where the page has stopped', async () => {
    const { askPage, store } = await openLists([oneIn(2, 400)])
    store.clear()
    expect((await askPage({ limit: 5, summary: true })).summary?.total_count).toBe(200)
    const rows = store.reads.reduce((sum, read) => sum + read.rows, 0)
    expect(rows).toBeGreaterThanOrEqual(1 + 400)
    expect(rows).toBeLessThan(1 + 400 + 20)
  })

  it('tells nothing of the hidden: it is the same with them and without', async () => {
    const bare = await openLists([oneIn(1, 100)])
    const { askPage } = await openLists([[...oneIn(1, 50), ...seenAt(77), ...oneIn(1, 50)]])
    const { summary } = await askPage({ limit: 10, summary: true })
    expect(summary).toEqual((await bare.askPage({ limit: 10, summary: true })).summary)
  })
})

describe('the count of a list under no policy', () => {
  it('is asked of the store, and no entry is read for it', async () => {
    const store = countReads(await worldStore())
    const graph = createGraph(store)
    const ada = graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES })
    const page = await graph.getEdge(ada, { id: ADA, edge: 'photos', limit: 5, summary: true })
    expect(page.summary).toEqual({ order: newest, total_count: NEWEST_FIRST.length })
    expect(store.reads.map(({ wave, rows }) => [wave.ranges, rows])).toEqual([
      [[expect.objectContaining({ name: 'photos', limit: 5, count: true })], 1 + 5],
    ])
  })

  it('is so beside lists that are under one', async () => {
    const { graph, store, viewer } = await openLists([oneIn(2, 10)])
    store.clear()
    const fields = 'follows.summary(true).limit(1){posts.limit(2).summary(true){id}}'
    await graph.getNode(viewer, { id: VIEWER, type: 'person', fields })
    const ranges = store.reads.flatMap(({ wave }) => wave.ranges).filter(({ name }) => name === 'follows')
    expect(ranges).toEqual([expect.objectContaining({ limit: 1, count: true })])
  })

  it('is not asked for unless a summary is', async () => {
    const store = countReads(await worldStore())
    const graph = createGraph(store)
    const ada = graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES })
    expect(await graph.getEdge(ada, { id: ADA, edge: 'photos' })).not.toHaveProperty('summary')
    expect(store.reads[0]?.wave.ranges).toEqual([expect.objectContaining({ count: false })])
  })
})

describe('the count of a list that may not be seen', () => {
  it('is 0, and the store is not asked for it', async () => {
    const { graph, ann, store } = await openNotes({ answers: [] })
    store.clear()
    const empty = { data: [], summary: { order: newest, total_count: 0 } }
    expect(await graph.getNode(ann, { id: SEEN, type: 'note', fields: 'answers.summary(true)' })).toEqual({
      answers: empty,
      id: SEEN,
    })
    expect(store.reads.flatMap(({ wave }) => wave.ranges)).toEqual([])
    expect(await graph.getEdge(ann, { id: SEEN, edge: 'answers', summary: true })).toEqual(empty)
    expect(await graph.getEdges(ann, { ids: [SEEN, HIDDEN], edge: 'answers', summary: true })).toEqual({
      [SEEN]: empty,
      [HIDDEN]: empty,
    })
  })
})
