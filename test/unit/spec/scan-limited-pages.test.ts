import { describe, expect, it } from 'vitest'
import { createFixedPassSizes, overrideScan } from '../../helpers/scan-overrides.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'
import { idsOf, openLists, postId, sourceId, timeAt, visibleAt, visiblePosts } from './visible-lists.ts'

const SCAN = 20
const SCARCE_LIST = visibleAt(100, 0, 30, 31, 99)
const limits = { scan: SCAN }
const { readPage, follow, walk } = await openLists([SCARCE_LIST], {
  limits,
  secret: 'the secret of the cursors',
})
const SCAN_LIMIT_MESSAGE =
  'The scan limit ended a page of posts: the page may be incomplete, and its cursor continues the list'

describe('a page of getEdge that ends early at the scan limit of the call', () => {
  it('is short and has an encrypted cursor for the next page', async () => {
    const page = await readPage({ limit: 5 })
    expect(idsOf(page)).toEqual([postId(0, 0)])
    const { cursors, next } = page.paging ?? {}
    expect(cursors).toEqual({ before: expect.not.stringContaining('.'), after: expect.stringContaining('.') })
    expect(next).toContain(`after=${cursors?.after}`)
  })

  it('reports the scan limit only with debug', async () => {
    expect((await readPage({ limit: 5, debug: 'all' })).__debug__).toEqual({
      messages: [{ message: SCAN_LIMIT_MESSAGE, type: 'warning' }],
    })
    expect(await readPage({ limit: 5 })).not.toHaveProperty('__debug__')
    const { readPage: readRichPage } = await openLists([SCARCE_LIST])
    expect((await readRichPage({ limit: 5, debug: 'all' })).__debug__).toEqual({ messages: [] })
  })

  it('has an encrypted cursor if it is full but it is unknown whether an entry follows', async () => {
    const page = await readPage({ limit: 1 })
    expect(idsOf(page)).toEqual([postId(0, 0)])
    expect(page.paging?.cursors.after).toContain('.')
    const { readPage: readTwoEntries } = await openLists([visibleAt(21, 0)], { limits })
    expect((await readTwoEntries({ limit: 1 })).paging?.next).toBeDefined()
    const { readPage: readAllEntries } = await openLists([visibleAt(20, 0)], { limits })
    expect((await readAllEntries({ limit: 1 })).paging).not.toHaveProperty('next')
  })

  it('has only an after cursor and a next link if it finds no visible entry', async () => {
    const empty = await readPage({ limit: 5, until: new Date(timeAt(40)) })
    expect(empty).toEqual({
      data: [],
      paging: { cursors: { after: expect.stringContaining('.') }, next: expect.any(String) },
    })
    expect(Object.keys((await follow(empty.paging?.next ?? '')).paging ?? {})).toEqual(['cursors', 'next'])
  })

  it('has only a before cursor and a previous link if it finds no visible entry before its cursor', async () => {
    const { paging } = await readPage({ limit: 1, until: new Date(timeAt(99)) })
    const empty = await readPage({ limit: 5, before: paging?.cursors.before })
    expect(empty).toEqual({
      data: [],
      paging: { cursors: { before: expect.stringContaining('.') }, previous: expect.any(String) },
    })
    expect(empty.paging?.previous).toContain(`before=${empty.paging?.cursors.before}`)
  })

  it('has an unencrypted cursor at the side where the read began', async () => {
    const { paging } = await readPage({ limit: 1, since: new Date(timeAt(31)), until: new Date(timeAt(31)) })
    const page = await readPage({ limit: 5, before: paging?.cursors.after })
    expect(idsOf(page)).toEqual([postId(0, 30)])
    expect(page.paging?.cursors).toEqual({
      before: expect.stringContaining('.'),
      after: expect.not.stringContaining('.'),
    })
    expect(Object.keys(page.paging ?? {})).toEqual(['cursors', 'previous', 'next'])
  })

  it.each([1, 2, 5, 40])(
    'contains all visible entries together with the other pages, at a limit of %d',
    async limit => {
      const forth = await walk('next', await readPage({ limit }))
      expect(forth.flat()).toEqual(visiblePosts(SCARCE_LIST))
      const oldest = await walk('next', await readPage({ limit, order: 'chronological' }))
      expect(oldest.flat()).toEqual(visiblePosts(SCARCE_LIST).toReversed())
      const { paging } = await readPage({ limit: 1, until: new Date(timeAt(99)) })
      const back = await walk('previous', await readPage({ limit, before: paging?.cursors.before }))
      expect(back.reverse().flat()).toEqual(visiblePosts(SCARCE_LIST).slice(0, -1))
    },
  )

  it('is followed by all further visible entries in iterateEdge', async () => {
    const { graph, viewer } = await openLists([SCARCE_LIST], { limits })
    const ids = []
    const call = { id: sourceId(0), type: 'person', edge: 'posts', fields: 'id', limit: 3 } as const
    for await (const { id } of graph.iterateEdge(viewer, call)) ids.push(id)
    expect(ids).toEqual(visiblePosts(SCARCE_LIST))
  })
})

describe('a page that reaches the scan limit of the call', async () => {
  const { graph, viewer, readPage } = await openLists([SCARCE_LIST], { limits })
  const id = sourceId(0)

  it.each([
    ['without nested fields', {}],
    ['with nested lists without a policy', { fields: 'id,likes.summary(true){id}' }],
    ['with nested refs', { fields: 'author{follows{id}}' }],
    ['with an order and a time window', { order: 'chronological', since: new Date(timeAt(99)) }],
  ])('ends early in getEdge: %s', async (_, call) => {
    expect((await readPage({ limit: 5, ...call })).paging?.cursors.after).toContain('.')
  })

  it.each([
    ['with a count', { summary: true }],
    ['with a nested list under a policy, even an empty one', { fields: 'id,replies{id}' }],
    ['with a list under a policy two levels down', { fields: 'author{drafts.limit(1){id}}' }],
  ])('fails the call: %s', async (_, call) => {
    const error = await expectGraphError(readPage({ limit: 5, ...call }))
    expect(error.toJSON().error.error_data).toEqual({ reason: 'query_too_expensive', limit: SCAN })
  })

  it('fails the call with a count, whatever the number of edges per store read', async () => {
    for (const size of [1, 2, 3, 10]) {
      const { graph, readPage } = await openLists([visibleAt(14)], { limits })
      overrideScan(graph, { passSizes: createFixedPassSizes(size) })
      // The page and the count examine 14 edges each.
      const error = await expectGraphError(readPage({ limit: 5, summary: true }))
      expect(error.toJSON().error.error_data).toEqual({ reason: 'query_too_expensive', limit: SCAN })
    }
  })

  it('fails the call if it is a page of getEdges or a nested page of getNode', async () => {
    const calls = [
      callUntyped(graph.getEdges, viewer, { ids: [id], edge: 'posts', limit: 5 }),
      callUntyped(graph.getNode, viewer, { id, fields: 'posts.limit(5){id}' }),
    ]
    for (const call of calls) {
      expect((await expectGraphError(call)).toJSON().error.error_data).toEqual({
        reason: 'query_too_expensive',
        limit: SCAN,
      })
    }
  })
})
