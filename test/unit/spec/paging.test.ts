import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ADA, createWorld, NEWEST_FIRST } from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'
import { followLink, idsOf, type Page, readPage } from './photo-pages.ts'

const { graph, ada } = await createWorld()
const { getNode } = graph

/** Returns the names of the links of a page. */
const linksOf = ({ paging }: Page): string[] => Object.keys(paging ?? {}).filter(name => name !== 'cursors')

const readFirst = (count: number) => readPage({ limit: count })

describe('the links of a page', () => {
  it('include next if more entries follow, and no previous without a cursor', async () => {
    expect(linksOf(await readPage({ limit: 59 }))).toEqual(['next'])
    expect(linksOf(await readPage({ limit: 60 }))).toEqual([])
  })

  it('include previous on a page after a cursor, and next if more entries follow', async () => {
    const { paging } = await readFirst(10)
    expect(linksOf(await readPage({ limit: 49, after: paging?.cursors.after }))).toEqual(['previous', 'next'])
    expect(linksOf(await readPage({ limit: 50, after: paging?.cursors.after }))).toEqual(['previous'])
  })

  it('are left out together with the cursors after the last entry', async () => {
    const { paging } = await readFirst(60)
    expect(await readPage({ limit: 5, after: paging?.cursors.after })).toEqual({ data: [] })
  })

  it('include next on a page before a cursor, and previous if more entries precede it', async () => {
    const { paging } = await readPage({ limit: 1, after: (await readFirst(9)).paging?.cursors.after })
    const before = paging?.cursors.before
    const page = await readPage({ limit: 4, before })
    expect(idsOf(page)).toEqual(NEWEST_FIRST.slice(5, 9))
    expect(linksOf(page)).toEqual(['previous', 'next'])
    const start = await readPage({ limit: 9, before })
    expect(idsOf(start)).toEqual(NEWEST_FIRST.slice(0, 9))
    expect(linksOf(start)).toEqual(['next'])
  })

  it('are left out together with the cursors before the first entry', async () => {
    const { paging } = await readFirst(1)
    expect(await readPage({ limit: 5, before: paging?.cursors.before })).toEqual({ data: [] })
  })

  it('are left out for an empty list', async () => {
    expect(await readPage({ id: '5' })).toEqual({ data: [] })
  })

  it('are placed after the cursors, previous before next', async () => {
    const page = await readPage({ limit: 5, after: (await readFirst(5)).paging?.cursors.after })
    expect(Object.keys(page.paging ?? {})).toEqual(['cursors', 'previous', 'next'])
    expect(Object.keys(page.paging?.cursors ?? {})).toEqual(['before', 'after'])
  })
})

