import {
  type AnyGraph,
  createGraph,
  defineSchema,
  type EdgeParametersOf,
  edge,
  field,
  type Graph,
  type LoadRecord,
  type Mutation,
  node,
  type Page,
  type Parameter,
  parameter,
  type UntypedNode,
} from 'kithgraph'
import type { Client } from 'kithgraph/client'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expectTypeOf, it } from 'vitest'
import type { PublicId } from '../../src/base/ids.ts'

const known = defineSchema({
  person: node({
    fields: { name: field.string({ default: true }) },
    edges: {
      friends: edge('person'),
      photos: edge('photo', {
        parameters: {
          type: parameter.enum(['tagged', 'uploaded'], { default: 'tagged' }),
          large: parameter.bool(),
        },
        list: ({ type }) => `photos_${type}`,
        where: (_entry, { large }) => large !== true,
      }),
      search: edge('person', {
        parameters: {
          q: parameter.string({ required: true }),
          from: parameter.datetime(),
          by: parameter.id({ default: 'me' }),
          near: parameter.float(),
          radius: parameter.int({ default: 10 }),
        },
        where: () => true,
      }),
    },
  }),
  photo: node({
    edges: {
      friends: edge('person'),
      photos: edge('photo', { parameters: { score: parameter.int() }, where: () => true }),
    },
  }),
})

const schema = known.extend({
  photo: { edges: { likes: edge('person', { parameters: {} as { readonly [name: string]: Parameter } }) } },
})
const graph = createGraph(createMemoryStore(), { schema })
const person = { id: '1', type: 'person' } as const
type Parameters<TEdge extends 'friends' | 'photos' | 'search'> = EdgeParametersOf<
  typeof schema,
  'person',
  TEdge
>

