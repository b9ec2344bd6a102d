import { describe, expectTypeOf, it } from 'vitest'
import type { Graph } from '../../src/graph-interface.ts'
import { defineSchema } from '../../src/schema/define-schema.ts'
import { edge } from '../../src/schema/edge.ts'
import { field } from '../../src/schema/field-builders.ts'
import type { MutationInput } from '../../src/schema/inference/input.ts'
import { node } from '../../src/schema/node.ts'
import type { Schema } from '../../src/schema/schema.ts'

const library = defineSchema({
  reader: node({
    fields: {
      name: field.string({ required: true }),
      born: field.birthday(),
      age: field.ageRange({ from: 'born' }),
      shout: field.string({ resolve: records => records.map(({ id }) => `${id}!`) }),
    },
    edges: {
      loans: edge('book', { fields: { shelf: field.int({ required: true }), since: field.edgeTime() } }),
      friends: edge('reader', { symmetric: true }),
    },
  }),
  book: node({
    fields: {
      name: field.string({ required: true }),
      author: field.ref('reader', { required: true }),
      printed: field.datetime(),
      kind: field.enum(['novel', 'atlas']),
      sizes: field.list(field.object({ width: field.int({ required: true }), unit: field.string() })),
      viewer_reads: field.viewerEdge('readers'),
    },
    edges: { readers: edge('reader'), notes: edge('book', { fields: { text: field.string() } }) },
  }),
})

declare const graph: Graph<typeof library>

type Mutation<TOp> = Extract<MutationInput<(typeof library)['types']>, { readonly op: TOp }>
type Edge<TName> = Extract<Mutation<'putEdge'>['edge'], { readonly name: TName }>

type Time = number | string | Date

describe('putNode', () => {
  it('takes for each type its required fields, its others, and none that are computed', () => {
    expectTypeOf<Mutation<'putNode'>['node']>().toEqualTypeOf<
      | {
          readonly id: string
          readonly type: 'reader'
          readonly fields: {
            readonly name: string
            readonly born?: string | { date: string; show: 'full' | 'year' | 'day' } | undefined
          }
        }
      | {
          readonly id: string
          readonly type: 'book'
          readonly fields: {
            readonly name: string
            readonly author: string
            readonly printed?: Time | undefined
            readonly kind?: 'novel' | 'atlas' | undefined
            readonly sizes?:
              | readonly { readonly width: number; readonly unit?: string | undefined }[]
              | undefined
          }
        }
    >()
  })
})

describe('patchNode', () => {
  it('takes the fields of any type, and null for those that are required on none', () => {
    expectTypeOf<Pick<Mutation<'patchNode'>['fields'], 'name' | 'printed' | 'kind'>>().toEqualTypeOf<{
      readonly name?: string | undefined
      readonly printed?: Time | null | undefined
      readonly kind?: 'novel' | 'atlas' | null | undefined
    }>()
  })
})

describe('putEdge', () => {
  it('takes the data of an edge that has some, which must be there where some of it is required', () => {
    expectTypeOf<Edge<'loans'>>().toEqualTypeOf<{
      readonly source: string
      readonly name: 'loans'
      readonly target: string
      readonly time?: Time | undefined
      readonly data: { readonly shelf: number }
    }>()
    expectTypeOf<Edge<'notes'>>().toEqualTypeOf<{
      readonly source: string
      readonly name: 'notes'
      readonly target: string
      readonly time?: Time | undefined
      readonly data?: { readonly text?: string | undefined } | undefined
    }>()
  })

  it('takes no data of an edge that has none', () => {
    expectTypeOf<Edge<'friends'>>().toEqualTypeOf<{
      readonly source: string
      readonly name: 'friends'
      readonly target: string
      readonly time?: Time | undefined
    }>()
  })
})

describe('write', () => {
  it('takes a list of mutations', () => {
    const written = graph.write([
      { op: 'putNode', node: { id: '1', type: 'reader', fields: { name: 'Ada', born: '1815-12-10' } } },
      { op: 'patchNode', id: '1', fields: { born: null } },
      {
        op: 'putEdge',
        edge: { source: '1', name: 'loans', target: '2', time: new Date(0), data: { shelf: 3 } },
      },
      { op: 'deleteEdge', edge: { source: '1', name: 'loans', target: '2' } },
      { op: 'deleteNode', id: '1' },
    ])
    expectTypeOf(written).resolves.toEqualTypeOf<{ version: string | undefined }>()
  })

  it('takes anything of the kind for a schema that is not known', () => {
    expectTypeOf<MutationInput<Schema['types']>>().toEqualTypeOf<
      | {
          readonly op: 'putNode'
          readonly node: {
            readonly id: string
            readonly type: string
            readonly fields: { readonly [name: string]: unknown }
          }
        }
      | {
          readonly op: 'patchNode'
          readonly id: string
          readonly fields: { readonly [name: string]: unknown }
        }
      | { readonly op: 'deleteNode'; readonly id: string }
      | {
          readonly op: 'putEdge'
          readonly edge: {
            readonly source: string
            readonly name: string
            readonly target: string
            readonly time?: Time | undefined
            readonly data?: { readonly [name: string]: unknown } | undefined
          }
        }
      | {
          readonly op: 'deleteEdge'
          readonly edge: { readonly source: string; readonly name: string; readonly target: string }
        }
    >()
  })
})

describe('load', () => {
  it('takes chunks of text or bytes, or records, at once or over time', () => {
    type Loaded = { readonly nodes: number; readonly edges: number; readonly skipped: number }
    expectTypeOf(graph.load(['{"node":', '{}}'])).resolves.toEqualTypeOf<Loaded>()
    expectTypeOf(graph.load(new ReadableStream<Uint8Array>())).resolves.toEqualTypeOf<Loaded>()
    const records = [
      { node: { id: '1', type: 'reader', fields: { name: 'Ada' } } },
      { edge: { source: '1', name: 'friends', target: '2', time: 0 } },
    ] as const
    expectTypeOf(graph.load(records, { onFault: () => 'skip' })).resolves.toEqualTypeOf<Loaded>()
  })
})
