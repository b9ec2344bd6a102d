import { createGraph, defineSchema, edge, field, node, socialSchema } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import {
  ADA,
  ALAN,
  COMPILERS,
  createWorld,
  EDSGER,
  ENGINE,
  FIRST_COMMENT,
  GRACE,
  NEWEST_PHOTO,
  NEWEST_TEXT,
  NOBODY,
  STATUS,
  worldStore,
} from '../../helpers/world.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'

const { graph, ada, stranger, page, app } = await createWorld()
const { getMe, getNode } = graph

describe('GET {base_url}/<node_id>', () => {
  it('answers the default fields of a user, name and id', async () => {
    expect(await getNode(ada, { id: GRACE })).toEqual({ name: 'Grace Hopper', id: GRACE })
  })

  it.each([
    ['user', ADA, { name: 'Ada Lovelace', id: ADA }],
    ['page', ENGINE, { name: 'The Analytical Engine', id: ENGINE }],
    ['group', COMPILERS, { name: 'Compilers', id: COMPILERS }],
    ['post', STATUS, { created_time: NEWEST_TEXT, message: 'It works.', id: STATUS }],
    ['photo', NEWEST_PHOTO, { created_time: NEWEST_TEXT, id: NEWEST_PHOTO }],
    [
      'comment',
      FIRST_COMMENT,
      { created_time: '2014-08-03T17:41:10+0000', message: 'Comment 1', id: FIRST_COMMENT },
    ],
  ])('answers each of the six kinds of node by its id: a %s', async (_, id, expected) => {
    const answer = await getNode(ada, { id })
    expect(JSON.stringify(answer)).toBe(JSON.stringify(expected))
  })

  it('replaces the default fields by those that `fields` lists', async () => {
    const answer = await getNode(ada, { id: ADA, fields: 'first_name,last_name' })
    expect(answer).toEqual({ first_name: 'Ada', last_name: 'Lovelace', id: ADA })
  })

  it('always answers the id, last where it was not asked for', async () => {
    const answer = await getNode(ada, { id: ADA, fields: 'name' })
    expect(JSON.stringify(answer)).toBe('{"name":"Ada Lovelace","id":"1"}')
  })

  it('answers the id in its place where it was asked for', async () => {
    const answer = await getNode(ada, { id: ADA, fields: 'id,name' })
    expect(JSON.stringify(answer)).toBe('{"id":"1","name":"Ada Lovelace"}')
  })

  it('answers fields in the order asked', async () => {
    const answer = await getNode(ada, { id: ADA, fields: 'last_name,id,email,first_name' })
    expect(Object.keys(answer)).toEqual(['last_name', 'id', 'email', 'first_name'])
  })

  it('takes `fields` as a list of expressions too', async () => {
    const listed = await getNode(ada, { id: ADA, fields: ['first_name', 'last_name,email'] })
    const joined = await getNode(ada, { id: ADA, fields: 'first_name,last_name,email' })
    expect(JSON.stringify(listed)).toBe(JSON.stringify(joined))
  })

  it.each([undefined, '', ' \n', []])('answers the defaults where `fields` is %o', async fields => {
    expect(await loosely(getNode, ada, { id: ADA, fields })).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('leaves out a field without a value, instead of answering null', async () => {
    const answer = await getNode(ada, {
      id: EDSGER,
      fields: 'first_name,email,birthday,age_range,name,about',
    })
    expect(JSON.stringify(answer)).toBe('{"name":"Edsger Dijkstra","id":"5"}')
  })

  it('answers ids as numeric strings', async () => {
    const answer = await getNode(ada, { id: NEWEST_PHOTO, fields: 'id,from{id}' })
    expect(answer).toEqual({ id: NEWEST_PHOTO, from: { id: ADA } })
  })

  it('answers a node of the type asked for, and no other', async () => {
    expect(await getNode(ada, { id: ADA, type: 'user' })).toEqual({ name: 'Ada Lovelace', id: ADA })
    const fault = await faultOf(getNode(ada, { id: ADA, type: 'page' }))
    const missing = await faultOf(getNode(ada, { id: NOBODY, type: 'page' }))
    expect(fault.message).toBe(missing.message.replaceAll(NOBODY, ADA))
    expect(fault.data).toEqual({ ...missing.data, id: ADA })
  })

  it('may be changed by its caller without changing a later answer', async () => {
    const ask = () =>
      loosely(getNode, ada, { id: ADA, fields: 'name,picture,photos.limit(2){from}', metadata: true })
    const before = JSON.stringify(await ask())
    const spoil = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      for (const name of Object.keys(value)) {
        spoil(Reflect.get(value, name))
        expect(Reflect.set(value, name, 'spoilt')).toBe(true)
      }
    }
    spoil(await ask())
    expect(JSON.stringify(await ask())).toBe(before)
  })
})

describe('GET {base_url}/me', () => {
  it('is the person whose token is used', async () => {
    expect(await getMe(ada)).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('is the page whose token is used', async () => {
    expect(await getMe(page)).toEqual({ name: 'The Analytical Engine', id: ENGINE })
  })

  it('takes the fields of a node', async () => {
    expect(await getMe(ada, { fields: 'first_name' })).toEqual({ first_name: 'Ada', id: ADA })
  })

  it('is what the id is wherever an id may stand', async () => {
    expect(await getNode(ada, { id: 'me' })).toEqual(await getMe(ada))
    expect(await graph.getNodes(ada, { ids: ['me', GRACE] })).toEqual({
      me: { name: 'Ada Lovelace', id: ADA },
      [GRACE]: { name: 'Grace Hopper', id: GRACE },
    })
    expect(await graph.getEdge(ada, { id: 'me', edge: 'friends' })).toEqual(
      await graph.getEdge(ada, { id: ADA, edge: 'friends' }),
    )
    expect(await graph.hasEdge(ada, { id: 'me', edge: 'friends', target: GRACE })).toBe(true)
    expect(await graph.hasEdge(ada, { id: GRACE, edge: 'friends', target: 'me' })).toBe(true)
  })

  it('is nobody for the token of an app', async () => {
    const fault = await faultOf(getMe(app))
    expect(fault).toMatchObject({ code: 2500, status: 400, data: { reason: 'viewer_missing' } })
  })

  it('leaves out what only other viewers have, and refuses what no viewer has', async () => {
    expect(await loosely(getMe, ada, { fields: 'name,category' })).toEqual({ name: 'Ada Lovelace', id: ADA })
    expect(await loosely(getMe, page, { fields: 'category,email' })).toEqual({
      category: 'Machine',
      id: ENGINE,
    })
    const fault = await faultOf(loosely(getMe, ada, { fields: 'message' }))
    expect(fault.data).toMatchObject({ reason: 'unknown_field', name: 'message' })
  })

  it('is missing where the viewer is no longer there', async () => {
    const ghost = graph.session({ viewer: NOBODY, app: 'demo', scopes: [] })
    expect((await faultOf(getMe(ghost))).data.reason).toBe('node_missing')
  })

  it('is missing where the viewer is of a type that tokens cannot stand for', async () => {
    const group = graph.session({ viewer: COMPILERS, app: 'demo', scopes: [] })
    expect((await faultOf(getMe(group))).data.reason).toBe('node_missing')
    expect(await getNode(group, { id: COMPILERS })).toEqual({ name: 'Compilers', id: COMPILERS })
  })
})

describe('fields that need a scope', () => {
  it('are answered to a token that has it', async () => {
    expect(await getMe(ada, { fields: 'name,email' })).toEqual({
      name: 'Ada Lovelace',
      email: 'ada@example.org',
      id: ADA,
    })
  })

  it('are left out for a token without it', async () => {
    expect(await getMe(stranger, { fields: 'name,email,birthday' })).toEqual({
      name: 'Ada Lovelace',
      id: ADA,
    })
  })

  it('are left out on every level', async () => {
    const few = graph.session({ viewer: ADA, app: 'demo', scopes: ['user_friends'] })
    const answer = await getMe(few, { fields: 'friends.limit(1){name,email}' })
    expect(answer).toMatchObject({ friends: { data: [{ name: 'Alan Turing', id: ALAN }] } })
    expect(JSON.stringify(answer)).not.toContain('email":')
  })
})

describe('a store with nodes that the schema does not know', () => {
  it('answers them as missing', async () => {
    const schema = defineSchema({
      user: node({ fields: { name: field.string({ default: true }) }, edges: { friends: edge('user') } }),
    })
    const { getNode, session } = createGraph(await worldStore(), { schema })
    const ada = session({ viewer: ADA, app: 'demo', scopes: [] })
    expect((await faultOf(loosely(getNode, ada, { id: ENGINE }))).data.reason).toBe('node_missing')
  })

  it('leaves out stored values that no field of theirs can have', async () => {
    const store = createMemoryStore()
    const fields = {
      name: null,
      link: { not: 'a URL' },
      updated_time: 'soon',
      birthday: 'spring',
      picture: [],
    }
    store.write([{ op: 'putNode', node: { id: '1', type: 'user', fields } }])
    const { getNode, session } = createGraph(store, {
      schema: socialSchema.extend({}, { silhouette: undefined }),
    })
    const ada = session({ viewer: '1', app: 'demo', scopes: ['user_birthday'] })
    const answer = await getNode(ada, {
      id: '1',
      fields: 'name,link,updated_time,birthday,age_range,picture',
    })
    expect(answer).toEqual({ id: '1' })
  })
})
