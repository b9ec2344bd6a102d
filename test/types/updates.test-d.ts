import { type AnyGraph, createGraph, defineSchema, edge, field, node, type WriteResult } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { type EdgeDraft, type NodeDraft, update, updateEdge } from 'kithgraph/update'
import { describe, expectTypeOf, it } from 'vitest'
import type { RawId } from '../../src/base/ids.ts'

const library = defineSchema({
  reader: node({
    fields: {
      name: field.string({ required: true }),
      born: field.birthday(),
      age: field.ageRange({ from: 'born' }),
      shout: field.string({ resolve: records => records.map(({ id }) => `${id}!`) }),
    },
    edges: {
      loans: edge('book', {
        fields: { shelf: field.int({ required: true }), notes: field.list(field.string()) },
      }),
      friends: edge('reader', { symmetric: true }),
    },
  }),
  book: node({
    fields: {
      author: field.ref('reader', { required: true }),
      printed: field.datetime(),
      kind: field.enum(['novel', 'atlas']),
      sizes: field.list(field.object({ width: field.int({ required: true }), unit: field.string() })),
      prices: field.map(field.float()),
      viewer_reads: field.viewerEdge('readers'),
    },
    edges: { readers: edge('reader'), notes: edge('book', { fields: { text: field.string() } }) },
  }),
})
const graph = createGraph(createMemoryStore(), { schema: library })
const social = createGraph(createMemoryStore())
const BOOK = { type: 'book', id: '1' } as const
const LOAN = { source: '1', name: 'loans', target: '2' } as const

describe('the draft of update', () => {
  it('has the writable fields of the type, which the recipe can change, and no computed ones', () => {
    expectTypeOf<NodeDraft<typeof library, 'reader'>>().toEqualTypeOf<{
      name: string
      born?: string | { date: string; show: 'full' | 'year' | 'day' } | undefined
    }>()
    expectTypeOf<NodeDraft<typeof library, 'book'>>().toEqualTypeOf<{
      author: RawId
      printed?: number | string | Date | undefined
      kind?: 'novel' | 'atlas' | undefined
      sizes?: { width: number; unit?: string | undefined }[] | undefined
      prices?: { [key: string]: number } | undefined
    }>()
  })

  it('has the type that the call names', () => {
    const updated = update(graph, BOOK, draft => {
      expectTypeOf(draft).toEqualTypeOf<NodeDraft<typeof library, 'book'>>()
      draft.sizes?.push({ width: 3 })
      delete draft.kind
    })
    expectTypeOf(updated).toEqualTypeOf<Promise<WriteResult>>()
    update(social, { type: 'user', id: '4' }, draft => {
      expectTypeOf(draft.name).toEqualTypeOf<string>()
      draft.about = 'x'
    })
  })

  it('has the common fields of several types', () => {
    const type = 'user' as 'user' | 'page'
    update(social, { type, id: '4' }, draft => {
      draft.name = 'Ada'
      // @ts-expect-error: a page has no birthday
      draft.birthday = '1815-12-10'
    })
  })

  it('has any fields for a graph of an unknown schema', () => {
    const anyGraph: AnyGraph = graph
    update(anyGraph, { type: 'book', id: '1', fields: ['any'] }, draft => {
      expectTypeOf(draft.any).toEqualTypeOf<unknown>()
      draft.any = 5
    })
  })
})

describe('the recipe of update', () => {
  it('may return any value, because its result is ignored', () => {
    update(graph, BOOK, draft => draft.sizes?.push({ width: 3 }))
    update(graph, BOOK, draft => draft.sizes?.filter(({ width }) => width > 3))
    update(graph, BOOK, draft => delete draft.kind)
    update(graph, BOOK, draft => (draft.printed = new Date(0)))
    const clear: (draft: { kind?: unknown }) => void = draft => delete draft.kind
    update(graph, BOOK, clear)
    updateEdge(graph, LOAN, draft => void draft.notes?.push('late'))
    updateEdge(graph, LOAN, draft => draft.notes?.push('late'))
  })

  it('does not compile if it is asynchronous or a generator', () => {
    // @ts-expect-error: an asynchronous function
    update(graph, BOOK, async () => {})
    // @ts-expect-error: a generator
    update(graph, BOOK, function* () {})
    // @ts-expect-error: an asynchronous generator
    update(graph, BOOK, async function* () {})
    // @ts-expect-error: an asynchronous function
    updateEdge(graph, LOAN, async draft => {
      draft.shelf += 1
    })
  })
})

describe('update does not compile with', () => {
  it('an unknown type, an unknown or computed field, or a field of another type', () => {
    // @ts-expect-error: an unknown type
    update(graph, { type: 'bok', id: '1' }, () => undefined)
    // @ts-expect-error: an unknown option
    update(graph, { ...BOOK, feilds: [] }, () => undefined)
    // @ts-expect-error: a computed field
    update(graph, { type: 'reader', id: '1', fields: ['name', 'shout'] }, () => undefined)
    update(graph, { type: 'reader', id: '1', fields: ['name', 'born'] }, draft => {
      // @ts-expect-error: a computed field
      draft.shout = 'x'
      // @ts-expect-error: a field of another type
      draft.kind = 'novel'
    })
  })

  it('a value of a wrong type, null, or the deletion of a required field', () => {
    update(graph, BOOK, draft => {
      // @ts-expect-error: a word that the enum does not have
      draft.kind = 'map'
      // @ts-expect-error: deleting removes a value
      draft.kind = null
      // @ts-expect-error: a required field
      delete draft.author
      // @ts-expect-error: the width is required
      draft.sizes?.push({ unit: 'mm' })
    })
  })
})

describe('the draft of updateEdge', () => {
  it('has the fields of the edge', () => {
    expectTypeOf<EdgeDraft<typeof library, 'loans'>>().toEqualTypeOf<{
      shelf: number
      notes?: string[] | undefined
    }>()
    expectTypeOf<EdgeDraft<typeof library, 'notes'>>().toEqualTypeOf<{ text?: string | undefined }>()
    const updated = updateEdge(graph, LOAN, draft => {
      expectTypeOf(draft).toEqualTypeOf<EdgeDraft<typeof library, 'loans'>>()
      draft.notes?.push('late')
    })
    expectTypeOf(updated).toEqualTypeOf<Promise<WriteResult>>()
  })

  it('has no fields if the edge has none', () => {
    expectTypeOf<keyof EdgeDraft<typeof library, 'friends'>>().toEqualTypeOf<never>()
  })

  it('rejects unknown edges and fields', () => {
    // @ts-expect-error: an unknown edge
    updateEdge(graph, { ...LOAN, name: 'lons' }, () => undefined)
    updateEdge(graph, LOAN, draft => {
      // @ts-expect-error: an unknown field
      draft.shelv = 5
    })
    // @ts-expect-error: the mutation replaces all data, so it depends on all fields
    updateEdge(graph, { ...LOAN, fields: ['shelf'] }, () => undefined)
  })
})
