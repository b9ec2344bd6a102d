import { describe, expect, it } from 'vitest'
import { replaceSeams, sizedPasses } from '../../helpers/scan-seams.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'
import { idsOf, openLists, postId, seenAt, seenOf, sourceId, timeAt } from './sifted-lists.ts'

const SCAN = 20
const scarce = seenAt(100, 0, 30, 31, 99)
const limits = { scan: SCAN }
const { askPage, follow, walk } = await openLists([scarce], { limits, secret: 'the secret of the cursors' })
const remark = 'The scan limit ended a page of posts: it may be short, and its cursor goes on'

describe('a page of getEdge that ends at the drawn limit', () => {
  it('is short, and its cursor is sealed', async () => {
    const page = await askPage({ limit: 5 })
    expect(idsOf(page)).toEqual([postId(0, 0)])
    const { cursors, next } = page.paging ?? {}
    expect(cursors).toEqual({ before: expect.not.stringContaining('.'), after: expect.stringContaining('.') })
    expect(next).toContain(`after=${cursors?.after}`)
  })

  it('says so to those who debug, and to no one else', async () => {
    expect((await askPage({ limit: 5, debug: 'all' })).__debug__).toEqual({
      messages: [{ message: remark, type: 'warning' }],
    })
    expect(await askPage({ limit: 5 })).not.toHaveProperty('__debug__')
    const { askPage: askRich } = await openLists([scarce])
    expect((await askRich({ limit: 5, debug: 'all' })).__debug__).toEqual({ messages: [] })
  })

  it('is one that is full too, where it is not known whether it goes on', async () => {
    const page = await askPage({ limit: 1 })
    expect(idsOf(page)).toEqual([postId(0, 0)])
    expect(page.paging?.cursors.after).toContain('.')
    const { askPage: askTwo } = await openLists([seenAt(21, 0)], { limits })
    expect((await askTwo({ limit: 1 })).paging?.next).toBeDefined()
    const { askPage: askAll } = await openLists([seenAt(20, 0)], { limits })
    expect((await askAll({ limit: 1 })).paging).not.toHaveProperty('next')
  })

  it('is empty where nothing was found: with a cursor that goes on, and nothing else', async () => {
    const empty = await askPage({ limit: 5, until: new Date(timeAt(40)) })
    expect(empty).toEqual({
      data: [],
      paging: { cursors: { after: expect.stringContaining('.') }, next: expect.any(String) },
    })
    expect(Object.keys((await follow(empty.paging?.next ?? '')).paging ?? {})).toEqual(['cursors', 'next'])
  })

  it('is empty backwards alike', async () => {
    const { paging } = await askPage({ limit: 1, until: new Date(timeAt(99)) })
    const empty = await askPage({ limit: 5, before: paging?.cursors.before })
    expect(empty).toEqual({
      data: [],
      paging: { cursors: { before: expect.stringContaining('.') }, previous: expect.any(String) },
    })
    expect(empty.paging?.previous).toContain(`before=${empty.paging?.cursors.before}`)
  })

  it('keeps the cursors of what it answers on its other side', async () => {
    const { paging } = await askPage({ limit: 1, since: new Date(timeAt(31)), until: new Date(timeAt(31)) })
    const page = await askPage({ limit: 5, before: paging?.cursors.after })
    expect(idsOf(page)).toEqual([postId(0, 30)])
    expect(page.paging?.cursors).toEqual({
      before: expect.stringContaining('.'),
      after: expect.not.stringContaining('.'),
    })
    expect(Object.keys(page.paging ?? {})).toEqual(['cursors', 'previous', 'next'])
  })

  it.each([1, 2, 5, 40])('joins with the others to all that is to be seen, %d at a time', async limit => {
    const forth = await walk('next', await askPage({ limit }))
    expect(forth.flat()).toEqual(seenOf(scarce))
    const oldest = await walk('next', await askPage({ limit, order: 'chronological' }))
    expect(oldest.flat()).toEqual(seenOf(scarce).toReversed())
    const { paging } = await askPage({ limit: 1, until: new Date(timeAt(99)) })
    const back = await walk('previous', await askPage({ limit, before: paging?.cursors.before }))
    expect(back.reverse().flat()).toEqual(seenOf(scarce).slice(0, -1))
  })

  it('is gone on from by iterateEdge', async () => {
    const { graph, viewer } = await openLists([scarce], { limits })
    const ids = []
    const call = { id: sourceId(0), type: 'person', edge: 'posts', fields: 'id', limit: 3 } as const
    for await (const { id } of graph.iterateEdge(viewer, call)) ids.push(id)
    expect(ids).toEqual(seenOf(scarce))
  })
})

describe('whether a page may end at the drawn limit', async () => {
  const { graph, viewer, askPage } = await openLists([scarce], { limits })
  const id = sourceId(0)

  it.each([
    ['a page alone', {}],
    ['with lists of its entries that are under no policy', { fields: 'id,likes.summary(true){id}' }],
    ['with refs of its entries', { fields: 'author{follows{id}}' }],
    ['with an order and times', { order: 'chronological', since: new Date(timeAt(99)) }],
  ])('is decided by the plan, which allows it: %s', async (_, call) => {
    expect((await askPage({ limit: 5, ...call })).paging?.cursors.after).toContain('.')
  })

  it.each([
    ['with a count', { summary: true }],
    ['with a list of its entries that is under a policy, though it is empty', { fields: 'id,replies{id}' }],
    ['with such a list further down', { fields: 'author{drafts.limit(1){id}}' }],
  ])('is decided by the plan, which does not allow it: %s', async (_, call) => {
    const fault = await faultOf(askPage({ limit: 5, ...call }))
    expect(fault.data).toEqual({ reason: 'too_costly', limit: SCAN })
  })

  it('is not allowed with a count by passes of any size', async () => {
    for (const size of [1, 2, 3, 10]) {
      const { graph, askPage } = await openLists([seenAt(14)], { limits })
      replaceSeams(graph, { passSizes: sizedPasses(size) })
      // The page and the count examine 14 edges each.
      const fault = await faultOf(askPage({ limit: 5, summary: true }))
      expect(fault.data).toEqual({ reason: 'too_costly', limit: SCAN })
    }
  })

  it('is not the case for the pages of several nodes, even of one, or of a node', async () => {
    const calls = [
      loosely(graph.getEdges, viewer, { ids: [id], edge: 'posts', limit: 5 }),
      loosely(graph.getNode, viewer, { id, fields: 'posts.limit(5){id}' }),
    ]
    for (const call of calls) {
      expect((await faultOf(call)).data).toEqual({ reason: 'too_costly', limit: SCAN })
    }
  })
})
