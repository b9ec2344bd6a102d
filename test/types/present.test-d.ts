import { defineSchema, edge, field, type Graph, type Mutation, node } from 'kithgraph'
import { describe, expectTypeOf, it } from 'vitest'
import type { PublicId } from '../../src/base/ids.ts'

const schema = defineSchema({
  item: node({
    fields: {
      title: field.string({ required: true }),
      made: field.datetime({ present: true, default: true }),
      secret: field.int({ present: true, scope: 'secrets' }),
      owner: field.ref('item', { present: true }),
    },
    edges: { keeps: edge('item', { fields: { rank: field.int({ present: true }) } }) },
  }),
})

declare const graph: Graph<typeof schema>
declare const token: string
const item = { id: '1', type: 'item' } as const

describe('a present field', () => {
  it('has the result type of a required field', () => {
    expectTypeOf(graph.getNode(token, item)).resolves.toEqualTypeOf<{ id: PublicId; made: string }>()
    expectTypeOf(graph.getNode(token, { ...item, fields: 'secret,owner{title}' })).resolves.toEqualTypeOf<{
      id: PublicId
      secret?: number
      owner?: { id: PublicId; title: string }
    }>()
  })

  it('may be left out of a write, but a patch cannot remove it', () => {
    expectTypeOf({
      op: 'putNode' as const,
      node: { id: '1', type: 'item' as const, fields: { title: 'a' } },
    }).toExtend<Mutation<typeof schema>>()
    expectTypeOf({ op: 'patchNode' as const, id: '1', fields: { made: 5 } }).toExtend<
      Mutation<typeof schema>
    >()
    expectTypeOf({ op: 'patchNode' as const, id: '1', fields: { made: null } }).not.toExtend<
      Mutation<typeof schema>
    >()
  })

  it('of an edge is always in its entries', () => {
    type Entry = Awaited<ReturnType<typeof readEntries>>['data'][number]
    const readEntries = () => graph.getEdge(token, { ...item, edge: 'keeps', fields: 'rank' })
    expectTypeOf<Entry>().toEqualTypeOf<{ id: PublicId; rank: number }>()
  })
})
