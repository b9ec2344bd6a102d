import { describe, expect, it } from 'vitest'
import { ADA, createWorld, NEWEST_FIRST, NEWEST_PHOTO } from '../../helpers/world.ts'
import { loosely } from '../abuse/fault-of.ts'
import { askPage, follow, idsOf, partsOf } from './photo-pages.ts'

const { graph, ada } = await createWorld()
const { getEdge, getNode } = graph

describe('a link', () => {
  it('keeps every parameter, encoded, and resolves me', async () => {
    const call = { id: 'me', limit: 2, order: 'chronological', summary: true, fields: ' id , from{ name } ' }
    const page = await askPage(call)
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
    const page = await askPage({ limit: 2, since: new Date(0), until: '2030-01-01T00:00:00+0000' })
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
    const page = await askPage({ limit: 1, version: 'v1.0' })
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
