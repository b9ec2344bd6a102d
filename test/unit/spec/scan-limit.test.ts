import type { GraphEvent } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { countExamined, overrideScan } from '../../helpers/scan-overrides.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'
import {
  idsOf,
  openLists,
  sourceId,
  timeAt,
  VIEWER,
  type Visibility,
  visibleAt,
  visibleEvery,
  visiblePosts,
} from './visible-lists.ts'

/** The largest number below 1. */
const ALMOST_ONE = 1 - 2 ** -32

const SCAN = 100

describe('the scan limit of a call, which is drawn at random', () => {
  /** Reads a list of hidden posts, so that the call examines all of them. */
  const readHidden = async (length: number, draw: number) => {
    const { graph, viewer } = await openLists([visibleAt(length)], { limits: { scan: SCAN }, draw })
    return callUntyped(graph.getNode, viewer, { id: sourceId(0), fields: 'posts{id}' })
  }

  it.each([
    ['limits.scan', 0, SCAN],
    ['1.5 times limits.scan', 0.5, 1.5 * SCAN],
    ['nearly twice limits.scan', ALMOST_ONE, 2 * SCAN - 1],
  ])('is %s if the random number is %d; a call that examines one edge more fails', async (_, draw, limit) => {
    expect(await readHidden(limit, draw)).toEqual({ posts: { data: [] }, id: sourceId(0) })
    expect((await expectGraphError(readHidden(limit + 1, draw))).reason).toBe('query_too_expensive')
  })

  it('is drawn for each call from two new random numbers', async () => {
    const drawn = [0, 1, 0, 0.9]
    const { graph, viewer } = await openLists([visibleAt(1.49 * SCAN)], { limits: { scan: SCAN } })
    overrideScan(graph, { drawUniform: () => drawn.shift() ?? Number.NaN })
    const call = { id: sourceId(0), fields: 'posts{id}' }
    await callUntyped(graph.getNode, viewer, call)
    expect((await expectGraphError(callUntyped(graph.getNode, viewer, call))).reason).toBe(
      'query_too_expensive',
    )
    expect(drawn).toEqual([])
  })

  it('is not drawn for a call that reads only lists without a policy', async () => {
    const { graph, viewer } = await openLists([visibleAt(3)])
    const fail = () => {
      throw new Error('drawn')
    }
    overrideScan(graph, { drawUniform: fail })
    await callUntyped(graph.getNode, viewer, { id: VIEWER, fields: 'follows{id}' })
    await callUntyped(graph.getEdge, viewer, { id: VIEWER, edge: 'follows' })
  })
})

describe('a call that examines more edges than its scan limit', () => {
  const hidden = visibleAt(2 * SCAN)
  const open = () => openLists([visibleAt(5, 0), hidden, visibleAt(5, 0)], { limits: { scan: SCAN } })

  it('fails with a message that names the value of limits.scan, but no list', async () => {
    const { graph, viewer } = await open()
    const error = await expectGraphError(
      callUntyped(graph.getNode, viewer, { id: VIEWER, fields: 'follows{posts{id}}' }),
    )
    expect(error.toJSON().error).toEqual({
      message:
        "(#1) Please reduce the amount of data you're asking for: one call may examine about 100 edges of lists under a policy. Request fewer lists, a shorter time window or no summary, or read the edge alone",
      type: 'OAuthException',
      code: 1,
      error_data: { reason: 'query_too_expensive', limit: SCAN },
      fbtrace_id: expect.any(String),
    })
    expect(error.status).toBe(400)
  })

  it('fails even with partial: true, for the lists of the call itself and for nested lists', async () => {
    const { graph, viewer } = await open()
    const ids = [0, 1, 2].map(sourceId)
    const calls = [
      callUntyped(graph.getNode, viewer, { id: VIEWER, fields: 'follows{posts{id}}', partial: true }),
      callUntyped(graph.getNodes, viewer, { ids, fields: 'posts{id}', partial: true }),
      callUntyped(graph.getEdges, viewer, { ids, edge: 'posts', partial: true }),
      callUntyped(graph.getEdge, viewer, { id: sourceId(1), edge: 'posts', summary: true, partial: true }),
      callUntyped(graph.getEdge, viewer, {
        id: VIEWER,
        edge: 'follows',
        fields: 'posts{id}',
        partial: true,
      }),
    ]
    for (const call of calls) {
      expect((await expectGraphError(call)).toJSON().error.error_data).toEqual({
        reason: 'query_too_expensive',
        limit: SCAN,
      })
    }
  })

  it('fails if all of its lists together exceed the limit', async () => {
    const lists = Array<Visibility>(10).fill(visibleAt(10))
    const fields = 'follows{posts{id}}'
    const rich = await openLists(lists, { limits: { scan: 100 } })
    await callUntyped(rich.graph.getNode, rich.viewer, { id: VIEWER, fields })
    const poor = await openLists(lists, { limits: { scan: 99 } })
    const error = await expectGraphError(callUntyped(poor.graph.getNode, poor.viewer, { id: VIEWER, fields }))
    expect(error.toJSON().error.error_data).toEqual({ reason: 'query_too_expensive', limit: 99 })
  })

  it('does not affect the next call', async () => {
    const { graph, viewer, readPage } = await open()
    await expectGraphError(callUntyped(graph.getNode, viewer, { id: VIEWER, fields: 'follows{posts{id}}' }))
    expect(idsOf(await readPage())).toEqual(visiblePosts([true]))
  })
})

