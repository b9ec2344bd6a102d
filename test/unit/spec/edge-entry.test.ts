import { createGraph, defineSchema, edge, field, hasEdgeToViewer, node, parameter } from 'kithgraph'
import { createClient } from 'kithgraph/client'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const state = field.enum(['going', 'maybe'])

const schema = defineSchema(
  {
    user: node({ fields: { name: field.string({ default: true }) } }),
    event: node({
      fields: {
        title: field.string({ default: true }),
        going: field.viewerEdge('attendees'),
        state: field.viewerEdge('attendees', { field: 'state' }),
        seat: field.viewerEdge('attendees', { field: 'seat' }),
        answered: field.viewerEdge('attendees', { field: 'at' }),
        host_state: field.viewerEdge('people', { field: 'note', parameters: { kind: 'hosts' } }),
        guest_state: field.viewerEdge('people', { field: 'note' }),
        hidden_note: field.viewerEdge('staff', { field: 'note' }),
      },
      edges: {
        attendees: edge('user', {
          fields: { state, seat: field.int({ scope: 'seats' }), at: field.edgeTime() },
          parameters: { min_seat: parameter.int() },
          where: ({ data, time }, { min_seat: min = 0 }) => time > 0 && data.state === 'going' && min < 5,
        }),
        people: edge('user', {
          fields: { note: field.string() },
          parameters: { kind: parameter.enum(['guests', 'hosts'], { default: 'guests' }) },
          list: ({ kind }) => kind,
        }),
        staff: edge('user', {
          fields: { note: field.string() },
          policy: [hasEdgeToViewer('staff', { where: { note: 'chief' } })],
        }),
        computed: edge('user', { resolve: sources => sources.map(() => ({ entries: [], hasMore: false })) }),
      },
    }),
  },
  { viewers: ['user'] },
)

const store = countReads(createMemoryStore())
const graph = createGraph(store, { schema, secret: 'a secret of the tests' })
const putUser = (id: string, name: string) =>
  ({ op: 'putNode', node: { id, type: 'user', fields: { name } } }) as const
await graph.write([
  putUser('1', 'Ada'),
  putUser('2', 'Ben'),
  putUser('3', 'Cy'),
  { op: 'putNode', node: { id: '10', type: 'event', fields: { title: 'Chess' } } },
  { op: 'putNode', node: { id: '11', type: 'event', fields: { title: 'Go' } } },
  {
    op: 'putEdge',
    edge: { source: '10', name: 'attendees', target: '1', time: 5000, data: { state: 'going', seat: 7 } },
  },
  {
    op: 'putEdge',
    edge: { source: '10', name: 'attendees', target: '2', time: 6000, data: { state: 'maybe' } },
  },
  { op: 'putEdge', edge: { source: '11', name: 'attendees', target: '1', time: 7000 } },
  {
    op: 'putEdge',
    edge: { source: '10', name: 'people', target: '1', data: { note: 'h' }, parameters: { kind: 'hosts' } },
  },
  { op: 'putEdge', edge: { source: '10', name: 'staff', target: '1', time: 1, data: { note: 'chief' } } },
  { op: 'putEdge', edge: { source: '10', name: 'staff', target: '2', time: 1, data: { note: 'cook' } } },
])
const sessionOf = (viewer: string | undefined, ...scopes: string[]) =>
  graph.session({ viewer, app: 'demo', scopes })
const ada = sessionOf('1')
const event = { id: '10', type: 'event' } as const