describe('the option parameters of a call', () => {
  it('has the values of the declared parameters, each as a call accepts it', () => {
    expectTypeOf<Parameters<'photos'>>().toEqualTypeOf<{
      readonly type?: 'tagged' | 'uploaded' | undefined
      readonly large?: boolean | undefined
    }>()
    expectTypeOf<Parameters<'search'>>().toEqualTypeOf<{
      readonly q: string
      readonly from?: number | string | Date | undefined
      readonly by?: string | undefined
      readonly near?: number | undefined
      readonly radius?: number | undefined
    }>()
    expectTypeOf<Parameters<'friends'>>().toEqualTypeOf<never>()
  })

  it('does not change the type of the result', () => {
    const parameters = { type: 'uploaded' } as const
    expectTypeOf(graph.getEdge('t', { ...person, edge: 'photos', fields: 'id', parameters }))
      .resolves //
      .toEqualTypeOf<Page<{ id: PublicId }>>()
    const entries = graph.iterateEdge('t', { ...person, edge: 'search', parameters: { q: 'a' } })
    expectTypeOf(entries).toEqualTypeOf<AsyncIterable<{ id: PublicId; name?: string }>>()
  })

  it('may be left out, except for a required parameter', () => {
    void graph.getEdge('t', { ...person, edge: 'photos' })
    void graph.getEdge('t', { ...person, edge: 'photos', parameters: undefined })
    void graph.getEdge('t', { ...person, edge: 'photos', parameters: { type: undefined } })
    // @ts-expect-error: q is required
    void graph.getEdge('t', { ...person, edge: 'search' })
    // @ts-expect-error: q is required
    void graph.getEdges('t', { ids: ['1'], type: 'person', edge: 'search', parameters: undefined })
    // @ts-expect-error: q is required
    void graph.hasEdge('t', { ...person, edge: 'search', target: '2', parameters: { radius: 5 } })
    // @ts-expect-error: q is required
    void graph.iterateEdge('t', { ...person, edge: 'search' })
  })

  it('rejects other names and values', () => {
    // @ts-expect-error: no parameter has this name
    void graph.getEdge('t', { ...person, edge: 'photos', parameters: { typ: 'uploaded' } })
    // @ts-expect-error: not a word of the parameter
    void graph.getEdges('t', { ids: ['1'], type: 'person', edge: 'photos', parameters: { type: 'upload' } })
    // @ts-expect-error: a text is no boolean
    void graph.hasEdge('t', { ...person, edge: 'photos', target: '2', parameters: { large: 'true' } })
    // @ts-expect-error: a text is no number
    void graph.iterateEdge('t', { ...person, edge: 'search', parameters: { q: 'a', radius: '5' } })
  })

  it('accepts only undefined for an edge without parameters', () => {
    void graph.getEdge('t', { ...person, edge: 'friends', parameters: undefined })
    // @ts-expect-error: the edge has no parameters
    void graph.getEdge('t', { ...person, edge: 'friends', parameters: {} })
  })

  it('accepts the parameters of any type that has the edge, if the call has no type', () => {
    void graph.getEdge('t', { id: '1', edge: 'photos', parameters: { type: 'uploaded' } })
    void graph.getEdge('t', { id: '1', edge: 'photos', parameters: { score: 5 } })
    void graph.getEdge('t', { id: '1', edge: 'photos' })
    // @ts-expect-error: no type has this parameter
    void graph.getEdge('t', { id: '1', edge: 'photos', parameters: { scores: 5 } })
  })

  it('accepts any names if the edge or the schema is not known at compile time', () => {
    void graph.getEdge('t', { id: '1', type: 'photo', edge: 'likes', parameters: { anything: 1 } })
    const read = (any: AnyGraph, unknown: Graph) => [
      any.getEdge('t', { id: '1', edge: 'photos', parameters: { type: 'uploaded' } }),
      unknown.getEdge('t', { id: '1', edge: 'photos', parameters: { type: 'uploaded' } }),
      unknown.getEdge('t', { id: '1', edge: 'photos' }),
      // @ts-expect-error: parameters have names
      any.getEdge('t', { id: '1', edge: 'photos', parameters: 'uploaded' }),
    ]
    expectTypeOf(read).returns.toEqualTypeOf<Promise<Page<UntypedNode>>[]>()
    expectTypeOf(graph).toExtend<AnyGraph>()
  })

  it('is the same for a client', () => {
    const read = (client: Client<typeof schema>) => [
      client.getEdge('t', { ...person, edge: 'search', parameters: { q: 'a', from: new Date(0) } }),
      // @ts-expect-error: not a word of the parameter
      client.getEdge('t', { ...person, edge: 'photos', parameters: { type: 'upload' } }),
    ]
    void read
  })
})

