import { describe, expect, it } from 'vitest'
import {
  ADA,
  ALAN,
  COMPILERS,
  createWorld,
  EDSGER,
  ENGINE,
  GRACE,
  NEWEST_FIRST,
  NEWEST_PHOTO,
  NEWEST_TEXT,
  NOTICE,
  ORPHAN,
  STATUS,
} from '../../helpers/world.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'

const { graph, ada, stranger, grace } = await createWorld()
const { getEdge, getEdges, getNode, getNodes, hasEdge, iterateEdge } = graph

/** The ids of a page's entries. */
const idsOf = (page: { readonly data: readonly object[] }): unknown[] =>
  page.data.map(entry => Reflect.get(entry, 'id'))

describe('GET {base_url}/<node_id>/<edge_name>', () => {
  it('answers the connected nodes in `data`', async () => {
    const answer = await getEdge(ada, { id: ADA, edge: 'friends' })
    expect(answer.data).toEqual([
      { name: 'Alan Turing', id: ALAN },
      { name: 'Grace Hopper', id: GRACE },
    ])
  })

  it('answers photos as created_time and id by default', async () => {
    const answer = await getEdge(ada, { id: ADA, edge: 'photos', limit: 1 })
    expect(JSON.stringify(answer.data)).toBe(`[{"created_time":"${NEWEST_TEXT}","id":"${NEWEST_PHOTO}"}]`)
  })

  it('takes fields for each entry', async () => {
    const answer = await getEdge(ada, { id: ADA, edge: 'photos', limit: 2, fields: 'width,from{first_name}' })
    expect(answer.data).toEqual([
      { width: 640, from: { first_name: 'Ada', id: ADA }, id: '154' },
      { width: 640, from: { first_name: 'Ada', id: ADA }, id: '153' },
    ])
  })

  it('answers an empty edge as empty data, without cursors', async () => {
    expect(await getEdge(ada, { id: EDSGER, edge: 'photos' })).toEqual({ data: [] })
  })

  it('answers the id in its place where it was asked for', async () => {
    const answer = await getEdge(ada, { id: ADA, edge: 'friends', limit: 1, fields: 'id,name' })
    expect(JSON.stringify(answer.data)).toBe('[{"id":"3","name":"Alan Turing"}]')
  })

  it('has 25 entries where no limit is asked, and at most 100', async () => {
    expect((await getEdge(ada, { id: ADA, edge: 'photos' })).data).toHaveLength(25)
    expect((await getEdge(ada, { id: ADA, edge: 'photos', limit: 100 })).data).toHaveLength(60)
    expect((await getEdge(ada, { id: ADA, edge: 'photos', limit: 1_000_000 })).data).toHaveLength(60)
  })

  it('asks the source to be of the type that is named', async () => {
    expect((await getEdge(ada, { id: ADA, type: 'user', edge: 'likes' })).data).toHaveLength(1)
    const fault = await faultOf(getEdge(ada, { id: ADA, type: 'page', edge: 'likes' }))
    expect(fault.data.reason).toBe('node_missing')
  })

  it('begins with data, then paging, then summary', async () => {
    const answer = await loosely(getEdge, ada, { id: ADA, edge: 'photos', limit: 1, summary: true })
    expect(Object.keys(Object(answer))).toEqual(['data', 'paging', 'summary'])
  })
})

describe('the order of an edge', () => {
  it('is the newest first, and of equal times the larger number first', async () => {
    expect(idsOf(await getEdge(ada, { id: ADA, edge: 'photos', limit: 100 }))).toEqual(NEWEST_FIRST)
  })

  it('is the exact reverse when chronological', async () => {
    const answer = await getEdge(ada, { id: ADA, edge: 'photos', limit: 100, order: 'chronological' })
    expect(idsOf(answer)).toEqual(NEWEST_FIRST.toReversed())
  })

  it('is chronological for comments', async () => {
    expect(idsOf(await getEdge(ada, { id: NEWEST_PHOTO, edge: 'comments' }))).toEqual(['401', '402', '403'])
  })

  it('can be asked inside an expression', async () => {
    const fields = 'comments.order(reverse_chronological){id}'
    const answer = await loosely(getNode, ada, { id: NEWEST_PHOTO, fields })
    expect(answer).toMatchObject({ comments: { data: [{ id: '403' }, { id: '402' }, { id: '401' }] } })
  })
})

