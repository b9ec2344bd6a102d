import { collection, createGraph, defineSchema, edge, field, type Mutation, node, parameter } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expectTypeOf, it } from 'vitest'
import type { PublicId } from '../../src/base/ids.ts'

const people = defineSchema(
  {
    person: node({
      fields: { name: field.string({ default: true }), born: field.datetime({ required: true }) },
      edges: {
        friends: edge('person'),
        notes: edge('note', {
          fields: { rank: field.int({ required: true }) },
          orders: { top: { by: 'rank' }, newest: 'time' },
        }),
      },
    }),
    note: node({ fields: { text: field.string({ required: true, default: true }) } }),
  },
  {
    viewers: ['person'],
    collections: {
      people: collection('person', { by: 'born', parameters: { q: parameter.string() }, where: () => true }),
    },
  },
)
const schema = people.extend({}, { collections: { notes: collection('note', { defaults: ['text'] }) } })
const graph = createGraph(createMemoryStore(), { schema })
const session = graph.session({ app: 'demo' })

describe('the option order', () => {
  const notes = { id: '1', type: 'person', edge: 'notes' } as const

  it('accepts the orders of all edges, and those that the edge declares', () => {
    for (const order of ['chronological', 'reverse_chronological', 'top', 'newest'] as const) {
      void graph.getEdge(session, { ...notes, order })
      void graph.iterateEdge(session, { ...notes, order })
    }
    // @ts-expect-error
    void graph.getEdge(session, { ...notes, order: 'tops' })
    // @ts-expect-error
    void graph.getEdge(session, { id: '1', type: 'person', edge: 'friends', order: 'top' })
    // @ts-expect-error
    void graph.getEdge(session, { id: 'root', edge: 'people', order: 'top' })
  })
})

describe('the node root', () => {
  it('has the collections as edges', () => {
    expectTypeOf(graph.getEdge(session, { id: 'root', edge: 'notes' }))
      .resolves.toHaveProperty('data')
      .items.toEqualTypeOf<{ id: PublicId; text: string }>()
    void graph.getEdge(session, { id: 'root', edge: 'people', parameters: { q: 'A' }, fields: 'name' })
    // @ts-expect-error
    void graph.getEdge(session, { id: 'root', edge: 'friends' })
    // @ts-expect-error
    void graph.getEdge(session, { id: 'root', edge: 'people', parameters: { r: 'A' } })
    // @ts-expect-error
    void graph.getNode(session, { id: 'root', fields: 'friends' })
  })

  it('is not among the nodes and edges to write', () => {
    type Written = Mutation<typeof schema>
    type WrittenType = Extract<Written, { op: 'putNode' }>['node']['type']
    type WrittenEdge = Extract<Written, { op: 'putEdge' }>['edge']['name']
    expectTypeOf<WrittenType>().toEqualTypeOf<'person' | 'note'>()
    expectTypeOf<WrittenEdge>().toEqualTypeOf<'friends' | 'notes'>()
  })
})
