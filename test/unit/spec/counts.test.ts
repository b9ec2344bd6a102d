import { createGraph } from 'kithgraph'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { ADA, createWorldStore, NEWEST_FIRST, SCOPES } from '../../helpers/world.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'
import { HIDDEN_NOTE, openNotes, VISIBLE_NOTE } from './note-world.ts'
import {
  openLists,
  sourceId,
  timeAt,
  VIEWER,
  visibleAt,
  visibleEvery,
  visiblePosts,
} from './visible-lists.ts'

const quarter = visibleEvery(4, 400)
const total = visiblePosts(quarter).length
const newest = 'reverse_chronological'

describe('the count of a list with hidden entries', () => {
  it('includes all visible entries, whatever the page', async () => {
    const { readPage } = await openLists([quarter])
    const after = (await readPage({ limit: 30 })).paging?.cursors.after
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
      expect((await readPage({ ...call, summary: true })).summary, JSON.stringify(call)).toEqual({
        order: newest,
        total_count: total,
      })
    }
    const order = 'chronological'
    expect((await readPage({ order, summary: true })).summary).toEqual({ order, total_count: total })
  })

  it.each([0, 1, 24, 25, 26, 27, 60])('is exact for %d visible entries', async length => {
    const { readPage } = await openLists([
      visibleEvery(3, 3 * length),
      [...visibleEvery(1, length), ...visibleAt(30)],
      [...visibleAt(30), ...visibleEvery(1, length)],
    ])
    for (const list of [0, 1, 2]) {
      expect((await readPage({ id: sourceId(list), summary: true })).summary).toEqual({
        order: newest,
        total_count: length,
      })
    }
  })

  it('does not change the entries and cursors of the page', async () => {
    const { readPage } = await openLists([quarter])
    for (const limit of [1, 26, 100]) {
      const { summary: _, paging, ...page } = await readPage({ limit, summary: true })
      const bare = await readPage({ limit })
      expect(page.data).toEqual(bare.data)
      expect(paging?.cursors).toEqual(bare.paging?.cursors)
    }
  })

  it('is returned for each list of getEdges and of a nested edge', async () => {
    const lists = [quarter, visibleEvery(2, 30), visibleAt(20), visibleAt(0)]
    const { graph, viewer } = await openLists(lists)
    const counts = lists.map((list, index) => visiblePosts(list, index).length)
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

  it('fails the call if the page and the count examine one edge more than the scan limit', async () => {
    const page = { limit: 5, summary: true }
    // The page ends with the sixth visible entry, the 21st of the list; the count examines all 400.
    const { readPage: readShortPage } = await openLists([quarter], { limits: { scan: 420 } })
    expect((await expectGraphError(readShortPage(page))).toJSON().error.error_data).toEqual({
      reason: 'query_too_expensive',
      limit: 420,
    })
    const { readPage: readRichPage } = await openLists([quarter], { limits: { scan: 421 } })
    expect((await readRichPage(page)).summary?.total_count).toBe(total)
  })

  it('fails the call without a read beyond the page if it would exceed the scan limit', async () => {
    const { readPage, store } = await openLists([visibleEvery(1, 400)], { limits: { scan: 405 } })
    store.clear()
    await expectGraphError(readPage({ limit: 5, summary: true }))
    expect(store.reads.reduce((rows, read) => rows + read.rows, 0)).toBe(1 + 6)
    const { readPage: readRichPage } = await openLists([visibleEvery(1, 400)], { limits: { scan: 406 } })
    expect((await readRichPage({ limit: 5, summary: true })).summary?.total_count).toBe(400)
  })

  it('reads no edge twice if the page has read the whole list', async () => {
    const { readPage, store } = await openLists([visibleEvery(2, 24)])
    store.clear()
    expect((await readPage({ limit: 25, summary: true })).summary?.total_count).toBe(12)
    expect(store.reads.reduce((rows, read) => rows + read.rows, 0)).toBe(1 + 24)
  })

  it('reads at most a few of the edges of the page again', async () => {
    const { readPage, store } = await openLists([visibleEvery(2, 400)])
    store.clear()
    expect((await readPage({ limit: 5, summary: true })).summary?.total_count).toBe(200)
    const rows = store.reads.reduce((sum, read) => sum + read.rows, 0)
    expect(rows).toBeGreaterThanOrEqual(1 + 400)
    expect(rows).toBeLessThan(1 + 400 + 20)
  })

  it('is the same as for a list of only the visible entries', async () => {
    const bare = await openLists([visibleEvery(1, 100)])
    const { readPage } = await openLists([[...visibleEvery(1, 50), ...visibleAt(77), ...visibleEvery(1, 50)]])
    const { summary } = await readPage({ limit: 10, summary: true })
    expect(summary).toEqual((await bare.readPage({ limit: 10, summary: true })).summary)
  })
})

describe('the count of a list without a policy', () => {
  it('is read from the store together with the page, without a read of the other entries', async () => {
    const store = countReads(await createWorldStore())
    const graph = createGraph(store)
    const ada = graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES })
    const page = await graph.getEdge(ada, { id: ADA, edge: 'photos', limit: 5, summary: true })
    expect(page.summary).toEqual({ order: newest, total_count: NEWEST_FIRST.length })
    expect(store.reads.map(({ request, rows }) => [request.ranges, rows])).toEqual([
      [[expect.objectContaining({ name: 'photos', limit: 5, count: true })], 1 + 5],
    ])
  })

  it('is read from the store even if another list of the call is under a policy', async () => {
    const { graph, store, viewer } = await openLists([visibleEvery(2, 10)])
    store.clear()
    const fields = 'follows.summary(true).limit(1){posts.limit(2).summary(true){id}}'
    await graph.getNode(viewer, { id: VIEWER, type: 'person', fields })
    const ranges = store.reads
      .flatMap(({ request }) => request.ranges)
      .filter(({ name }) => name === 'follows')
    expect(ranges).toEqual([expect.objectContaining({ limit: 1, count: true })])
  })

  it('is not requested from the store if the call requests no summary', async () => {
    const store = countReads(await createWorldStore())
    const graph = createGraph(store)
    const ada = graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES })
    expect(await graph.getEdge(ada, { id: ADA, edge: 'photos' })).not.toHaveProperty('summary')
    expect(store.reads[0]?.request.ranges).toEqual([expect.objectContaining({ count: false })])
  })
})

describe('the count of a list that the policy of its edge hides', () => {
  it('is 0 without a read of the list', async () => {
    const { graph, ann, store } = await openNotes({ answers: [] })
    store.clear()
    const empty = { data: [], summary: { order: newest, total_count: 0 } }
    expect(
      await graph.getNode(ann, { id: VISIBLE_NOTE, type: 'note', fields: 'answers.summary(true)' }),
    ).toEqual({
      answers: empty,
      id: VISIBLE_NOTE,
    })
    expect(store.reads.flatMap(({ request }) => request.ranges)).toEqual([])
    expect(await graph.getEdge(ann, { id: VISIBLE_NOTE, edge: 'answers', summary: true })).toEqual(empty)
    expect(
      await graph.getEdges(ann, { ids: [VISIBLE_NOTE, HIDDEN_NOTE], edge: 'answers', summary: true }),
    ).toEqual({
      [VISIBLE_NOTE]: empty,
      [HIDDEN_NOTE]: empty,
    })
  })
})
