import { createGraph, defineSchema, edge, field, node, socialSchema } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import {
  ADA,
  ALAN,
  COMPILERS,
  createWorld,
  createWorldStore,
  EDSGER,
  ENGINE,
  FIRST_COMMENT,
  GRACE,
  NEWEST_PHOTO,
  NEWEST_TIME_TEXT,
  NOBODY,
  STATUS,
} from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const { graph, ada, unscoped, page, app } = await createWorld()
const { getMe, getNode } = graph

describe('getNode', () => {
  it('returns the default fields of a user, name and id', async () => {
    expect(await getNode(ada, { id: GRACE })).toEqual({ name: 'Grace Hopper', id: GRACE })
  })

  it.each([
    ['user', ADA, { name: 'Ada Lovelace', id: ADA }],
    ['page', ENGINE, { name: 'The Analytical Engine', id: ENGINE }],
    ['group', COMPILERS, { name: 'Compilers', id: COMPILERS }],
    ['post', STATUS, { created_time: NEWEST_TIME_TEXT, message: 'It works.', id: STATUS }],
    ['photo', NEWEST_PHOTO, { created_time: NEWEST_TIME_TEXT, id: NEWEST_PHOTO }],
    [
      'comment',
      FIRST_COMMENT,
      { created_time: '2014-08-03T17:41:10+0000', message: 'Comment 1', id: FIRST_COMMENT },
    ],
  ])('returns a node of each type with its default fields: %s', async (_, id, expected) => {
    const result = await getNode(ada, { id })
    expect(JSON.stringify(result)).toBe(JSON.stringify(expected))
  })

  it('returns the fields in `fields` instead of the default fields', async () => {
    const result = await getNode(ada, { id: ADA, fields: 'first_name,last_name' })
    expect(result).toEqual({ first_name: 'Ada', last_name: 'Lovelace', id: ADA })
  })

  it('returns the id last if it was not requested', async () => {
    const result = await getNode(ada, { id: ADA, fields: 'name' })
    expect(JSON.stringify(result)).toBe('{"name":"Ada Lovelace","id":"1"}')
  })

  it('returns the id in the requested position', async () => {
    const result = await getNode(ada, { id: ADA, fields: 'id,name' })
    expect(JSON.stringify(result)).toBe('{"id":"1","name":"Ada Lovelace"}')
  })

  it('returns fields in the requested order', async () => {
    const result = await getNode(ada, { id: ADA, fields: 'last_name,id,email,first_name' })
    expect(Object.keys(result)).toEqual(['last_name', 'id', 'email', 'first_name'])
  })

  it('accepts `fields` as a list of expressions', async () => {
    const listed = await getNode(ada, { id: ADA, fields: ['first_name', 'last_name,email'] })
    const joined = await getNode(ada, { id: ADA, fields: 'first_name,last_name,email' })
    expect(JSON.stringify(listed)).toBe(JSON.stringify(joined))
  })

  it.each([undefined, '', ' \n', []])('returns the default fields if `fields` is %o', async fields => {
    expect(await callUntyped(getNode, ada, { id: ADA, fields })).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('leaves out a field without a value instead of returning null', async () => {
    const result = await getNode(ada, {
      id: EDSGER,
      fields: 'first_name,email,birthday,age_range,name,about',
    })
    expect(JSON.stringify(result)).toBe('{"name":"Edsger Dijkstra","id":"5"}')
  })

  it('returns ids as numeric strings', async () => {
    const result = await getNode(ada, { id: NEWEST_PHOTO, fields: 'id,from{id}' })
    expect(result).toEqual({ id: NEWEST_PHOTO, from: { id: ADA } })
  })

  it('treats a node of another type than the given type as missing', async () => {
    expect(await getNode(ada, { id: ADA, type: 'user' })).toEqual({ name: 'Ada Lovelace', id: ADA })
    const error = await expectGraphError(getNode(ada, { id: ADA, type: 'page' }))
    const missing = await expectGraphError(getNode(ada, { id: NOBODY, type: 'page' }))
    expect(error.message).toBe(missing.message.replaceAll(NOBODY, ADA))
    expect(error.data).toEqual({ ...missing.data, id: ADA })
  })

  it('returns objects that the caller may change without changing later results', async () => {
    const readFields = () =>
      callUntyped(getNode, ada, { id: ADA, fields: 'name,picture,photos.limit(2){from}', metadata: true })
    const before = JSON.stringify(await readFields())
    const spoil = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      for (const name of Object.keys(value)) {
        spoil(Reflect.get(value, name))
        expect(Reflect.set(value, name, 'spoilt')).toBe(true)
      }
    }
    spoil(await readFields())
    expect(JSON.stringify(await readFields())).toBe(before)
  })
})

describe('the id me', () => {
  it('is the person that the token represents', async () => {
    expect(await getMe(ada)).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('is the page that the token represents', async () => {
    expect(await getMe(page)).toEqual({ name: 'The Analytical Engine', id: ENGINE })
  })

  it('can be read with the option fields', async () => {
    expect(await getMe(ada, { fields: 'first_name' })).toEqual({ first_name: 'Ada', id: ADA })
  })

  it('is accepted wherever an id is', async () => {
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

  it('is rejected for the token of an app', async () => {
    const error = await expectGraphError(getMe(app))
    expect(error).toMatchObject({ code: 2500, status: 400, reason: 'viewer_required' })
  })

  it('leaves out fields of other viewer types, and rejects fields that no viewer type has', async () => {
    expect(await callUntyped(getMe, ada, { fields: 'name,category' })).toEqual({
      name: 'Ada Lovelace',
      id: ADA,
    })
    expect(await callUntyped(getMe, page, { fields: 'category,email' })).toEqual({
      category: 'Machine',
      id: ENGINE,
    })
    const error = await expectGraphError(callUntyped(getMe, ada, { fields: 'message' }))
    expect(error.toJSON().error.error_data).toMatchObject({ reason: 'field_not_found', name: 'message' })
  })

  it('is rejected as a missing node if the viewer no longer exists', async () => {
    const ghost = graph.session({ viewer: NOBODY, app: 'demo', scopes: [] })
    expect((await expectGraphError(getMe(ghost))).reason).toBe('node_not_found')
  })

  it('is rejected as a missing node if the type of the viewer is not a viewer type', async () => {
    const group = graph.session({ viewer: COMPILERS, app: 'demo', scopes: [] })
    expect((await expectGraphError(getMe(group))).reason).toBe('node_not_found')
    expect(await getNode(group, { id: COMPILERS })).toEqual({ name: 'Compilers', id: COMPILERS })
  })
})

describe('a field that requires a scope', () => {
  it('is returned to a token with the scope', async () => {
    expect(await getMe(ada, { fields: 'name,email' })).toEqual({
      name: 'Ada Lovelace',
      email: 'ada@example.org',
      id: ADA,
    })
  })

  it('is left out for a token without the scope', async () => {
    expect(await getMe(unscoped, { fields: 'name,email,birthday' })).toEqual({
      name: 'Ada Lovelace',
      id: ADA,
    })
  })

  it('is left out of nested selections too', async () => {
    const few = graph.session({ viewer: ADA, app: 'demo', scopes: ['user_friends'] })
    const result = await getMe(few, { fields: 'friends.limit(1){name,email}' })
    expect(result).toMatchObject({ friends: { data: [{ name: 'Alan Turing', id: ALAN }] } })
    expect(JSON.stringify(result)).not.toContain('email":')
  })
})

describe('a stored node that does not fit the schema', () => {
  it('is treated as missing if its type is unknown', async () => {
    const schema = defineSchema({
      user: node({ fields: { name: field.string({ default: true }) }, edges: { friends: edge('user') } }),
    })
    const { getNode, session } = createGraph(await createWorldStore(), { schema })
    const ada = session({ viewer: ADA, app: 'demo', scopes: [] })
    expect((await expectGraphError(callUntyped(getNode, ada, { id: ENGINE }))).reason).toBe('node_not_found')
  })

  it('is returned without its invalid values', async () => {
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
      schema: socialSchema.extend({}, { defaultPicture: undefined }),
    })
    const ada = session({ viewer: '1', app: 'demo', scopes: ['user_birthday'] })
    const result = await getNode(ada, {
      id: '1',
      fields: 'name,link,updated_time,birthday,age_range,picture',
    })
    expect(result).toEqual({ id: '1' })
  })
})
