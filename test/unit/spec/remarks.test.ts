import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { ADA, COMPILERS, createWorld, EDSGER, GRACE, NOBODY } from '../../helpers/world.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'

const { graph, ada, stranger } = await createWorld()
const { getEdge, getEdges, getMe, getNode, getNodes } = graph

const remarksOf = (answer: unknown): unknown[] | undefined => Object(answer).__debug__?.messages

describe("debug: 'all'", () => {
  it('tells of fields that were left out for a scope', async () => {
    const answer = await loosely(getMe, stranger, { fields: 'name,email,birthday', debug: 'all' })
    expect(answer).toEqual({
      name: 'Ada Lovelace',
      id: ADA,
      __debug__: {
        messages: [
          { message: 'Field email of user is left out: the token lacks the scope email', type: 'warning' },
          {
            message: 'Field birthday of user is left out: the token lacks the scope user_birthday',
            type: 'warning',
          },
        ],
      },
    })
  })

  it('tells of those on lower levels, once each', async () => {
    const few = graph.session({ viewer: ADA, app: 'demo', scopes: ['user_friends'] })
    const answer = await loosely(getMe, few, { fields: 'email,friends{email}', debug: 'all' })
    expect(remarksOf(answer)).toEqual([
      { message: 'Field email of user is left out: the token lacks the scope email', type: 'warning' },
    ])
  })

  it('has nothing to tell of a good answer', async () => {
    expect(remarksOf(await loosely(getMe, ada, { fields: 'email', debug: 'all' }))).toEqual([])
    expect(remarksOf(await loosely(getEdge, ada, { id: ADA, edge: 'friends', debug: 'all' }))).toEqual([])
  })

  it('comes last, and only where it is asked for', async () => {
    const answer = await loosely(getMe, ada, { metadata: true, debug: 'all' })
    expect(Object.keys(Object(answer))).toEqual(['name', 'metadata', 'id', '__debug__'])
    expect(remarksOf(await getMe(stranger, { fields: 'email' }))).toBeUndefined()
  })

  it('says the same whatever the data is', async () => {
    const call = { fields: 'email,friends{email}', debug: 'all' }
    const few = graph.session({ viewer: ADA, app: 'demo', scopes: ['user_friends'] })
    const full = await loosely(getNode, few, { id: ADA, ...call })
    const empty = await loosely(getNode, few, { id: EDSGER, ...call })
    expect(remarksOf(empty)).toEqual(remarksOf(full))
  })

  it('tells of what is deprecated, and what to use instead', async () => {
    const store = createMemoryStore()
    store.write([{ op: 'putNode', node: { id: '1', type: 'person', fields: { phone: '12' } } }])
    const schema = defineSchema({
      person: node({
        fields: { phone: field.string({ deprecated: 'ask for mobile' }) },
        edges: { friends: edge('person') },
      }),
    })
    const { getMe, session } = createGraph(store, { schema })
    const viewer = session({ viewer: '1', app: 'demo', scopes: [] })
    expect(await loosely(getMe, viewer, { fields: 'phone,friends{phone}', debug: 'all' })).toMatchObject({
      phone: '12',
      __debug__: {
        messages: [{ message: 'Field phone of person is deprecated: ask for mobile', type: 'warning' }],
      },
    })
  })
})

describe('partial: true', () => {
  it('turns unknown fields into messages', async () => {
    const answer = await loosely(getMe, ada, { fields: 'name,nmae,friends.limit(1){id,shoe}', partial: true })
    expect(answer).toMatchObject({ name: 'Ada Lovelace', friends: { data: [{ id: '3' }] }, id: ADA })
    expect(remarksOf(answer)).toEqual([
      { message: expect.stringContaining('nonexisting field (nmae) on node type (user'), type: 'warning' },
      { message: expect.stringContaining('nonexisting field (shoe) on node type (user'), type: 'warning' },
    ])
  })

  it('leaves out ids at fault, each with a message', async () => {
    const answer = await loosely(getNodes, ada, { ids: [GRACE, NOBODY], partial: true })
    expect(answer).toMatchObject({ [GRACE]: { name: 'Grace Hopper', id: GRACE } })
    expect(Object.keys(Object(answer))).toEqual([GRACE, '__debug__'])
    expect(remarksOf(answer)).toEqual([
      { message: expect.stringContaining(`The node ${NOBODY}`), type: 'warning' },
    ])
  })

  it('leaves out sources at fault, missing ones and those without the edge', async () => {
    const answer = await loosely(getEdges, ada, {
      ids: [ADA, NOBODY, COMPILERS],
      edge: 'friends',
      partial: true,
    })
    expect(Object.keys(Object(answer))).toEqual([ADA, '__debug__'])
    expect(remarksOf(answer)).toHaveLength(2)
  })

  it('says nothing where nothing is at fault', async () => {
    expect(await loosely(getMe, ada, { partial: true })).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it.each([
    ['syntax', { fields: 'name,' }],
    ['bad_parameter', { fields: 'photos.limit(0)' }],
    ['node_missing', { id: NOBODY }],
    ['token_missing', { token: '' }],
    ['scope_missing', { token: stranger, fields: 'friends' }],
    ['too_costly', { fields: 'photos.limit(100){comments.limit(100){comments.limit(100)}}' }],
  ])(
    'forgives no other fault: %s',
    async (reason, { token = ada, ...call }: { token?: unknown; id?: string; fields?: string }) => {
      const fault = await faultOf(loosely(getNode, token, { id: ADA, ...call, partial: true }))
      expect(fault.data.reason).toBe(reason)
    },
  )
})
