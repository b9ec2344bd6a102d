import {
  type AnyGraph,
  defineSchema,
  type EdgeResultOf,
  type EdgeType,
  edge,
  type Graph,
  node,
} from 'kithgraph'
import { describe, expectTypeOf, it } from 'vitest'
import type { PublicId } from '../../src/base/ids.ts'
import type { EdgeTypeInfo } from '../../src/schema/edge.ts'

/** An edge as a part of the library creates it, whose long lists are not counted. */
declare const counted: <TInfo extends EdgeTypeInfo>(
  edge: EdgeType<TInfo>,
) => EdgeType<TInfo & { counted: 'sometimes' }>

const schema = defineSchema({
  item: node({ edges: { likes: edge('item'), views: counted(edge('item')) } }),
})

declare const graph: Graph<typeof schema>
declare const token: string
const item = { id: '1', type: 'item' } as const

type Entry = { id: PublicId }
type Summary = { order: string; total_count: number }
type UncertainSummary = { order: string; total_count?: number }

describe('the type of total_count', () => {
  it('is optional if a long list may have none', () => {
    const read = () => graph.getEdge(token, { ...item, edge: 'views', fields: 'id', summary: true })
    expectTypeOf<Awaited<ReturnType<typeof read>>['summary']>().toEqualTypeOf<UncertainSummary | undefined>()
    const readAll = () =>
      graph.getEdges(token, { ids: ['1'], type: 'item', edge: 'views', fields: 'id', summary: true })
    expectTypeOf<Awaited<ReturnType<typeof readAll>>[string]['summary']>().toEqualTypeOf<
      UncertainSummary | undefined
    >()
  })

  it('does not prevent the use as any graph', () => {
    expectTypeOf<typeof graph>().toExtend<AnyGraph>()
  })

  it('is a number for other edges', () => {
    const read = () => graph.getEdge(token, { ...item, edge: 'likes', fields: 'id', summary: true })
    expectTypeOf<Awaited<ReturnType<typeof read>>['summary']>().toEqualTypeOf<Summary | undefined>()
  })

  it('is the same below a node', () => {
    const fields = 'likes.summary(true){id},views.summary(true){id}'
    const read = () => graph.getNode(token, { ...item, fields } as const)
    type Result = Awaited<ReturnType<typeof read>>
    expectTypeOf<Result['likes']['summary']>().toEqualTypeOf<Summary | undefined>()
    expectTypeOf<Result['views']['summary']>().toEqualTypeOf<UncertainSummary | undefined>()
    expectTypeOf<EdgeResultOf<typeof schema, 'item', 'views', 'id'>['data']>().toEqualTypeOf<Entry[]>()
  })
})
