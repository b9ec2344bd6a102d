import type { ReadEvent } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { examinedWhile, replaceSeams } from '../../helpers/scan-seams.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'
import {
  idsOf,
  type List,
  oneIn,
  openLists,
  seenAt,
  seenOf,
  sourceId,
  timeAt,
  VIEWER,
} from './sifted-lists.ts'

/** The largest number below 1. */
const ALMOST_ONE = 1 - 2 ** -32

const SCAN = 100

describe('the drawn limit of a call', () => {
  /** The posts of one person below a node, all hidden: all of them are examined. */
  const readHidden = async (length: number, draw: number) => {
    const { graph, viewer } = await openLists([seenAt(length)], { limits: { scan: SCAN }, draw })
    return loosely(graph.getNode, viewer, { id: sourceId(0), fields: 'posts{id}' })
  }

  it.each([
    ['limits.scan', 0, SCAN],
    ['half as much again', 0.5, 1.5 * SCAN],
    ['nearly twice limits.scan', ALMOST_ONE, 2 * SCAN - 1],
  ])(
    'is %s if %d is drawn: the last edge that fits is examined, and one more fails',
    async (_, draw, limit) => {
      expect(await readHidden(limit, draw)).toEqual({ posts: { data: [] }, id: sourceId(0) })
      expect((await faultOf(readHidden(limit + 1, draw))).data.reason).toBe('too_costly')
    },
  )

  it('is of two numbers that are drawn for each call anew', async () => {
    const drawn = [0, 1, 0, 0.9]
    const { graph, viewer } = await openLists([seenAt(1.49 * SCAN)], { limits: { scan: SCAN } })
    replaceSeams(graph, { drawUniform: () => drawn.shift() ?? Number.NaN })
    const call = { id: sourceId(0), fields: 'posts{id}' }
    await loosely(graph.getNode, viewer, call)
    expect((await faultOf(loosely(graph.getNode, viewer, call))).data.reason).toBe('too_costly')
    expect(drawn).toEqual([])
  })

  it('is not drawn by a call that opens no list under a policy', async () => {
    const { graph, viewer } = await openLists([seenAt(3)])
    const fail = () => {
      throw new Error('drawn')
    }
    replaceSeams(graph, { drawUniform: fail })
    await loosely(graph.getNode, viewer, { id: VIEWER, fields: 'follows{id}' })
    await loosely(graph.getEdge, viewer, { id: VIEWER, edge: 'follows' })
  })
})

describe('a call that examines more than its drawn limit', () => {
  const hidden = seenAt(2 * SCAN)
  const open = () => openLists([seenAt(5, 0), hidden, seenAt(5, 0)], { limits: { scan: SCAN } })

  it('fails as a whole, and names neither a list nor the number that was drawn', async () => {
    const { graph, viewer } = await open()
    const fault = await faultOf(loosely(graph.getNode, viewer, { id: VIEWER, fields: 'follows{posts{id}}' }))
    expect(fault.toJSON().error).toEqual({
      message:
        '(#1) Please reduce the amount of data you ask for: the policies of its lists may examine about 100 edges for one call. Request fewer lists, shorter times or no summary',
      type: 'OAuthException',
      code: 1,
      error_data: { reason: 'too_costly', limit: SCAN },
      fbtrace_id: expect.any(String),
    })
    expect(fault.status).toBe(400)
  })

  it('fails under partial too, wherever the list is', async () => {
    const { graph, viewer } = await open()
    const ids = [0, 1, 2].map(sourceId)
    const calls = [
      loosely(graph.getNode, viewer, { id: VIEWER, fields: 'follows{posts{id}}', partial: true }),
      loosely(graph.getNodes, viewer, { ids, fields: 'posts{id}', partial: true }),
      loosely(graph.getEdges, viewer, { ids, edge: 'posts', partial: true }),
      loosely(graph.getEdge, viewer, { id: sourceId(1), edge: 'posts', summary: true, partial: true }),
      loosely(graph.getEdge, viewer, {
        id: VIEWER,
        edge: 'follows',
        fields: 'posts{id}',
        partial: true,
      }),
    ]
    for (const call of calls) {
      expect((await faultOf(call)).data).toEqual({ reason: 'too_costly', limit: SCAN })
    }
  })

  it('fails by the sum of its lists, whatever each of them has', async () => {
    const lists = Array<List>(10).fill(seenAt(10))
    const fields = 'follows{posts{id}}'
    const rich = await openLists(lists, { limits: { scan: 100 } })
    await loosely(rich.graph.getNode, rich.viewer, { id: VIEWER, fields })
    const poor = await openLists(lists, { limits: { scan: 99 } })
    const fault = await faultOf(loosely(poor.graph.getNode, poor.viewer, { id: VIEWER, fields }))
    expect(fault.data).toEqual({ reason: 'too_costly', limit: 99 })
  })

  it('leaves the next call as it is', async () => {
    const { graph, viewer, askPage } = await open()
    await faultOf(loosely(graph.getNode, viewer, { id: VIEWER, fields: 'follows{posts{id}}' }))
    expect(idsOf(await askPage())).toEqual(seenOf([true]))
  })
})

