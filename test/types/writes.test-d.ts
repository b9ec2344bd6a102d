import { describe, expectTypeOf, it } from 'vitest'
import type { RawId } from '../../src/base/ids.ts'
import type { Graph } from '../../src/graph-interface.ts'
import { defineSchema } from '../../src/schema/define-schema.ts'
import { edge } from '../../src/schema/edge.ts'
import { field } from '../../src/schema/field-builders.ts'
import type { PatchInput } from '../../src/schema/inference/input.ts'
import type {
  AbsentCondition,
  EdgeCondition,
  IncrementInput,
  Mutation,
  NodeCondition,
} from '../../src/schema/inference/mutation.ts'
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

type MutationOf<TOp> = Extract<Mutation<typeof library>, { readonly op: TOp }>
type Edge<TName> = Extract<MutationOf<'putEdge'>['edge'], { readonly name: TName }>

type Time = number | string | Date

describe('the type of putNode', () => {
  it('has the required and the optional fields of each type, but no computed ones', () => {
    expectTypeOf<MutationOf<'putNode'>['node']>().toEqualTypeOf<
      | {
          readonly id: RawId
          readonly type: 'reader'
          readonly fields: {
            readonly name: string
            readonly born?: string | { date: string; show: 'full' | 'year' | 'day' } | undefined
          }
        }
      | {
          readonly id: RawId
          readonly type: 'book'
          readonly fields: {
            readonly name: string
            readonly author: RawId
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

describe('the type of patchNode', () => {
  it('has the fields of all types, with null for those that no type requires', () => {
    expectTypeOf<Pick<PatchInput<typeof library>, 'name' | 'printed' | 'kind'>>().toEqualTypeOf<{
      readonly name?: string | undefined
      readonly printed?: Time | null | undefined
      readonly kind?: 'novel' | 'atlas' | null | undefined
    }>()
  })
})

describe('the type of putEdge', () => {
  it('has the data of the edge, which is required if one of its fields is', () => {
    expectTypeOf<Edge<'loans'>>().toEqualTypeOf<{
      readonly source: RawId
      readonly name: 'loans'
      readonly target: RawId
      readonly time?: Time | undefined
      readonly data: { readonly shelf: number }
    }>()
    expectTypeOf<Edge<'notes'>>().toEqualTypeOf<{
      readonly source: RawId
      readonly name: 'notes'
      readonly target: RawId
      readonly time?: Time | undefined
      readonly data?: { readonly text?: string | undefined } | undefined
    }>()
  })

  it('has no data if the edge has no fields', () => {
    expectTypeOf<Edge<'friends'>>().toEqualTypeOf<{
      readonly source: RawId
      readonly name: 'friends'
      readonly target: RawId
      readonly time?: Time | undefined
    }>()
  })
})

describe('the type of write', () => {
  it('accepts a list of mutations', () => {
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
    expectTypeOf(written).resolves.toEqualTypeOf<{ readonly revision: string | undefined }>()
  })

  it('accepts any names for an unknown schema', () => {
    type AnyValues = { readonly [name: string]: unknown }
    type AnyNumbers = IncrementInput<Schema>
    expectTypeOf<Mutation<Schema>>().toEqualTypeOf<
      | {
          readonly op: 'putNode'
          readonly node: {
            readonly id: RawId
            readonly type: string
            readonly fields: { readonly [name: string]: unknown }
          }
          readonly when?: AbsentCondition | undefined
        }
      | {
          readonly op: 'patchNode'
          readonly id: RawId
          readonly fields: AnyValues
          readonly increment?: AnyNumbers | undefined
          readonly when?: NodeCondition<Schema> | undefined
        }
      | {
          readonly op: 'patchNode'
          readonly id: RawId
          readonly fields?: AnyValues | undefined
          readonly increment: AnyNumbers
          readonly when?: NodeCondition<Schema> | undefined
        }
      | { readonly op: 'deleteNode'; readonly id: RawId; readonly when?: NodeCondition<Schema> | undefined }
      | {
          readonly op: 'putEdge'
          readonly edge: {
            readonly source: RawId
            readonly name: string
            readonly target: RawId
            readonly time?: Time | undefined
            readonly data?: AnyValues | undefined
            readonly parameters?: { readonly [name: string]: unknown } | undefined
          }
          readonly when?: AbsentCondition | EdgeCondition<Schema> | undefined
        }
      | {
          readonly op: 'deleteEdge'
          readonly edge:
            | { readonly source: RawId; readonly name: string; readonly target: RawId }
            | {
                readonly source: RawId
                readonly name: string
                readonly target: RawId
                readonly parameters?: { readonly [name: string]: unknown } | undefined
              }
          readonly when?: EdgeCondition<Schema> | undefined
        }
    >()
  })
})

describe('the options of write', () => {
  it('have a time to keep an id only together with an id', () => {
    const id: RawId | undefined = undefined as string | undefined
    graph.write([], { id: 'a', keepMs: 60_000 })
    graph.write([], { id })
    graph.write([], {})
    // @ts-expect-error: there is no id to keep
    graph.write([], { keepMs: 60_000 })
    // @ts-expect-error: there may be no id to keep
    graph.write([], { id, keepMs: 60_000 })
  })
})

describe('the types of conditions and increments', () => {
  it('accept any names for an unknown schema', () => {
    const mutations: readonly Mutation<Schema>[] = [
      { op: 'patchNode', id: '1', increment: { visits: 1 }, when: { fields: { name: 'Ada', born: null } } },
      { op: 'deleteEdge', edge: { source: '1', name: 'a', target: '2' }, when: { fields: { role: 'b' } } },
    ]
    void mutations
  })

  it('contain the fields of the schema, with null for an absent value', () => {
    type NodeFields = Extract<NodeCondition<typeof library>, { readonly fields: unknown }>['fields']
    expectTypeOf<Pick<NodeFields, 'name' | 'printed'>>().toEqualTypeOf<{
      readonly name?: string | null
      readonly printed?: Time | null
    }>()
    type EdgeFields = Extract<EdgeCondition<typeof library>, { readonly fields: unknown }>['fields']
    expectTypeOf<EdgeFields['shelf']>().toEqualTypeOf<number | null | undefined>()
  })

  it('reject other fields, and increments of fields that are no numbers', () => {
    type LibraryMutation = Mutation<typeof library>
    type LibraryCondition = NodeCondition<typeof library>
    // @ts-expect-error: no type has this field
    const wrongName: LibraryCondition = { fields: { nam: 'A' } }
    // @ts-expect-error: a name is no number
    const wrongType: LibraryMutation = { op: 'patchNode', id: '1', increment: { name: 1 } }
    // @ts-expect-error: a patch needs an existing node
    const wrongPatch: LibraryMutation = { op: 'patchNode', id: '1', fields: {}, when: { exists: false } }
    // @ts-expect-error: without an increment, a patch has fields
    const noFields: LibraryMutation = { op: 'patchNode', id: '1' }
    // @ts-expect-error: a condition has either exists or fields
    const both: LibraryCondition = { exists: true, fields: { name: 'Ada' } }
    void [wrongName, wrongType, wrongPatch, noFields, both]
  })
})

describe('the type of load', () => {
  it('accepts text, bytes or records, as a list or as a stream', () => {
    type Loaded = { readonly nodes: number; readonly edges: number; readonly skipped: number }
    expectTypeOf(graph.load(['{"node":', '{}}'])).resolves.toEqualTypeOf<Loaded>()
    expectTypeOf(graph.load(new ReadableStream<Uint8Array>())).resolves.toEqualTypeOf<Loaded>()
    const records = [
      { node: { id: '1', type: 'reader', fields: { name: 'Ada' } } },
      { edge: { source: '1', name: 'friends', target: '2', time: 0 } },
    ] as const
    expectTypeOf(graph.load(records, { onError: () => 'skip' })).resolves.toEqualTypeOf<Loaded>()
  })
})
