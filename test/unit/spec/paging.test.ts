import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ADA, createWorld, NEWEST_FIRST, NEWEST_PHOTO } from '../../helpers/world.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'

const { graph, ada } = await createWorld()
const { getEdge, getNode } = graph

type Paging = {
  readonly cursors: { readonly before: string; readonly after: string }
  readonly previous?: string
  readonly next?: string
}
type Page = { readonly data: readonly { readonly id: string }[]; readonly paging?: Paging }

const ask = async (call: object): Promise<Page> =>
  Object(await loosely(getEdge, ada, { id: ADA, edge: 'photos', fields: 'id', ...call }))

const idsOf = ({ data }: Page): string[] => data.map(({ id }) => id)

/** Which links a page has. */
const linksOf = ({ paging }: Page): string[] => Object.keys(paging ?? {}).filter(name => name !== 'cursors')

/** The parameters of a link, and its path. */
const partsOf = (link: string | undefined): { path: string; parameters: { [name: string]: string } } => {
  const url = new URL(link ?? '', 'https://graph.example')
  return { path: url.pathname, parameters: Object.fromEntries(url.searchParams) }
}

/** What a link asks for, as a call. */
const follow = async (link: string | undefined): Promise<Page> => {
  const { limit, ...others } = partsOf(link).parameters
  return ask({ ...others, ...(limit !== undefined && { limit: Number(limit) }) })
}

const at = (count: number) => ask({ limit: count })