describe('cursors', () => {
  it('belong to the first and the last entry, and are equal if there is only one', async () => {
    const page = await readFirst(1)
    expect(page.paging?.cursors.before).toBe(page.paging?.cursors.after)
    const wide = await readFirst(7)
    expect(wide.paging?.cursors.before).toBe(page.paging?.cursors.before)
  })

  it('are rejected if a call has both after and before', async () => {
    const { paging } = await readFirst(1)
    const both = { after: paging?.cursors.after, before: paging?.cursors.after }
    expect((await expectGraphError(readPage(both))).toJSON().error.error_data).toMatchObject({
      reason: 'invalid_parameter',
      parameter: 'before',
    })
    const fields = `photos.after(${both.after}).before(${both.before})`
    expect(
      (await expectGraphError(callUntyped(getNode, ada, { id: ADA, fields }))).toJSON().error.error_data,
    ).toMatchObject({
      reason: 'invalid_parameter',
      parameter: 'before',
    })
  })

  it('are rejected for another edge or order', async () => {
    const { paging } = await readFirst(1)
    const after = paging?.cursors.after
    expect((await expectGraphError(readPage({ edge: 'posts', after }))).data).toMatchObject({
      parameter: 'after',
    })
    expect((await expectGraphError(readPage({ order: 'chronological', after }))).data).toMatchObject({
      parameter: 'after',
    })
  })

  it('do not depend on the selected fields', async () => {
    const bare = await readPage({ limit: 3 })
    const rich = await readPage({ limit: 3, fields: 'from{name},width', summary: true })
    expect(rich.paging?.cursors).toEqual(bare.paging?.cursors)
    const nested: unknown = await callUntyped(getNode, ada, { id: ADA, fields: 'photos.limit(3)' })
    expect(nested).toMatchObject({ photos: { paging: { cursors: bare.paging?.cursors } } })
  })

  it('stay valid after their edge is deleted', async () => {
    const { graph, ada, store } = await createWorld()
    const page = await graph.getEdge(ada, { id: ADA, edge: 'photos', limit: 10 })
    const last = NEWEST_FIRST[9] ?? ''
    store.write([{ op: 'deleteEdge', edge: { source: ADA, name: 'photos', target: last } }])
    const after = await graph.getEdge(ada, {
      id: ADA,
      edge: 'photos',
      limit: 1,
      after: page.paging?.cursors.after,
    })
    expect(after.data).toMatchObject([{ id: NEWEST_FIRST[10] }])
    const before = await graph.getEdge(ada, {
      id: ADA,
      edge: 'photos',
      limit: 1,
      before: page.paging?.cursors.after,
    })
    expect(before.data).toMatchObject([{ id: NEWEST_FIRST[8] }])
  })

  it.each([
    ['photos.after(x){comments.after(y)}', 'photos', 'x'],
    ['photos.limit(1){comments.after(x),likes.after(y)},friends.after(z)', 'comments', 'x'],
    ['friends.before(z),photos.after(x)', 'friends', 'z'],
  ])('are validated in the order of the expression: %s', async (fields, edge, received) => {
    const { message } = await expectGraphError(callUntyped(getNode, ada, { id: ADA, fields }))
    expect(message).toContain(`must be a cursor of ${edge} in`)
    expect(message).toContain(`received "${received}"`)
  })

  it('are opaque base64url text', async () => {
    expect((await readFirst(1)).paging?.cursors.after).toMatch(/^[A-Za-z0-9_-]+$/)
  })

  it('are accepted for the same edge of another node', async () => {
    const { paging } = await readFirst(1)
    expect(await readPage({ id: '2', after: paging?.cursors.after })).toEqual({ data: [] })
  })
})

describe('pages', () => {
  it('give the whole list through next links, and back through previous links, at any limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 61 }),
        fc.constantFrom('chronological', 'reverse_chronological'),
        async (limit, order) => {
          const whole = order === 'chronological' ? NEWEST_FIRST.toReversed() : [...NEWEST_FIRST]
          let page = await readPage({ limit, order })
          const forth = [idsOf(page)]
          while (page.paging?.next !== undefined) {
            page = await followLink(page.paging.next)
            forth.push(idsOf(page))
          }
          expect(forth.flat()).toEqual(whole)
          const back = [idsOf(page)]
          while (page.paging?.previous !== undefined) {
            page = await followLink(page.paging.previous)
            back.unshift(idsOf(page))
          }
          expect(back.flat()).toEqual(whole)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('are never empty if a next link leads to them', async () => {
    let page = await readPage({ limit: 20 })
    let pages = 1
    while (page.paging?.next !== undefined) {
      page = await followLink(page.paging.next)
      pages++
      expect(page.data).toHaveLength(20)
    }
    expect(pages).toBe(3)
  })

  it('neither lose nor repeat an existing edge during writes', async () => {
    const { graph, ada, store } = await createWorld()
    const seen: string[] = []
    let after: string | undefined
    for (let round = 0; ; round++) {
      const page: Page = Object(
        await callUntyped(graph.getEdge, ada, { id: ADA, edge: 'photos', limit: 7, after }),
      )
      seen.push(...idsOf(page))
      if (page.paging?.next === undefined) break
      after = page.paging.cursors.after
      const gone = idsOf(page).at(-1) ?? ''
      const id = `${1000 + round}`
      store.write([
        { op: 'deleteEdge', edge: { source: ADA, name: 'photos', target: gone } },
        { op: 'putNode', node: { id, type: 'photo', fields: {} } },
        { op: 'putEdge', edge: { source: ADA, name: 'photos', target: id, time: Date.UTC(2030, 0) } },
      ])
    }
    expect(seen).toEqual(NEWEST_FIRST)
  })
})
