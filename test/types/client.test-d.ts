import { describe, expectTypeOf, it } from 'vitest'
import type { PublicId } from '../../src/base/ids.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import type { Graph } from '../../src/graph-interface.ts'
import { defineSchema } from '../../src/schema/define-schema.ts'
import { edge } from '../../src/schema/edge.ts'
import { field } from '../../src/schema/field-builders.ts'
import type { Page, UntypedNode } from '../../src/schema/inference/result.ts'
import { node } from '../../src/schema/node.ts'
import type { socialSchema } from '../../src/schema/social/social-schema.ts'

const schema = defineSchema(
  {
    book: node({
      fields: { title: field.string({ required: true, default: true }) },
      edges: { readers: edge('reader') },
    }),
    reader: node({ fields: { age: field.int() } }),
  },
  { versions: ['v1.0'] },
)

declare const social: Client<typeof socialSchema>
const url = 'http://localhost'

describe('the type of a client', () => {
  it('is that of the given schema, or of the social schema by default', () => {
    expectTypeOf(createClient<typeof schema>(url)).toEqualTypeOf<Client<typeof schema>>()
    expectTypeOf(createClient(url)).toEqualTypeOf<Client<typeof socialSchema>>()
  })

  it('infers results from a literal expression, like the type of a graph', () => {
    const books = createClient<typeof schema>(url)
    expectTypeOf(
      books.getNode('t', { id: '1', type: 'book', fields: 'title,readers{age}' }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      title: string
      readers: Page<{ id: PublicId; age?: number }>
    }>()
    expectTypeOf(books.getEdge('t', { id: '1', type: 'book', edge: 'readers' })).resolves.toEqualTypeOf<
      Page<{ id: PublicId }>
    >()
    expectTypeOf(books.getNode('t', { id: '1' })).resolves.toEqualTypeOf<UntypedNode>()
    expectTypeOf(
      social.iterateEdge('t', { id: '1', type: 'photo', edge: 'likes', fields: 'name' }),
    ).toEqualTypeOf<AsyncIterable<{ id: PublicId; name: string }>>()
  })

  it('rejects names that the schema does not have', () => {
    // @ts-expect-error: no field or edge 'nmae' on photo
    social.getNode('t', { id: '1', type: 'photo', fields: 'nmae' })
    // @ts-expect-error: photos have no friends
    social.getEdge('t', { id: '1', type: 'photo', edge: 'friends' })
  })

  it('is assignable to the reads of a graph, and a graph is assignable to a client', () => {
    type RemoteReads = Pick<Graph<typeof socialSchema>, 'getMe' | 'getEdges' | 'hasEdge' | 'iterateEdge'>
    expectTypeOf<Client<typeof socialSchema>>().toExtend<RemoteReads>()
    expectTypeOf<Graph<typeof socialSchema>>().toExtend<Client<typeof socialSchema>>()
    expectTypeOf<keyof Client>().toEqualTypeOf<
      'getMe' | 'getNode' | 'getNodes' | 'getEdge' | 'getEdges' | 'getEdgeEntry' | 'hasEdge' | 'iterateEdge'
    >()
  })
})
