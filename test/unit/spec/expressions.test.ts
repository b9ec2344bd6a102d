import { describe, expect, it } from 'vitest'
import {
  ADA,
  COMPILERS,
  createWorld,
  EDSGER,
  ENGINE,
  GRACE,
  NEWEST_PHOTO,
  NEWEST_TIME_TEXT,
  NOTICE,
  ORPHAN,
  STATUS,
} from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const { graph, ada, unscoped, grace } = await createWorld()
const { getEdge, getNode } = graph

/** Returns the ids of the entries of a page. */
const idsOf = (page: { readonly data: readonly object[] }): unknown[] =>
  page.data.map(entry => Reflect.get(entry, 'id'))

describe('an expression', () => {
  it('nests edges, each with data and paging', async () => {
    const fields = 'name,photos.limit(1){comments.limit(1){message,from{name}}}'
    const result = await getNode(ada, { id: ADA, fields })
    expect(result).toMatchObject({
      name: 'Ada Lovelace',
      photos: {
        data: [
          {
            comments: {
              data: [{ message: 'Comment 1', from: { name: 'Grace Hopper', id: GRACE }, id: '401' }],
              paging: { cursors: { before: expect.any(String), after: expect.any(String) } },
            },
            id: NEWEST_PHOTO,
          },
        ],
        paging: { next: expect.stringContaining(`/${ADA}/photos?`) },
      },
      id: ADA,
    })
  })

  it('returns an empty edge as an empty list without paging', async () => {
    expect(await getNode(ada, { id: EDSGER, fields: 'friends' })).toEqual({
      friends: { data: [] },
      id: EDSGER,
    })
  })

  it('reads the same edge twice under aliases', async () => {
    const fields = 'photos.limit(1).as(newest){id},photos.order(chronological).limit(1).as(oldest){id}'
    const result = await callUntyped(getNode, ada, { id: ADA, fields })
    expect(Object.keys(Object(result))).toEqual(['newest', 'oldest', 'id'])
    expect(result).toMatchObject({ newest: { data: [{ id: '154' }] }, oldest: { data: [{ id: '95' }] } })
  })

  it('renames a field with the modifier .as()', async () => {
    const result = await callUntyped(getNode, ada, { id: ADA, fields: 'name.as(called),name' })
    expect(JSON.stringify(result)).toBe('{"called":"Ada Lovelace","name":"Ada Lovelace","id":"1"}')
  })

  it('accepts a quoted text argument', async () => {
    const since = '2014-08-03T17:41:05Z'
    const bare = `photos.limit(2).order(chronological).since(${since}).as(late){id}`
    const quoted = `photos.limit(2).order("chronological").since("${since}").as("late"){id}`
    const results = [bare, quoted].map(fields => callUntyped(getNode, ada, { id: ADA, fields }))
    const [first, same] = (await Promise.all(results)).map(result => Object(result).late)
    expect(same.data).toEqual(first.data)
    expect(same.data).toEqual([{ id: '140' }, { id: '141' }])
    const { after } = first.paging.cursors
    const next = `photos.limit(2).order(chronological).after("${after}"){id}`
    expect(await callUntyped(getNode, ada, { id: ADA, fields: next })).toMatchObject({
      photos: { data: [{ id: '142' }, { id: '143' }] },
    })
  })

  it('accepts .fields() as the old spelling of a nested selection', async () => {
    const old = await callUntyped(getNode, ada, {
      id: ADA,
      fields: 'photos.fields(id,from.fields(name)).limit(2)',
    })
    const now = await callUntyped(getNode, ada, { id: ADA, fields: 'photos.limit(2){id,from{name}}' })
    expect(old).toEqual(now)
  })

  it('ignores white space', async () => {
    const spaced = await callUntyped(getNode, ada, {
      id: ADA,
      fields: ' photos . limit ( 2 ) { id ,\n from { name } } ',
    })
    expect(spaced).toEqual(
      await callUntyped(getNode, ada, { id: ADA, fields: 'photos.limit(2){id,from{name}}' }),
    )
  })
})

