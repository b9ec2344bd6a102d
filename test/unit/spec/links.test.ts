import { describe, expect, it } from 'vitest'
import { ADA, createWorld, NEWEST_FIRST, NEWEST_PHOTO } from '../../helpers/world.ts'
import { callUntyped } from '../abuse/expect-graph-error.ts'
import { followLink, idsOf, parseLink, readPage } from './photo-pages.ts'

const { graph, ada } = await createWorld()
const { getEdge, getNode } = graph

describe('a paging link', () => {
  it('keeps every parameter of the call, and replaces the id me by the id of the viewer', async () => {
    const call = { id: 'me', limit: 2, order: 'chronological', summary: true, fields: ' id , from{ name } ' }
    const page = await readPage(call)
    const { path, parameters } = parseLink(page.paging?.next)
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
    const page = await readPage({ limit: 2, since: new Date(0), until: '2030-01-01T00:00:00+0000' })
    expect(parseLink(page.paging?.next).parameters).toMatchObject({
      since: '1970-01-01T00:00:00.000Z',
      until: '2030-01-01T00:00:00+0000',
    })
    expect(idsOf(await followLink(page.paging?.next))).toEqual(NEWEST_FIRST.slice(2, 4))
  })

  it('has only the parameter after if the call has no optional parameters', async () => {
    const page = Object(await callUntyped(getEdge, ada, { id: ADA, edge: 'photos' }))
    expect(page.paging.next).toBe(`/${ADA}/photos?after=${page.paging.cursors.after}`)
  })

  it('begins with the requested version', async () => {
    const page = await readPage({ limit: 1, version: 'v1.0' })
    expect(parseLink(page.paging?.next).path).toBe(`/v1.0/${ADA}/photos`)
  })

  it('does not contain the token of the call', async () => {
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: ['user_photos'] })
    const page = await callUntyped(getEdge, token, { id: ADA, edge: 'photos', limit: 1 })
    expect(JSON.stringify(page)).not.toContain(token)
  })

  it('leads to a nested edge with the parameters of that edge', async () => {
    const fields = 'photos.limit(1){id,comments.limit(2).summary(true){id,from{name}}}'
    const result = Object(await callUntyped(getNode, ada, { id: ADA, fields }))
    expect(parseLink(result.photos.paging.next)).toMatchObject({
      path: `/${ADA}/photos`,
      parameters: { fields: 'id,comments.limit(2).summary(true){id,from{name}}', limit: '1' },
    })
    const { comments } = result.photos.data[0]
    const { path, parameters } = parseLink(comments.paging.next)
    expect(path).toBe(`/${NEWEST_PHOTO}/comments`)
    expect(parameters).toEqual({
      fields: 'id,from{name}',
      limit: '2',
      summary: 'true',
      after: comments.paging.cursors.after,
    })
  })

  it('has the time window and the cursor of a nested page', async () => {
    const start = Object(await callUntyped(getNode, ada, { id: ADA, fields: 'photos.since(0).limit(2){id}' }))
    const { after } = start.photos.paging.cursors
    expect(parseLink(start.photos.paging.next).parameters).toEqual({
      fields: 'id',
      limit: '2',
      since: '0',
      after,
    })
    const next = Object(
      await callUntyped(getNode, ada, { id: ADA, fields: `photos.since(0).limit(2).after(${after}){id}` }),
    )
    expect(idsOf(next.photos)).toEqual(NEWEST_FIRST.slice(2, 4))
    expect(Object.keys(next.photos.paging)).toEqual(['cursors', 'previous', 'next'])
    const back = Object(
      await callUntyped(getNode, ada, {
        id: ADA,
        fields: `photos.limit(2).before(${next.photos.paging.cursors.before}){id}`,
      }),
    )
    expect(idsOf(back.photos)).toEqual(NEWEST_FIRST.slice(0, 2))
    expect(Object.keys(back.photos.paging)).toEqual(['cursors', 'next'])
  })

  it('keeps the parameters of nested edges in its fields', async () => {
    const fields = 'photos.limit(1){id,comments.since(2014-08-03).limit(1)}'
    const result = Object(await callUntyped(getNode, ada, { id: ADA, fields }))
    expect(parseLink(result.photos.paging.next).parameters.fields).toBe(
      'id,comments.since(2014-08-03).limit(1)',
    )
  })
})