describe('the links of a page', () => {
  it('without a cursor: next where there is more, never previous', async () => {
    expect(linksOf(await ask({ limit: 59 }))).toEqual(['next'])
    expect(linksOf(await ask({ limit: 60 }))).toEqual([])
  })

  it('behind a cursor: previous on a page that is not empty, next where there is more', async () => {
    const { paging } = await at(10)
    expect(linksOf(await ask({ limit: 49, after: paging?.cursors.after }))).toEqual(['previous', 'next'])
    expect(linksOf(await ask({ limit: 50, after: paging?.cursors.after }))).toEqual(['previous'])
  })

  it('behind the last entry: an empty page without links or cursors', async () => {
    const { paging } = await at(60)
    expect(await ask({ limit: 5, after: paging?.cursors.after })).toEqual({ data: [] })
  })

  it('in front of a cursor: next always, previous where there is more', async () => {
    const { paging } = await ask({ limit: 1, after: (await at(9)).paging?.cursors.after })
    const before = paging?.cursors.before
    const page = await ask({ limit: 4, before })
    expect(idsOf(page)).toEqual(NEWEST_FIRST.slice(5, 9))
    expect(linksOf(page)).toEqual(['previous', 'next'])
    const start = await ask({ limit: 9, before })
    expect(idsOf(start)).toEqual(NEWEST_FIRST.slice(0, 9))
    expect(linksOf(start)).toEqual(['next'])
  })

  it('in front of the first entry: an empty page without links or cursors', async () => {
    const { paging } = await at(1)
    expect(await ask({ limit: 5, before: paging?.cursors.before })).toEqual({ data: [] })
  })

  it('are none of an empty list', async () => {
    expect(await ask({ id: '5' })).toEqual({ data: [] })
  })

  it('come after the cursors, previous first', async () => {
    const page = await ask({ limit: 5, after: (await at(5)).paging?.cursors.after })
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
    expect((await faultOf(ask(both))).data).toMatchObject({ reason: 'bad_parameter', parameter: 'before' })
    const fields = `photos.after(${both.after}).before(${both.before})`
    expect((await faultOf(loosely(getNode, ada, { id: ADA, fields }))).data).toMatchObject({
      reason: 'bad_parameter',
      parameter: 'before',
    })
  })

  it('are bound to the name of the edge and its order', async () => {
    const { paging } = await at(1)
    const after = paging?.cursors.after
    expect((await faultOf(ask({ edge: 'posts', after }))).data).toMatchObject({ parameter: 'after' })
    expect((await faultOf(ask({ order: 'chronological', after }))).data).toMatchObject({ parameter: 'after' })
  })

  it('are the same whatever is selected', async () => {
    const bare = await ask({ limit: 3 })
    const rich = await ask({ limit: 3, fields: 'from{name},width', summary: true })
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

  it('say nothing readable of what they are of', async () => {
    expect((await at(1)).paging?.cursors.after).toMatch(/^[A-Za-z0-9_-]+$/)
  })

  it('hold for the same list on another node', async () => {
    const { paging } = await at(1)
    expect(await ask({ id: '2', after: paging?.cursors.after })).toEqual({ data: [] })
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
          let page = await ask({ limit, order })
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
    let page = await ask({ limit: 20 })
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

describe('a link', () => {
  it('keeps every parameter, encoded, and resolves me', async () => {
    const call = { id: 'me', limit: 2, order: 'chronological', summary: true, fields: ' id , from{ name } ' }
    const page = await ask(call)
    const { path, parameters } = partsOf(page.paging?.next)
    expect(path).toBe(`/${ADA}/photos`)
    expect(parameters).toEqual({
      fields: 'id,from{name}',
      limit: '2',
      order: 'chronological',
      summary: 'true',
      after: page.paging?.cursors.after,
    })
    expect(page.paging?.next?.startsWith(`/${ADA}/photos?`)).toBe(true)
  })

  it('keeps since and until', async () => {
    const page = await ask({ limit: 2, since: new Date(0), until: '2030-01-01T00:00:00+0000' })
    expect(partsOf(page.paging?.next).parameters).toMatchObject({
      since: '1970-01-01T00:00:00.000Z',
      until: '2030-01-01T00:00:00+0000',
    })
    expect(idsOf(await follow(page.paging?.next))).toEqual(NEWEST_FIRST.slice(2, 4))
  })

  it('says nothing of what was not asked', async () => {
    const page = Object(await loosely(getEdge, ada, { id: ADA, edge: 'photos' }))
    expect(page.paging.next).toBe(`/${ADA}/photos?after=${page.paging.cursors.after}`)
  })

  it('begins with the version that was asked', async () => {
    const page = await ask({ limit: 1, version: 'v1.0' })
    expect(partsOf(page.paging?.next).path).toBe(`/v1.0/${ADA}/photos`)
  })

  it('carries no token and no proof', async () => {
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: ['user_photos'] })
    const page = await loosely(getEdge, token, { id: ADA, edge: 'photos', limit: 1 })
    expect(JSON.stringify(page)).not.toContain(token)
  })

  it('of a nested edge leads to that edge, with its own parameters', async () => {
    const fields = 'photos.limit(1){id,comments.limit(2).summary(true){id,from{name}}}'
    const answer = Object(await loosely(getNode, ada, { id: ADA, fields }))
    expect(partsOf(answer.photos.paging.next)).toMatchObject({
      path: `/${ADA}/photos`,
      parameters: { fields: 'id,comments.limit(2).summary(true){id,from{name}}', limit: '1' },
    })
    const { comments } = answer.photos.data[0]
    const { path, parameters } = partsOf(comments.paging.next)
    expect(path).toBe(`/${NEWEST_PHOTO}/comments`)
    expect(parameters).toEqual({
      fields: 'id,from{name}',
      limit: '2',
      summary: 'true',
      after: comments.paging.cursors.after,
    })
  })

  it('of a nested page keeps its times and its place', async () => {
    const start = Object(await loosely(getNode, ada, { id: ADA, fields: 'photos.since(0).limit(2){id}' }))
    const { after } = start.photos.paging.cursors
    expect(partsOf(start.photos.paging.next).parameters).toEqual({
      fields: 'id',
      limit: '2',
      since: '0',
      after,
    })
    const next = Object(
      await loosely(getNode, ada, { id: ADA, fields: `photos.since(0).limit(2).after(${after}){id}` }),
    )
    expect(idsOf(next.photos)).toEqual(NEWEST_FIRST.slice(2, 4))
    expect(Object.keys(next.photos.paging)).toEqual(['cursors', 'previous', 'next'])
    const back = Object(
      await loosely(getNode, ada, {
        id: ADA,
        fields: `photos.limit(2).before(${next.photos.paging.cursors.before}){id}`,
      }),
    )
    expect(idsOf(back.photos)).toEqual(NEWEST_FIRST.slice(0, 2))
    expect(Object.keys(back.photos.paging)).toEqual(['cursors', 'next'])
  })

  it('carries the values of the edges below it', async () => {
    const fields = 'photos.limit(1){id,comments.since(2014-08-03).limit(1)}'
    const answer = Object(await loosely(getNode, ada, { id: ADA, fields }))
    expect(partsOf(answer.photos.paging.next).parameters.fields).toBe(
      'id,comments.since(2014-08-03).limit(1)',
    )
  })
})