describe('a field of type ref', () => {
  it('returns the default fields of its target', async () => {
    expect(await getNode(ada, { id: NEWEST_PHOTO, fields: 'from' })).toEqual({
      from: { name: 'Ada Lovelace', id: ADA },
      id: NEWEST_PHOTO,
    })
  })

  it('returns the requested fields that the type of its target has', async () => {
    const result = await getEdge(ada, { id: ENGINE, edge: 'feed', fields: 'from{first_name,category,name}' })
    expect(result.data).toEqual([
      { from: { first_name: 'Ada', name: 'Ada Lovelace', id: ADA }, id: STATUS },
      { from: { category: 'Machine', name: 'The Analytical Engine', id: ENGINE }, id: NOTICE },
      { id: ORPHAN },
    ])
  })

  it('is left out if its target is missing', async () => {
    expect(await getNode(ada, { id: ORPHAN, fields: 'from,message' })).toEqual({
      message: 'Who was it?',
      id: ORPHAN,
    })
  })

  it('is left out if its target has a type that the schema does not allow', async () => {
    const { store, graph, ada } = await createWorld()
    store.write([{ op: 'patchNode', id: ORPHAN, fields: { from: COMPILERS } }])
    expect(await graph.getNode(ada, { id: ORPHAN, fields: 'from' })).toEqual({ id: ORPHAN })
  })

  it('rejects a selected field that none of its target types has', async () => {
    const error = await expectGraphError(callUntyped(getNode, ada, { id: STATUS, fields: 'from{message}' }))
    expect(error.toJSON().error.error_data).toMatchObject({
      reason: 'field_not_found',
      name: 'message',
      type: 'user|page',
    })
  })
})

describe('the fields of an edge', () => {
  it('are returned in the entry next to those of the node', async () => {
    const result = await getEdge(ada, { id: COMPILERS, edge: 'members', fields: 'joined,name' })
    expect(result.data).toEqual([
      { joined: NEWEST_TIME_TEXT, name: 'Ada Lovelace', id: ADA },
      { joined: '2014-08-03T17:41:08+0000', name: 'Grace Hopper', id: GRACE },
    ])
  })

  it('are rejected for a node that is not an entry of the edge', async () => {
    const error = await expectGraphError(callUntyped(getNode, ada, { id: ADA, fields: 'joined' }))
    expect(error.toJSON().error.error_data).toMatchObject({ reason: 'field_not_found', name: 'joined' })
  })
})

describe('the field viewer_likes', () => {
  it('is true if the node has a likes edge to the viewer, and false otherwise', async () => {
    const fields = 'viewer_likes'
    expect(await getNode(grace, { id: NEWEST_PHOTO, fields })).toEqual({
      viewer_likes: true,
      id: NEWEST_PHOTO,
    })
    expect(await getNode(ada, { id: NEWEST_PHOTO, fields })).toEqual({
      viewer_likes: false,
      id: NEWEST_PHOTO,
    })
  })

  it('is returned for each entry', async () => {
    const result = await getEdge(grace, { id: ENGINE, edge: 'feed', fields: 'viewer_likes' })
    expect(result.data).toEqual([
      { viewer_likes: true, id: STATUS },
      { viewer_likes: false, id: NOTICE },
      { viewer_likes: false, id: ORPHAN },
    ])
  })

  it('is false for a token without a viewer', async () => {
    const app = graph.session({ viewer: undefined, app: 'demo', scopes: [] })
    expect(await getNode(app, { id: NEWEST_PHOTO, fields: 'viewer_likes' })).toEqual({
      viewer_likes: false,
      id: NEWEST_PHOTO,
    })
  })
})

describe('the scope of an edge', () => {
  it('is required in an expression and in getEdge', async () => {
    for (const promise of [
      getEdge(unscoped, { id: ADA, edge: 'photos' }),
      getNode(unscoped, { id: ADA, fields: 'photos' }),
      getNode(unscoped, { id: ENGINE, fields: 'likes{friends}' }),
    ]) {
      const error = await expectGraphError(promise)
      expect(error).toMatchObject({ code: 200, status: 403, type: 'OAuthException' })
      expect(error.reason).toBe('scope_missing')
    }
  })

  it('is named in the error', async () => {
    const error = await expectGraphError(getEdge(unscoped, { id: ADA, edge: 'photos' }))
    expect(error.toJSON().error.error_data).toEqual({
      reason: 'scope_missing',
      scope: 'user_photos',
      name: 'photos',
      type: 'user',
    })
    expect(error.message).toBe('(#200) photos of user requires the scope user_photos')
  })

  it('is not required if the schema names none', async () => {
    const result = await getEdge(unscoped, { id: NEWEST_PHOTO, edge: 'comments', fields: 'id' })
    expect(idsOf(result)).toEqual(['401', '402', '403'])
  })
})
