import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { ADA, COMPILERS, createWorld, EDSGER, GRACE, NOBODY } from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const { graph, ada, unscoped } = await createWorld()
const { getEdge, getEdges, getMe, getNode, getNodes } = graph

const debugMessagesOf = (result: unknown): unknown[] | undefined => Object(result).__debug__?.messages

describe("debug: 'all'", () => {
  it('reports fields that are left out for a missing scope', async () => {
    const result = await callUntyped(getMe, unscoped, { fields: 'name,email,birthday', debug: 'all' })
    expect(result).toEqual({
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

  it('reports a left-out field once, even if several levels request it', async () => {
    const few = graph.session({ viewer: ADA, app: 'demo', scopes: ['user_friends'] })
    const result = await callUntyped(getMe, few, { fields: 'email,friends{email}', debug: 'all' })
    expect(debugMessagesOf(result)).toEqual([
      { message: 'Field email of user is left out: the token lacks the scope email', type: 'warning' },
    ])
  })

  it('returns no messages if nothing is left out', async () => {
    expect(debugMessagesOf(await callUntyped(getMe, ada, { fields: 'email', debug: 'all' }))).toEqual([])
    expect(
      debugMessagesOf(await callUntyped(getEdge, ada, { id: ADA, edge: 'friends', debug: 'all' })),
    ).toEqual([])
  })

  it('adds __debug__ as the last member of the result, and only on request', async () => {
    const result = await callUntyped(getMe, ada, { metadata: true, debug: 'all' })
    expect(Object.keys(Object(result))).toEqual(['name', 'metadata', 'id', '__debug__'])
    expect(debugMessagesOf(await getMe(unscoped, { fields: 'email' }))).toBeUndefined()
  })

  it('returns the same messages whatever the data is', async () => {
    const call = { fields: 'email,friends{email}', debug: 'all' }
    const few = graph.session({ viewer: ADA, app: 'demo', scopes: ['user_friends'] })
    const full = await callUntyped(getNode, few, { id: ADA, ...call })
    const empty = await callUntyped(getNode, few, { id: EDSGER, ...call })
    expect(debugMessagesOf(empty)).toEqual(debugMessagesOf(full))
  })

  it('reports deprecated fields with their replacement', async () => {
    const store = createMemoryStore()
    store.write([{ op: 'putNode', node: { id: '1', type: 'person', fields: { phone: '12' } } }])
    const schema = defineSchema({
      person: node({
        fields: { phone: field.string({ deprecated: 'use mobile' }) },
        edges: { friends: edge('person') },
      }),
    })
    const { getMe, session } = createGraph(store, { schema })
    const viewer = session({ viewer: '1', app: 'demo', scopes: [] })
    expect(await callUntyped(getMe, viewer, { fields: 'phone,friends{phone}', debug: 'all' })).toMatchObject({
      phone: '12',
      __debug__: {
        messages: [{ message: 'Field phone of person is deprecated: use mobile', type: 'warning' }],
      },
    })
  })
})

describe('partial: true', () => {
  it('turns unknown fields into messages', async () => {
    const result = await callUntyped(getMe, ada, {
      fields: 'name,nmae,friends.limit(1){id,shoe}',
      partial: true,
    })
    expect(result).toMatchObject({ name: 'Ada Lovelace', friends: { data: [{ id: '3' }] }, id: ADA })
    expect(debugMessagesOf(result)).toEqual([
      { message: expect.stringContaining('nonexisting field (nmae) on node type (user'), type: 'warning' },
      { message: expect.stringContaining('nonexisting field (shoe) on node type (user'), type: 'warning' },
    ])
  })

  it('leaves out missing nodes, each with a message', async () => {
    const result = await callUntyped(getNodes, ada, { ids: [GRACE, NOBODY], partial: true })
    expect(result).toMatchObject({ [GRACE]: { name: 'Grace Hopper', id: GRACE } })
    expect(Object.keys(Object(result))).toEqual([GRACE, '__debug__'])
    expect(debugMessagesOf(result)).toEqual([
      { message: expect.stringContaining(`The node ${NOBODY}`), type: 'warning' },
    ])
  })

  it('leaves out sources that are missing or lack the edge, each with a message', async () => {
    const result = await callUntyped(getEdges, ada, {
      ids: [ADA, NOBODY, COMPILERS],
      edge: 'friends',
      partial: true,
    })
    expect(Object.keys(Object(result))).toEqual([ADA, '__debug__'])
    expect(debugMessagesOf(result)).toHaveLength(2)
  })

  it('adds no messages if nothing is left out', async () => {
    expect(await callUntyped(getMe, ada, { partial: true })).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it.each([
    ['invalid_syntax', { fields: 'name,' }],
    ['invalid_parameter', { fields: 'photos.limit(0)' }],
    ['node_not_found', { id: NOBODY }],
    ['token_missing', { token: '' }],
    ['scope_missing', { token: unscoped, fields: 'friends' }],
    ['query_too_expensive', { fields: 'photos.limit(100){comments.limit(100){comments.limit(100)}}' }],
  ])(
    'does not suppress other errors: %s',
    async (reason, { token = ada, ...call }: { token?: unknown; id?: string; fields?: string }) => {
      const error = await expectGraphError(callUntyped(getNode, token, { id: ADA, ...call, partial: true }))
      expect(error.reason).toBe(reason)
    },
  )
})
