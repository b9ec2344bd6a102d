import {
  collection,
  createGraph,
  defineSchema,
  edge,
  field,
  type GraphEvent,
  isGraphError,
  node,
  parameter,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { beforeEach, describe, expect, it } from 'vitest'

const schema = defineSchema(
  {
    person: node({
      fields: { name: field.string({ default: true }) },
      edges: {
        talks: edge('talk', {
          order: 'chronological',
          fields: { state: field.string() },
          parameters: { state: parameter.string() },
          where: ({ data }, { state }) => data.state === state,
        }),
      },
    }),
    talk: node({ fields: { title: field.string({ default: true }), room: field.string() } }),
  },
  {
    viewers: ['person'],
    collections: {
      talks: collection('talk', {
        parameters: { room: parameter.string() },
        reads: ['room'],
        where: ({ target }, { room }) => target.fields.room === room,
      }),
    },
  },
)

describe('a collection with the name of an edge', () => {
  const events: GraphEvent[] = []
  const graph = createGraph(createMemoryStore(), { schema, onEvent: event => events.push(event) })
  const session = graph.session({ viewer: '1', app: 'test' })
  const storeReadsOf = async (read: Promise<unknown>): Promise<number> => {
    events.length = 0
    await read
    return events.filter(({ kind }) => kind === 'read').length
  }
  const expectedOf = (read: Promise<unknown>): Promise<unknown> =>
    read.then(
      () => 'no error',
      (error: unknown) => isGraphError(error) && error.data.expected,
    )

  beforeEach(() =>
    graph.write([
      { op: 'putNode', node: { id: '1', type: 'person', fields: { name: 'Ada' } } },
      { op: 'putNode', node: { id: '10', type: 'talk', fields: { title: 'Looms', room: 'A' } } },
      { op: 'putEdge', edge: { source: '1', name: 'talks', target: '10', data: { state: 'booked' } } },
    ]),
  )

  it('has its own parameters, which errors name', async () => {
    const at = (id: string, parameters: object) =>
      graph.getEdge(session, { id, edge: 'talks', ...parameters })
    expect(await expectedOf(at('root', { parameters: { place: 'A' } }))).toBe('a parameter of talks: room')
    expect(await expectedOf(at('root', { parameters: { state: 'booked' } }))).toBe(
      'a parameter of talks: room',
    )
    expect(await expectedOf(at('me', { parameters: { room: 'A' } }))).toBe('a parameter of talks: state')
    expect(await at('root', { parameters: { room: 'A' } })).toMatchObject({ data: [{ id: '10' }] })
    expect(await at('me', { parameters: { state: 'booked' } })).toMatchObject({ data: [{ id: '10' }] })
  })

  it('is read in one store read, and so is the edge', async () => {
    for (const id of ['root', 'me', '1'])
      expect(await storeReadsOf(graph.getEdge(session, { id, edge: 'talks' }))).toBe(1)
  })

  it('finds its entries in hasEdge by its own parameters', async () => {
    const has = (id: string, parameters: object) =>
      graph.hasEdge(session, { id, edge: 'talks', target: '10', parameters })
    expect(await has('root', { room: 'A' })).toBe(true)
    expect(await has('root', { room: 'B' })).toBe(false)
    expect(await has('1', { state: 'booked' })).toBe(true)
    expect(await expectedOf(has('root', { state: 'booked' }))).toBe('a parameter of talks: room')
  })

  it('can be read together with edges of other sources, each with its own order', async () => {
    const lists = await graph.getEdges(session, { ids: ['root', '1'], edge: 'talks', fields: 'title' })
    expect(Object.keys(lists).sort()).toEqual(['1', 'root'])
    for (const { data } of Object.values(lists)) expect(data).toEqual([{ title: 'Looms', id: '10' }])
  })
})