describe('what a call examines', async () => {
  const sparse = seenAt(200, 3, 50, 120, 199)
  const world = await openLists([sparse, oneIn(2, 30)], { edges: ['posts', 'drafts'] })
  const { graph, viewer } = world
  const node = (fields: string, id = sourceId(0)) =>
    examinedWhile(() => loosely(graph.getNode, viewer, { id, fields }))
  const page = (call: object) => examinedWhile(() => world.askPage(call))
  const between = { since: new Date(timeAt(60)), until: new Date(timeAt(40)) }

  it.each([
    ['the entry after the last of the page', 'posts.limit(1){id}', 51],
    ['the same further down', 'posts.limit(2){id}', 121],
    ['the last entry, if that completes the page', 'posts.limit(3){id}', 200],
    ['the end of the list', 'posts.limit(4){id}', 200],
    ['each list', 'posts.limit(1){id},drafts.limit(2){id}', 51 + 121],
    ['each alias', 'posts.limit(1).as(a){id},posts.limit(2).as(b){id}', 51 + 121],
    ['the page and the whole list for a count', 'posts.limit(1).summary(true){id}', 51 + 200],
    ['the page up to the end and the whole list', 'posts.limit(9).summary(true){id}', 200 + 200],
    ['no list of a node that is not reached', 'posts.limit(1){likes{id}}', 51],
    ['no list under no policy', 'follows{id}', 0],
  ])('is up to %s: %s', async (_, fields, examined) => {
    expect(await node(fields)).toBe(examined)
  })

  it('is up to the end of the time window, and for a count the whole list', async () => {
    expect(await page({ ...between, limit: 5 })).toBe(21)
    expect(await page({ ...between, limit: 5, summary: true })).toBe(21 + 200)
  })

  it('begins behind the cursor, in the direction of the page', async () => {
    const after = (await world.askPage({ limit: 1 })).paging?.cursors.after
    expect(await page({ after, limit: 1 })).toBe(120 - 3)
    expect(await page({ before: after, limit: 1 })).toBe(3)
    expect(await page({ after, limit: 1, summary: true })).toBe(120 - 3 + 200)
  })

  it('is nothing of a list that is empty or denied', async () => {
    const { graph, viewer } = await openLists([seenAt(0)])
    const call = { id: sourceId(0), fields: 'posts.summary(true){id}' }
    expect(await examinedWhile(() => loosely(graph.getNode, viewer, call))).toBe(0)
  })

  it('is at most what explain says', async () => {
    const limits = { scan: 50 }
    const explained = (call: object) => Object(graph.explain(Object({ type: 'person', ...call }))).scanned
    expect(explained({ fields: 'posts.limit(9)' })).toBe(200_000)
    expect(explained({ fields: 'follows.limit(20){posts.limit(9).summary(true)}' })).toBe(20 + 200_000)
    expect(explained({ edge: 'posts' })).toBe(200_000)
    expect(explained({ edge: 'follows' })).toBe(25)
    const small = await openLists([sparse], { limits })
    const scanned = { fields: 'follows.limit(9),posts.limit(9),drafts{likes.limit(4)}' }
    expect(small.graph.explain(Object({ type: 'person', ...scanned })).scanned).toBe(9 + 25 * 4 + 2 * 50)
  })
})

describe('the event of a call', () => {
  it('names the lists in which the call examined the most edges, by type and edge, the largest first', async () => {
    const events: ReadEvent[] = []
    const edges = ['posts', 'drafts']
    const lists = [seenAt(30), seenAt(40), seenAt(0)]
    const options = { edges, onRead: (event: ReadEvent) => void events.push(event) }
    const { graph, viewer } = await openLists(lists, options)
    const examinedBy = async (call: Promise<unknown>) => {
      await call.catch(() => undefined)
      const event = events.at(-1)
      return event?.kind === 'query' ? event.examined : undefined
    }
    const fields = 'follows{posts{id},drafts.summary(true){id}}'
    expect(await examinedBy(loosely(graph.getNode, viewer, { id: VIEWER, fields }))).toEqual([
      { type: 'person', edge: 'drafts', edges: 140 },
      { type: 'person', edge: 'posts', edges: 70 },
    ])
    const empty = { id: sourceId(2), fields: 'posts{id},follows{id}' }
    expect(await examinedBy(loosely(graph.getNode, viewer, empty))).toEqual([])
  })
})