describe('a summary', () => {
  it('tells the order and the number of all edges, whatever the page', async () => {
    const answer = await loosely(getEdge, ada, { id: ADA, edge: 'photos', limit: 1, summary: true })
    expect(answer).toMatchObject({ summary: { order: 'reverse_chronological', total_count: 60 } })
    expect(JSON.stringify(Object(answer).summary)).toBe('{"order":"reverse_chronological","total_count":60}')
  })

  it('does not count by since and until', async () => {
    const answer = await loosely(getEdge, ada, { id: ADA, edge: 'photos', since: NEWEST_TEXT, summary: true })
    expect(answer).toMatchObject({ summary: { total_count: 60 } })
    expect(Object(answer).data).toHaveLength(3)
  })

  it('tells the order that was asked', async () => {
    const call = { id: ADA, edge: 'photos', order: 'chronological', summary: true }
    expect(await loosely(getEdge, ada, call)).toMatchObject({ summary: { order: 'chronological' } })
  })

  it('is 0 for an empty edge', async () => {
    const answer = await loosely(getEdge, ada, { id: EDSGER, edge: 'photos', summary: true })
    expect(answer).toEqual({ data: [], summary: { order: 'reverse_chronological', total_count: 0 } })
  })

  it('is there only where it is asked for', async () => {
    expect(await loosely(getEdge, ada, { id: ADA, edge: 'photos', summary: false })).not.toHaveProperty(
      'summary',
    )
  })

  it.each(['true', '1'])('can be asked inside an expression as %s', async word => {
    const answer = await loosely(getNode, ada, {
      id: NEWEST_PHOTO,
      fields: `likes.limit(1).summary(${word})`,
    })
    expect(answer).toMatchObject({ likes: { data: [{ id: ALAN }], summary: { total_count: 2 } } })
  })
})

describe('since and until', () => {
  const seconds = (text: string): number => Date.parse(text) / 1000
  const AT = '2014-08-03T17:41:05Z'
  const ids = ['142', '141', '140']

  it.each([
    ['unix seconds', seconds(AT)],
    ['unix seconds as text', `${seconds(AT)}`],
    ['ISO 8601', AT],
    ['ISO 8601 without a colon', '2014-08-03T17:41:05+0000'],
    ['a Date', new Date(AT)],
  ])('are inclusive: %s', async (_, at) => {
    const answer = await getEdge(ada, { id: ADA, edge: 'photos', since: at, until: at, limit: 100 })
    expect(idsOf(answer)).toEqual(ids)
  })

  it('bound a list from one side', async () => {
    const late = await getEdge(ada, { id: ADA, edge: 'photos', since: AT, limit: 100 })
    const early = await getEdge(ada, { id: ADA, edge: 'photos', until: AT, limit: 100 })
    expect(idsOf(late)).toEqual(NEWEST_FIRST.slice(0, 15))
    expect(idsOf(early)).toEqual(NEWEST_FIRST.slice(12))
  })

  it('are empty where they cross', async () => {
    expect(await getEdge(ada, { id: ADA, edge: 'photos', since: 2_000_000_000, until: 0 })).toEqual({
      data: [],
    })
  })

  it('reach to the end of the second that until names', async () => {
    const { store, graph, ada } = await createWorld()
    const time = Date.parse(AT) + 999
    store.write([{ op: 'putEdge', edge: { source: ADA, name: 'photos', target: '95', time } }])
    const within = await graph.getEdge(ada, { id: ADA, edge: 'photos', since: AT, until: seconds(AT) })
    expect(idsOf(within)).toEqual(['95', ...ids])
  })

  it('can be asked inside an expression', async () => {
    const fields = `photos.since(${seconds(AT)}).until(2014-08-03T17:41:05Z){id}`
    const answer = await loosely(getNode, ada, { id: ADA, fields })
    expect(answer).toMatchObject({ photos: { data: ids.map(id => ({ id })) } })
  })
})

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

describe('several nodes', () => {
  it('are keyed by the ids as they were asked', async () => {
    expect(await getNodes(ada, { ids: [GRACE, 'me', GRACE], fields: 'name' })).toEqual({
      [GRACE]: { name: 'Grace Hopper', id: GRACE },
      me: { name: 'Ada Lovelace', id: ADA },
    })
  })

  it('may be of several types, each with its defaults', async () => {
    expect(await getNodes(ada, { ids: [ADA, STATUS] })).toEqual({
      [ADA]: { name: 'Ada Lovelace', id: ADA },
      [STATUS]: { created_time: NEWEST_TEXT, message: 'It works.', id: STATUS },
    })
  })

  it('are all or nothing', async () => {
    const fault = await faultOf(getNodes(ada, { ids: [ADA, '999', GRACE] }))
    expect(fault.data).toMatchObject({ reason: 'node_missing', id: '999' })
  })

  it('may be none', async () => {
    expect(await getNodes(ada, { ids: [] })).toEqual({})
  })
})