describe('an entry of a list whose name depends on the type of its source', () => {
  const kind = parameter.enum(['guests', 'hosts'], { default: 'guests' })
  const peopleIn = (prefix: string) =>
    edge('user', {
      fields: { note: field.string() },
      parameters: { kind },
      list: ({ kind }) => `${prefix}_${kind}`,
    })

  it('is found with and without the type of the source', async () => {
    const schema = defineSchema(
      {
        user: node({}),
        event: node({ edges: { people: peopleIn('event') } }),
        club: node({ edges: { people: peopleIn('club') } }),
      },
      { viewers: ['user'] },
    )
    const graph = createGraph(createMemoryStore(), { schema })
    const parameters = { kind: 'hosts' } as const
    await graph.write([
      { op: 'putNode', node: { id: '1', type: 'user', fields: {} } },
      { op: 'putNode', node: { id: '10', type: 'event', fields: {} } },
      { op: 'putEdge', edge: { source: '10', name: 'people', target: '1', data: { note: 'h' }, parameters } },
    ])
    const session = graph.session({ viewer: '1', app: 'demo' })
    for (const type of ['event', undefined] as const) {
      const call = { id: '10', type, edge: 'people', target: '1' } as const
      expect(await callUntyped(graph.getEdgeEntry, session, { ...call, parameters, fields: 'note' })).toEqual(
        {
          note: 'h',
          id: '1',
        },
      )
      expect(await callUntyped(graph.hasEdge, session, { ...call, parameters })).toBe(true)
      expect(await callUntyped(graph.getEdgeEntry, session, { ...call, fields: 'note' })).toBeUndefined()
      expect(await callUntyped(graph.hasEdge, session, call)).toBe(false)
    }
  })
})

describe('getEdgeEntry', () => {
  const call = { ...event, edge: 'attendees', target: '1' } as const

  it('returns the fields of the node and of the edge, and its time', async () => {
    const entry = await graph.getEdgeEntry(ada, { ...call, fields: 'name,state,at' })
    expect(entry).toEqual({ name: 'Ada', state: 'going', at: '1970-01-01T00:00:05+0000', id: '1' })
    expect(await graph.getEdgeEntry(sessionOf('1', 'seats'), { ...call, fields: 'seat' })).toEqual({
      seat: 7,
      id: '1',
    })
    expect(await graph.getEdgeEntry(ada, { ...call, fields: 'seat' })).toEqual({ id: '1' })
  })

  it('returns undefined for an entry that the list does not contain', async () => {
    expect(await graph.getEdgeEntry(ada, { ...call, target: '3' })).toBeUndefined()
    expect(await graph.getEdgeEntry(ada, { ...call, target: '999' })).toBeUndefined()
    const parameters = { min_seat: 1 }
    expect(await graph.getEdgeEntry(ada, { ...call, target: '2', parameters })).toBeUndefined()
    expect(await graph.getEdgeEntry(ada, { ...call, target: '2' })).toEqual({ name: 'Ben', id: '2' })
    expect(await graph.getEdgeEntry(ada, { ...call, parameters })).toEqual({ name: 'Ada', id: '1' })
  })

  it('returns the entry of the list that its parameters choose', async () => {
    const people = { ...event, edge: 'people', target: 'me', fields: 'note' } as const
    expect(await graph.getEdgeEntry(ada, people)).toBeUndefined()
    expect(await graph.getEdgeEntry(ada, { ...people, parameters: { kind: 'hosts' } })).toEqual({
      note: 'h',
      id: '1',
    })
  })

  it('takes one store read, as hasEdge does, also with a filter', async () => {
    for (const method of [graph.getEdgeEntry, graph.hasEdge])
      for (const parameters of [{}, { min_seat: 1 }]) {
        store.clear()
        expect(await callUntyped(method, ada, { ...call, parameters })).toBeTruthy()
        expect(store.reads.map(({ requested }) => requested)).toEqual([
          { nodes: 2, ranges: 0, checks: 1, tokens: 0 },
        ])
      }
  })

  it('is an error for a computed edge, as hasEdge is', async () => {
    for (const method of [graph.getEdgeEntry, graph.hasEdge]) {
      const error = await expectGraphError(
        callUntyped(method, ada, { ...event, edge: 'computed', target: '1' }),
      )
      expect(error.message).toContain('must be an edge that is not computed')
    }
  })

  it('is undefined, as hasEdge is false, for a target of a type that the edge does not declare', async () => {
    await store.write(
      [{ op: 'putEdge', edge: { source: '10', name: 'staff', target: '11', time: 1, data: {} } }],
      {
        signal: undefined,
      },
    )
    const staff = { ...event, edge: 'staff', target: '11' } as const
    expect(await graph.getEdgeEntry(ada, staff)).toBeUndefined()
    expect(await graph.hasEdge(ada, staff)).toBe(false)
  })

  it('reports an unknown field before a missing scope, also with a filter', async () => {
    const members = edge('user', {
      scope: 'lists',
      parameters: { state: parameter.enum(['going', 'maybe']) },
      where: () => true,
    })
    const types = { user: node({}), event: node({ edges: { members } }) }
    const listGraph = createGraph(store, {
      schema: defineSchema(types, { viewers: ['user'] }),
      secret: 'a secret of the tests',
    })
    const session = listGraph.session({ viewer: '1', app: 'demo' })
    for (const parameters of [{}, { state: 'going' }]) {
      const lookup = { ...event, edge: 'members', target: '1', parameters }
      const readEntry = (fields: string) =>
        callUntyped(listGraph.getEdgeEntry, session, { ...lookup, fields })
      expect((await expectGraphError(readEntry('nothing'))).reason).toBe('field_not_found')
      expect((await expectGraphError(readEntry('id'))).reason).toBe('scope_missing')
      expect((await expectGraphError(callUntyped(listGraph.hasEdge, session, lookup))).reason).toBe(
        'scope_missing',
      )
    }
  })

  it('has the messages of `debug` if there is an entry', async () => {
    const entry = await graph.getEdgeEntry(ada, { ...call, fields: 'seat', debug: 'all' })
    expect(entry?.__debug__?.messages).toHaveLength(1)
    expect(await graph.getEdgeEntry(ada, { ...call, target: '3', debug: 'all' })).toBeUndefined()
  })

  it('returns the same results in the client', async () => {
    const handler = createHandler(graph)
    const fetch = async (input: string | URL | Request, init?: RequestInit) =>
      handler(new Request(input, init))
    const client = createClient<typeof schema>('http://graph.test', { fetch })
    const token = await graph.tokens.issue({ viewer: '1', app: 'demo', scopes: [] })
    for (const target of ['1', '2', '3', 'me'])
      for (const parameters of [{}, { min_seat: 2 }, { min_seat: 9 }]) {
        const options = { ...call, target, parameters, fields: 'name,state,at' } as const
        expect(await client.getEdgeEntry(token, options)).toEqual(await graph.getEdgeEntry(ada, options))
      }
  })
})