describe('the number of edges that a call examines', async () => {
  const sparse = visibleAt(200, 3, 50, 120, 199)
  const world = await openLists([sparse, visibleEvery(2, 30)], { edges: ['posts', 'drafts'] })
  const { graph, viewer } = world
  const node = (fields: string, id = sourceId(0)) =>
    countExamined(() => callUntyped(graph.getNode, viewer, { id, fields }))
  const page = (call: object) => countExamined(() => world.readPage(call))
  const between = { since: new Date(timeAt(60)), until: new Date(timeAt(40)) }

  it.each([
    ['the entry after the last one of the page', 'posts.limit(1){id}', 51],
    ['the entry after the last one of a longer page', 'posts.limit(2){id}', 121],
    ['the last entry, if it completes the page', 'posts.limit(3){id}', 200],
    ['all entries up to the end of the list', 'posts.limit(4){id}', 200],
    ['each list', 'posts.limit(1){id},drafts.limit(2){id}', 51 + 121],
    ['each alias', 'posts.limit(1).as(a){id},posts.limit(2).as(b){id}', 51 + 121],
    ['the page and the whole list for a count', 'posts.limit(1).summary(true){id}', 51 + 200],
    ['the page up to the end and the whole list for a count', 'posts.limit(9).summary(true){id}', 200 + 200],
    ['no nested list without a policy', 'posts.limit(1){likes{id}}', 51],
    ['no list without a policy', 'follows{id}', 0],
  ])('includes %s: %s', async (_, fields, examined) => {
    expect(await node(fields)).toBe(examined)
  })

  it('includes only the edges of the time window, plus the whole list for a count', async () => {
    expect(await page({ ...between, limit: 5 })).toBe(21)
    expect(await page({ ...between, limit: 5, summary: true })).toBe(21 + 200)
  })

  it('includes only the edges beyond the cursor, plus the whole list for a count', async () => {
    const after = (await world.readPage({ limit: 1 })).paging?.cursors.after
    expect(await page({ after, limit: 1 })).toBe(120 - 3)
    expect(await page({ before: after, limit: 1 })).toBe(3)
    expect(await page({ after, limit: 1, summary: true })).toBe(120 - 3 + 200)
  })

  it('is 0 for an empty list', async () => {
    const { graph, viewer } = await openLists([visibleAt(0)])
    const call = { id: sourceId(0), fields: 'posts.summary(true){id}' }
    expect(await countExamined(() => callUntyped(graph.getNode, viewer, call))).toBe(0)
  })

  it('has an upper bound, which explain returns as edgesExamined', async () => {
    const limits = { scan: 50 }
    const explained = (call: object) =>
      Object(graph.explain(Object({ type: 'person', ...call }))).edgesExamined
    expect(explained({ fields: 'posts.limit(9)' })).toBe(200_000)
    expect(explained({ fields: 'follows.limit(20){posts.limit(9).summary(true)}' })).toBe(20 + 200_000)
    expect(explained({ edge: 'posts' })).toBe(200_000)
    expect(explained({ edge: 'follows' })).toBe(25)
    const small = await openLists([sparse], { limits })
    const worstCase = { fields: 'follows.limit(9),posts.limit(9),drafts{likes.limit(4)}' }
    expect(small.graph.explain(Object({ type: 'person', ...worstCase })).edgesExamined).toBe(
      9 + 25 * 4 + 2 * 50,
    )
  })
})

describe('a query event', () => {
  it('reports the examined edges per node type and edge name, the largest number first', async () => {
    const events: GraphEvent[] = []
    const edges = ['posts', 'drafts']
    const lists = [visibleAt(30), visibleAt(40), visibleAt(0)]
    const options = { edges, onEvent: (event: GraphEvent) => void events.push(event) }
    const { graph, viewer } = await openLists(lists, options)
    const examinedBy = async (call: Promise<unknown>) => {
      await call.catch(() => undefined)
      const event = events.at(-1)
      return event?.kind === 'query' ? event.examined : undefined
    }
    const fields = 'follows{posts{id},drafts.summary(true){id}}'
    expect(await examinedBy(callUntyped(graph.getNode, viewer, { id: VIEWER, fields }))).toEqual([
      { type: 'person', edge: 'drafts', edges: 140 },
      { type: 'person', edge: 'posts', edges: 70 },
    ])
    const empty = { id: sourceId(2), fields: 'posts{id},follows{id}' }
    expect(await examinedBy(callUntyped(graph.getNode, viewer, empty))).toEqual([])
  })
})