describe('the edges of several nodes', () => {
  it('are keyed by the ids as they were asked, each in its envelope', async () => {
    const answer = await getEdges(ada, { ids: ['me', EDSGER], edge: 'friends', limit: 1, fields: 'name' })
    expect(answer).toEqual({
      me: await getEdge(ada, { id: ADA, edge: 'friends', limit: 1, fields: 'name' }),
      [EDSGER]: { data: [] },
    })
  })

  it('may start from several types', async () => {
    const answer = await getEdges(ada, { ids: [ADA, ENGINE], edge: 'likes' })
    expect(answer).toMatchObject({
      [ADA]: { data: [{ name: 'The Analytical Engine', id: ENGINE }] },
      [ENGINE]: { data: [{ name: 'Ada Lovelace', id: ADA }] },
    })
  })

  it('must be of the type that is named', async () => {
    const fault = await faultOf(loosely(getEdges, ada, { ids: [ADA, ENGINE], type: 'user', edge: 'likes' }))
    expect(fault.data).toMatchObject({ reason: 'node_missing', id: ENGINE })
  })
})

describe('hasEdge', () => {
  it('tells whether there is such an edge', async () => {
    expect(await hasEdge(ada, { id: ADA, edge: 'friends', target: GRACE })).toBe(true)
    expect(await hasEdge(ada, { id: ADA, edge: 'friends', target: EDSGER })).toBe(false)
    expect(await hasEdge(ada, { id: ADA, edge: 'friends', target: '999' })).toBe(false)
  })

  it('needs the source, the name and the scope', async () => {
    const reasonOf = async (call: object, caller = ada) =>
      (await faultOf(loosely(hasEdge, caller, call))).data.reason
    expect(await reasonOf({ id: '999', edge: 'friends', target: ADA })).toBe('node_missing')
    expect(await reasonOf({ id: ADA, edge: 'members', target: ADA })).toBe('unknown_field')
    expect(await reasonOf({ id: ADA, edge: 'name', target: ADA })).toBe('unknown_field')
    expect(await reasonOf({ id: ADA, edge: 'friends', target: GRACE }, stranger)).toBe('scope_missing')
    expect(await reasonOf({ id: ADA, edge: 'friends', target: 'Grace' })).toBe('bad_parameter')
  })
})

describe('iterateEdge', () => {
  const all = async (call: object): Promise<unknown[]> => {
    const ids: unknown[] = []
    const entries = Reflect.apply(iterateEdge, undefined, [ada, { id: 'me', edge: 'photos', ...call }])
    for await (const entry of entries) ids.push(Reflect.get(entry, 'id'))
    return ids
  }

  it.each([1, 7, 20, 60, 100])('answers all entries in order, whatever the page: %d', async limit => {
    expect(await all({ limit })).toEqual(NEWEST_FIRST)
  })

  it('may start behind a cursor, in any order, in a window', async () => {
    const first = await getEdge(ada, { id: 'me', edge: 'photos', limit: 10 })
    expect(await all({ limit: 9, after: first.paging?.cursors.after })).toEqual(NEWEST_FIRST.slice(10))
    expect(await all({ limit: 9, order: 'chronological' })).toEqual(NEWEST_FIRST.toReversed())
    expect(await all({ limit: 2, since: NEWEST_TEXT })).toEqual(NEWEST_FIRST.slice(0, 3))
  })

  it('reads no further than it is asked to', async () => {
    const { graph, ada, store } = await createWorld()
    for await (const entry of graph.iterateEdge(ada, { id: ADA, edge: 'photos', limit: 5 })) {
      expect(entry).toEqual({ created_time: NEWEST_TEXT, id: NEWEST_PHOTO })
      break
    }
    store.close()
  })

  it('faults where the first entry is asked for', async () => {
    const entries = iterateEdge(stranger, { id: 'me', edge: 'photos' })
    const fault = await faultOf(entries[Symbol.asyncIterator]().next())
    expect(fault.data.reason).toBe('scope_missing')
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
