import { describe, expect, it } from 'vitest'
import {
  ADA,
  COMPILERS,
  createWorld,
  EDSGER,
  ENGINE,
  GRACE,
  NEWEST_PHOTO,
  NEWEST_TEXT,
  NOTICE,
  ORPHAN,
  STATUS,
} from '../../helpers/world.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'

const { graph, ada, stranger, grace } = await createWorld()
const { getEdge, getNode } = graph

/** The ids of a page's entries. */
const idsOf = (page: { readonly data: readonly object[] }): unknown[] =>
  page.data.map(entry => Reflect.get(entry, 'id'))

describe('an expression', () => {
  it('nests edges, each in the same envelope', async () => {
    const fields = 'name,photos.limit(1){comments.limit(1){message,from{name}}}'
    const answer = await getNode(ada, { id: ADA, fields })
    expect(answer).toMatchObject({
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

  it('answers an edge that is empty, with nothing but data', async () => {
    expect(await getNode(ada, { id: EDSGER, fields: 'friends' })).toEqual({
      friends: { data: [] },
      id: EDSGER,
    })
  })

  it('may ask the same edge twice under aliases', async () => {
    const fields = 'photos.limit(1).as(newest){id},photos.order(chronological).limit(1).as(oldest){id}'
    const answer = await loosely(getNode, ada, { id: ADA, fields })
    expect(Object.keys(Object(answer))).toEqual(['newest', 'oldest', 'id'])
    expect(answer).toMatchObject({ newest: { data: [{ id: '154' }] }, oldest: { data: [{ id: '95' }] } })
  })

  it('may rename a field', async () => {
    const answer = await loosely(getNode, ada, { id: ADA, fields: 'name.as(called),name' })
    expect(JSON.stringify(answer)).toBe('{"called":"Ada Lovelace","name":"Ada Lovelace","id":"1"}')
  })

  it('may quote an argument that is text', async () => {
    const since = '2014-08-03T17:41:05Z'
    const bare = `photos.limit(2).order(chronological).since(${since}).as(late){id}`
    const quoted = `photos.limit(2).order("chronological").since("${since}").as("late"){id}`
    const answers = [bare, quoted].map(fields => loosely(getNode, ada, { id: ADA, fields }))
    const [asked, same] = (await Promise.all(answers)).map(answer => Object(answer).late)
    expect(same.data).toEqual(asked.data)
    expect(same.data).toEqual([{ id: '140' }, { id: '141' }])
    const { after } = asked.paging.cursors
    const next = `photos.limit(2).order(chronological).after("${after}"){id}`
    expect(await loosely(getNode, ada, { id: ADA, fields: next })).toMatchObject({
      photos: { data: [{ id: '142' }, { id: '143' }] },
    })
  })

  it('may be in the old spelling', async () => {
    const old = await loosely(getNode, ada, {
      id: ADA,
      fields: 'photos.fields(id,from.fields(name)).limit(2)',
    })
    const now = await loosely(getNode, ada, { id: ADA, fields: 'photos.limit(2){id,from{name}}' })
    expect(old).toEqual(now)
  })

  it('means the same whatever its white space', async () => {
    const spaced = await loosely(getNode, ada, {
      id: ADA,
      fields: ' photos . limit ( 2 ) { id ,\n from { name } } ',
    })
    expect(spaced).toEqual(await loosely(getNode, ada, { id: ADA, fields: 'photos.limit(2){id,from{name}}' }))
  })
})

describe('a ref', () => {
  it('answers the default fields of its target', async () => {
    expect(await getNode(ada, { id: NEWEST_PHOTO, fields: 'from' })).toEqual({
      from: { name: 'Ada Lovelace', id: ADA },
      id: NEWEST_PHOTO,
    })
  })

  it('may lead to several types, and answers by its own', async () => {
    const answer = await getEdge(ada, { id: ENGINE, edge: 'feed', fields: 'from{first_name,category,name}' })
    expect(answer.data).toEqual([
      { from: { first_name: 'Ada', name: 'Ada Lovelace', id: ADA }, id: STATUS },
      { from: { category: 'Machine', name: 'The Analytical Engine', id: ENGINE }, id: NOTICE },
      { id: ORPHAN },
    ])
  })

  it('is left out where its node is missing', async () => {
    expect(await getNode(ada, { id: ORPHAN, fields: 'from,message' })).toEqual({
      message: 'Who was it?',
      id: ORPHAN,
    })
  })

  it('is left out where its node is of none of its types', async () => {
    const { store, graph, ada } = await createWorld()
    store.write([{ op: 'patchNode', id: ORPHAN, fields: { from: COMPILERS } }])
    expect(await graph.getNode(ada, { id: ORPHAN, fields: 'from' })).toEqual({ id: ORPHAN })
  })

  it('is a fault for a field that none of its types has', async () => {
    const fault = await faultOf(loosely(getNode, ada, { id: STATUS, fields: 'from{message}' }))
    expect(fault.data).toMatchObject({ reason: 'unknown_field', name: 'message', type: 'user|page' })
  })
})

describe('the fields of an edge itself', () => {
  it('are answered in the entry, beside those of the node', async () => {
    const answer = await getEdge(ada, { id: COMPILERS, edge: 'members', fields: 'joined,name' })
    expect(answer.data).toEqual([
      { joined: NEWEST_TEXT, name: 'Ada Lovelace', id: ADA },
      { joined: '2014-08-03T17:41:08+0000', name: 'Grace Hopper', id: GRACE },
    ])
  })

  it('are answered nowhere else', async () => {
    const fault = await faultOf(loosely(getNode, ada, { id: ADA, fields: 'joined' }))
    expect(fault.data).toMatchObject({ reason: 'unknown_field', name: 'joined' })
  })
})

describe('viewer_likes', () => {
  it('tells whether there is an edge to the viewer', async () => {
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

  it('is told for each entry', async () => {
    const answer = await getEdge(grace, { id: ENGINE, edge: 'feed', fields: 'viewer_likes' })
    expect(answer.data).toEqual([
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

describe('an edge or a ref without its scope', () => {
  it('is refused as a field of a node and as an edge', async () => {
    for (const promise of [
      getEdge(stranger, { id: ADA, edge: 'photos' }),
      getNode(stranger, { id: ADA, fields: 'photos' }),
      getNode(stranger, { id: ENGINE, fields: 'likes{friends}' }),
    ]) {
      const fault = await faultOf(promise)
      expect(fault).toMatchObject({ code: 200, status: 403, type: 'OAuthException' })
      expect(fault.data.reason).toBe('scope_missing')
    }
  })

  it('is named with its scope', async () => {
    const fault = await faultOf(getEdge(stranger, { id: ADA, edge: 'photos' }))
    expect(fault.data).toEqual({
      reason: 'scope_missing',
      scope: 'user_photos',
      name: 'photos',
      type: 'user',
    })
    expect(fault.message).toBe('(#200) photos of user requires the scope user_photos')
  })

  it('is open where the schema names none', async () => {
    const answer = await getEdge(stranger, { id: NEWEST_PHOTO, edge: 'comments', fields: 'id' })
    expect(idsOf(answer)).toEqual(['401', '402', '403'])
  })
})