describe('a parameter in an expression', () => {
  it('is a modifier of the edge, and does not change the type of the result', () => {
    expectTypeOf(
      graph.getNode('t', { ...person, fields: 'photos.type(uploaded).limit(2){id},search.q(Ada)' }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      photos: Page<{ id: PublicId }>
      search: Page<{ id: PublicId; name?: string }>
    }>()
  })

  it('is accepted if one of the types has it', () => {
    const type = {} as 'person' | 'photo'
    void graph.getNode('t', { id: '1', type, fields: 'photos.type(uploaded).score(5)' })
    void graph.getNode('t', { id: '1', type: 'photo', fields: 'likes.anything(1)' })
    // @ts-expect-error: no modifier 'score' on photos
    void graph.getNode('t', { ...person, fields: 'photos.score(5)' })
    // @ts-expect-error: no modifier 'type' on friends
    void graph.getNode('t', { ...person, fields: 'friends.type(uploaded)' })
  })
})

describe('the parameters of a written edge', () => {
  type EdgeOf<TOp> = Extract<Mutation<typeof known>, { readonly op: TOp; readonly edge: unknown }>['edge']
  type ParametersIn<TEdge> = TEdge extends { readonly name: infer TName }
    ? 'parameters' extends keyof TEdge
      ? [TName, Exclude<TEdge['parameters'], undefined>]
      : never
    : never

  it('are the enums and booleans that all edges of this name have', () => {
    type Choice = { readonly type?: 'tagged' | 'uploaded' | undefined; readonly large?: boolean | undefined }
    expectTypeOf<ParametersIn<EdgeOf<'putEdge'>>>().toEqualTypeOf<['photos', Choice]>()
    expectTypeOf<ParametersIn<EdgeOf<'deleteEdge'>>>().toEqualTypeOf<['photos', Choice]>()
  })

  it('may be left out, and rejects other names and values', () => {
    const key = { source: '1', name: 'photos', target: '2' } as const
    const parameters = { type: 'uploaded' } as const
    const name = {} as 'photos' | 'friends' | 'search'
    const mutations: readonly Mutation<typeof known>[] = [
      { op: 'putEdge', edge: key },
      { op: 'putEdge', edge: { ...key, parameters } },
      { op: 'deleteEdge', edge: key },
      { op: 'deleteEdge', edge: { ...key, parameters } },
      { op: 'deleteEdge', edge: { source: '1', name, target: '2' } },
      // @ts-expect-error: not a word of the parameter
      { op: 'putEdge', edge: { ...key, parameters: { type: 'upload' } } },
      // @ts-expect-error: not a word of the parameter
      { op: 'deleteEdge', edge: { ...key, parameters: { type: 'upload' } } },
      // @ts-expect-error: a number does not choose a list
      { op: 'putEdge', edge: { ...key, parameters: { score: 5 } } },
      // @ts-expect-error: the edge has no parameters
      { op: 'putEdge', edge: { ...key, name: 'friends', parameters } },
      // @ts-expect-error: the edge has no parameters
      { op: 'deleteEdge', edge: { ...key, name: 'friends', parameters } },
    ]
    const record: LoadRecord<typeof known> = { edge: { ...key, time: 0, parameters } }
    // @ts-expect-error: not a word of the parameter
    const wrong: LoadRecord<typeof known> = { edge: { ...key, time: 0, parameters: { type: 'upload' } } }
    void [mutations, record, wrong]
  })

  it('are accepted with any names for an unknown schema', () => {
    const write = (any: AnyGraph) =>
      any.write([
        { op: 'putEdge', edge: { source: '1', name: 'photos', target: '2', parameters: { type: 'a' } } },
        { op: 'deleteEdge', edge: { source: '1', name: 'photos', target: '2', parameters: { type: 'a' } } },
      ])
    void write
  })
})

describe('the parameters that list and where receive', () => {
  it('are the declared values, and undefined only without a default and if not required', () => {
    edge('photo', {
      fields: { score: field.int() },
      parameters: {
        word: parameter.enum(['a', 'b']),
        fixed: parameter.enum(['a', 'b'], { default: 'a' }),
        given: parameter.bool({ required: true }),
        time: parameter.datetime({ default: '2030-01-01' }),
        text: parameter.string({ description: 'A text.' }),
        by: parameter.id(),
      },
      list: values => {
        expectTypeOf(values).toEqualTypeOf<{
          readonly word: 'a' | 'b' | undefined
          readonly fixed: 'a' | 'b'
          readonly given: boolean
          readonly time: number
          readonly text: string | undefined
          readonly by: string | undefined
        }>()
        return 'list'
      },
      where: ({ time }, values) => {
        expectTypeOf(values.time).toEqualTypeOf<number>()
        return time > values.time
      },
    })
  })

  it('have no other names', () => {
    edge('photo', {
      parameters: { type: parameter.enum(['a', 'b']) },
      // @ts-expect-error: no parameter has this name
      where: (_entry, { typ }) => typ === 'a',
    })
  })

  it('rejects a default that is not a value of the parameter, and results of other types', () => {
    // @ts-expect-error: not a word of the parameter
    parameter.enum(['a', 'b'], { default: 'c' })
    // @ts-expect-error: the only default of an id is me
    parameter.id({ default: '4' })
    // @ts-expect-error: a filter returns a boolean
    edge('photo', { parameters: { n: parameter.int() }, where: (_entry, { n }) => n })
    // @ts-expect-error: a list has a name
    edge('photo', { parameters: { n: parameter.bool() }, list: ({ n }) => n })
  })
})
