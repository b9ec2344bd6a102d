import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ADA, createWorld, NEWEST_FIRST } from '../../helpers/world.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'
import { askPage, follow, idsOf, type Page } from './photo-pages.ts'

const { graph, ada } = await createWorld()
const { getNode } = graph

/** Which links a page has. */
const linksOf = ({ paging }: Page): string[] => Object.keys(paging ?? {}).filter(name => name !== 'cursors')

const at = (count: number) => askPage({ limit: count })

describe('the links of a page', () => {
  it('without a cursor: next where there is more, never previous', async () => {
    expect(linksOf(await askPage({ limit: 59 }))).toEqual(['next'])
    expect(linksOf(await askPage({ limit: 60 }))).toEqual([])
  })

  it('behind a cursor: previous on a page that is not empty, next where there is more', async () => {
    const { paging } = await at(10)
    expect(linksOf(await askPage({ limit: 49, after: paging?.cursors.after }))).toEqual(['previous', 'next'])
    expect(linksOf(await askPage({ limit: 50, after: paging?.cursors.after }))).toEqual(['previous'])
  })

  it('behind the last entry: an empty page without links or cursors', async () => {
    const { paging } = await at(60)
    expect(await askPage({ limit: 5, after: paging?.cursors.after })).toEqual({ data: [] })
  })

  it('in front of a cursor: next always, previous where there is more', async () => {
    const { paging } = await askPage({ limit: 1, after: (await at(9)).paging?.cursors.after })
    const before = paging?.cursors.before
    const page = await askPage({ limit: 4, before })
    expect(idsOf(page)).toEqual(NEWEST_FIRST.slice(5, 9))
    expect(linksOf(page)).toEqual(['previous', 'next'])
    const start = await askPage({ limit: 9, before })
    expect(idsOf(start)).toEqual(NEWEST_FIRST.slice(0, 9))
    expect(linksOf(start)).toEqual(['next'])
  })

  it('in front of the first entry: an empty page without links or cursors', async () => {
    const { paging } = await at(1)
    expect(await askPage({ limit: 5, before: paging?.cursors.before })).toEqual({ data: [] })
  })

  it('are none of an empty list', async () => {
    expect(await askPage({ id: '5' })).toEqual({ data: [] })
  })

  it('come after the cursors, previous first', async () => {
    const page = await askPage({ limit: 5, after: (await at(5)).paging?.cursors.after })
    expect(Object.keys(page.paging ?? {})).toEqual(['cursors', 'previous', 'next'])
    expect(Object.keys(page.paging?.cursors ?? {})).toEqual(['before', 'after'])
  })
})

describe('cursors', () => {
  it('are those of the first and the last entry, equal where there is but one', async () => {
    const page = await at(1)
    expect(page.paging?.cursors.before).toBe(page.paging?.cursors.after)
    const wide = await at(7)
    expect(wide.paging?.cursors.before).toBe(page.paging?.cursors.before)
  })

  it('may not both be asked for', async () => {
    const { paging } = await at(1)
    const both = { after: paging?.cursors.after, before: paging?.cursors.after }
    expect((await faultOf(askPage(both))).data).toMatchObject({
      reason: 'bad_parameter',
      parameter: 'before',
    })
    const fields = `photos.after(${both.after}).before(${both.before})`
    expect((await faultOf(loosely(getNode, ada, { id: ADA, fields }))).data).toMatchObject({
      reason: 'bad_parameter',
      parameter: 'before',
    })
  })

  it('are bound to the name of the edge and its order', async () => {
    const { paging } = await at(1)
    const after = paging?.cursors.after
    expect((await faultOf(askPage({ edge: 'posts', after }))).data).toMatchObject({ parameter: 'after' })
    expect((await faultOf(askPage({ order: 'chronological', after }))).data).toMatchObject({
      parameter: 'after',
    })
  })

  it('are the same whatever is selected', async () => {
    const bare = await askPage({ limit: 3 })
    const rich = await askPage({ limit: 3, fields: 'from{name},width', summary: true })
    expect(rich.paging?.cursors).toEqual(bare.paging?.cursors)
    const nested: unknown = await loosely(getNode, ada, { id: ADA, fields: 'photos.limit(3)' })
    expect(nested).toMatchObject({ photos: { paging: { cursors: bare.paging?.cursors } } })
  })

  it('outlive the edge that they are of', async () => {
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
  ])('that are none are refused in the order of the text: %s', async (fields, edge, came) => {
    const { message } = await faultOf(loosely(getNode, ada, { id: ADA, fields }))
    expect(message).toContain(`expected a cursor of ${edge} in`)
    expect(message).toContain(`came "${came}"`)
  })

  it('say nothing readable of what they are of', async () => {
    expect((await at(1)).paging?.cursors.after).toMatch(/^[A-Za-z0-9_-]+$/)
  })

  it('hold for the same list on another node', async () => {
    const { paging } = await at(1)
    expect(await askPage({ id: '2', after: paging?.cursors.after })).toEqual({ data: [] })
  })
})

describe('pages', () => {
  it('joined by next are the whole list, and by previous backwards too, whatever the limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 61 }),
        fc.constantFrom('chronological', 'reverse_chronological'),
        async (limit, order) => {
          const whole = order === 'chronological' ? NEWEST_FIRST.toReversed() : [...NEWEST_FIRST]
          let page = await askPage({ limit, order })
          const forth = [idsOf(page)]
          while (page.paging?.next !== undefined) {
            page = await follow(page.paging.next)
            forth.push(idsOf(page))
          }
          expect(forth.flat()).toEqual(whole)
          const back = [idsOf(page)]
          while (page.paging?.previous !== undefined) {
            page = await follow(page.paging.previous)
            back.unshift(idsOf(page))
          }
          expect(back.flat()).toEqual(whole)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('are never empty where a link led to them', async () => {
    let page = await askPage({ limit: 20 })
    let pages = 1
    while (page.paging?.next !== undefined) {
      page = await follow(page.paging.next)
      pages++
      expect(page.data).toHaveLength(20)
    }
    expect(pages).toBe(3)
  })

  it('neither lose nor repeat an edge that stays, whatever is written meanwhile', async () => {
    const { graph, ada, store } = await createWorld()
    const seen: string[] = []
    let after: string | undefined
    for (let round = 0; ; round++) {
      const page: Page = Object(
        await loosely(graph.getEdge, ada, { id: ADA, edge: 'photos', limit: 7, after }),
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
