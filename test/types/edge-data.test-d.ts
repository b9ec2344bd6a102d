import type { EdgeCheck, EdgeRecord, PublicId, Rule } from 'kithgraph'
import {
  createGraph,
  defineSchema,
  edge,
  field,
  hasEdgeToViewer,
  node,
  parameter,
  viewerHasEdge,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expectTypeOf, it } from 'vitest'

const attendees = edge('user', {
  fields: {
    state: field.enum(['going', 'maybe']),
    seat: field.int({ required: true }),
    at: field.edgeTime(),
  },
})
const schema = defineSchema(
  {
    user: node({ fields: { name: field.string({ required: true, default: true }) } }),
    event: node({
      fields: {
        going: field.viewerEdge('attendees'),
        state: field.viewerEdge('attendees', { field: 'state', default: true }),
        seat: field.viewerEdge('attendees', { field: 'seat' }),
        answered: field.viewerEdge('attendees', { field: 'at' }),
      },
      edges: {
        attendees,
        people: edge('user', { parameters: { kind: parameter.enum(['near', 'far'], { required: true }) } }),
      },
    }),
  },
  { viewers: ['user'] },
)
const createTestGraph = () => createGraph(createMemoryStore(), { schema })
declare const graph: ReturnType<typeof createTestGraph>
const token = 'token'

describe('the type of a field about the edge of the viewer', () => {
  it('is the type of the field of the edge, and optional', () => {
    const event = { id: '1', type: 'event', fields: 'going,state,seat,answered' } as const
    expectTypeOf(graph.getNode(token, event)).resolves.toEqualTypeOf<{
      id: PublicId
      going: boolean
      state?: 'going' | 'maybe'
      seat?: number
      answered?: string
    }>()
    expectTypeOf(graph.getNode(token, { id: '1', type: 'event' })).resolves.toEqualTypeOf<{
      id: PublicId
      state?: 'going' | 'maybe'
    }>()
  })
})

describe('the type of getEdgeEntry', () => {
  const call = { id: '1', type: 'event', edge: 'attendees', target: 'me' } as const

  it('is the type of an entry, or undefined', () => {
    expectTypeOf(graph.getEdgeEntry(token, call)).resolves.toEqualTypeOf<
      { id: PublicId; name: string } | undefined
    >()
    expectTypeOf(graph.getEdgeEntry(token, { ...call, fields: 'seat,at,state' })).resolves.toEqualTypeOf<
      { id: PublicId; seat: number; at: string; state?: 'going' | 'maybe' } | undefined
    >()
  })

  it('rejects unknown edges and fields, and a missing parameter', () => {
    // @ts-expect-error: no edge 'attendes'
    graph.getEdgeEntry(token, { ...call, edge: 'attendes' })
    // @ts-expect-error: no field 'seet'
    graph.getEdgeEntry(token, { ...call, fields: 'seet' })
    // @ts-expect-error: `kind` is required
    graph.getEdgeEntry(token, { ...call, edge: 'people' })
  })
})

describe('the types of rules', () => {
  it('accept values of fields, and lists of values', () => {
    expectTypeOf(viewerHasEdge('members', { where: { role: 'admin', level: [1, 2] } })).toEqualTypeOf<Rule>()
    expectTypeOf(hasEdgeToViewer('members', { parameters: { kind: 'near' } })).toEqualTypeOf<Rule>()
    // @ts-expect-error: null is no value
    hasEdgeToViewer('members', { where: { role: null } })
  })

  it('have the results of checks', () => {
    expectTypeOf<Parameters<Rule['decide']>[2]>().toEqualTypeOf<readonly (boolean | EdgeRecord)[]>()
    expectTypeOf<ReturnType<NonNullable<Rule['checks']>>>().toEqualTypeOf<readonly EdgeCheck[]>()
  })
})