describe('a field about the edge of the viewer', () => {
  const read = async (fields: string, session = ada, id = '10') =>
    callUntyped(graph.getNode, session, { id, type: 'event', fields })

  it('returns a stored field or the time of the edge', async () => {
    expect(await read('going,state,answered')).toEqual({
      going: true,
      state: 'going',
      answered: '1970-01-01T00:00:05+0000',
      id: '10',
    })
  })

  it('is left out without an edge, without a value and without a viewer', async () => {
    expect(await read('going,state,answered', sessionOf('3'))).toEqual({ going: false, id: '10' })
    expect(await read('going,state', ada, '11')).toEqual({ going: true, id: '11' })
    expect(await read('going,state', sessionOf(undefined))).toEqual({ going: false, id: '10' })
  })

  it('requires the scope of the field of the edge', async () => {
    expect(await read('seat')).toEqual({ id: '10' })
    expect(await read('seat', sessionOf('1', 'seats'))).toEqual({ seat: 7, id: '10' })
    expect(graph.explain({ type: 'event', fields: 'seat' }).scopes).toEqual(['seats'])
  })

  it('is left out if the policy of the edge denies', async () => {
    expect(await read('hidden_note')).toEqual({ hidden_note: 'chief', id: '10' })
    expect(await read('hidden_note', sessionOf('2'))).toEqual({ id: '10' })
  })

  it('is about the list that its parameters choose', async () => {
    expect(await read('host_state,guest_state')).toEqual({ host_state: 'h', id: '10' })
  })

  it('costs 1 for each node, and takes one store read with other fields about the edge', async () => {
    const costOf = (fields: string): number =>
      graph.explain({ type: 'event', fields: fields as 'going' }).cost
    expect(costOf('state')).toBe(costOf('id') + 1)
    expect(costOf('answered')).toBe(costOf('id') + 1)
    store.clear()
    await read('going,state,answered')
    expect(store.reads).toHaveLength(2)
  })

  it('has the type of the field in metadata', async () => {
    const { metadata } = await graph.getNode(ada, { ...event, fields: 'metadata' })
    const typeOf = (name: string) => metadata?.fields.find(item => item.name === name)?.type
    expect([typeOf('going'), typeOf('state'), typeOf('seat'), typeOf('answered')]).toEqual([
      'bool',
      'enum',
      'int',
      'datetime',
    ])
  })
})
