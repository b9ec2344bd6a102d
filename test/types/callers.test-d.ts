import {
  type AnyGraph,
  createGraph,
  type DateInput,
  defineSchema,
  type EdgeInput,
  type EdgeResultOf,
  edge,
  field,
  type GetEdgeOptions,
  type Graph,
  type LoadCounts,
  type LoadOptions,
  type LoadRecord,
  type LoadSource,
  type Mutation,
  type NodeInput,
  node,
  type Page,
  type PageWithSummary,
  type PatchInput,
  type ResultOf,
  type Schema,
  type Session,
  type SocialSchema,
  socialSchema,
  type Token,
  type UntypedNode,
  type WriteOptions,
  type WriteResult,
} from 'kithgraph'
import { createClient } from 'kithgraph/client'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expectTypeOf, it } from 'vitest'
import type { PublicId, RawId } from '../../src/base/ids.ts'

const schema = defineSchema({
  event: node({
    fields: { title: field.string({ required: true, default: true }), venue: field.ref('venue') },
    edges: { attendees: edge('person', { fields: { seat: field.int({ required: true }) } }) },
  }),
  venue: node({ fields: { name: field.string() } }),
  person: node({ fields: { name: field.string({ default: true }) } }),
})
const store = createMemoryStore()
const social = createGraph(store)
const events = createGraph(store, { schema })

declare const token: Token
declare const session: Session

describe('Mutation', () => {
  it('is the input of write on a graph of the social schema', () => {
    const mutations: Mutation[] = [
      { op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } },
      { op: 'patchNode', id: '1', fields: { about: null } },
      { op: 'putEdge', edge: { source: '1', name: 'friends', target: '2', time: new Date(0) } },
    ]
    const options: WriteOptions = { signal: undefined }
    expectTypeOf(social.write(mutations, options)).resolves.toEqualTypeOf<WriteResult>()
  })

  it('is the input of write on a graph of another schema', () => {
    const mutations: Mutation<typeof schema>[] = [
      { op: 'putNode', node: { id: '1', type: 'event', fields: { title: 'Chess', venue: '2' } } },
      { op: 'putEdge', edge: { source: '1', name: 'attendees', target: '3', data: { seat: 5 } } },
      { op: 'deleteEdge', edge: { source: '1', name: 'attendees', target: '3' } },
    ]
    expectTypeOf(events.write(mutations)).resolves.toEqualTypeOf<WriteResult>()
    // @ts-expect-error: a graph of the social schema has no events
    social.write(mutations)
  })

  it('rejects unknown names and missing required fields', () => {
    type EventMutation = Mutation<typeof schema>
    const page = { id: '1', type: 'page' } as const
    // @ts-expect-error: a page has no birthday
    const wrongField: Mutation = { op: 'putNode', node: { ...page, fields: { name: 'A', birthday: '1990' } } }
    // @ts-expect-error: an event needs a title
    const noTitle: EventMutation = { op: 'putNode', node: { id: '1', type: 'event', fields: {} } }
    // @ts-expect-error: a title cannot be removed
    const noValue: EventMutation = { op: 'patchNode', id: '1', fields: { title: null } }
    // @ts-expect-error: no edge has this name
    const wrongEdge: Mutation = { op: 'deleteEdge', edge: { source: '1', name: 'freinds', target: '2' } }
    // @ts-expect-error: no operation has this name
    const wrongOperation: Mutation = { op: 'putNodes', node: { ...page, fields: { name: 'A' } } }
    void [wrongField, noTitle, noValue, wrongEdge, wrongOperation]
  })

  it('contains NodeInput, PatchInput and EdgeInput as the types of its parts', () => {
    type Of<TOp> = Extract<Mutation, { readonly op: TOp }>
    expectTypeOf<Of<'putNode'>['node']>().toEqualTypeOf<NodeInput>()
    expectTypeOf<NonNullable<Of<'patchNode'>['fields']>>().toEqualTypeOf<PatchInput>()
    expectTypeOf<Of<'putEdge'>['edge']>().toEqualTypeOf<EdgeInput>()
    expectTypeOf<NodeInput<typeof schema, 'venue'>>().toEqualTypeOf<{
      readonly id: RawId
      readonly type: 'venue'
      readonly fields: { readonly name?: string | undefined }
    }>()
  })
})

describe('the exported types for load', () => {
  it('match its source, options and result', () => {
    async function* readRecords(): AsyncGenerator<LoadRecord<typeof schema>> {
      yield { node: { id: '1', type: 'person', fields: {} } }
      const time: DateInput = 0
      yield { edge: { source: '2', name: 'attendees', target: '1', time, data: { seat: 1 } } }
    }
    const source: LoadSource<typeof schema> = readRecords()
    const options: LoadOptions = { batch: 100, onError: () => 'stop' }
    expectTypeOf(events.load(source, options)).resolves.toEqualTypeOf<LoadCounts>()
    // @ts-expect-error: an edge of a load has a time
    const record: LoadRecord = { edge: { source: '1', name: 'friends', target: '2' } }
    void record
  })
})

describe('AnyGraph', () => {
  const read = async (graph: AnyGraph): Promise<UntypedNode> => graph.getMe(token)

  it('accepts every graph', () => {
    const bare = defineSchema({ thing: node({}) })
    const narrow = defineSchema(
      {
        thing: node({
          fields: {
            kind: field.enum(['a', 'b'], { required: true }),
            next: field.ref('thing', { required: true }),
            sizes: field.list(field.object({ width: field.int({ required: true }) })),
          },
          edges: { parts: edge('thing', { fields: { position: field.int({ required: true }) } }) },
        }),
        owner: node({}),
      },
      { viewers: ['owner'] },
    )
    void [read(social), read(events), read({} as Graph), read(createGraph(store, { schema: {} as Schema }))]
    void [read(createGraph(store, { schema: bare })), read(createGraph(store, { schema: narrow }))]
    void read(createGraph(store, { schema: socialSchema.extend({ shop: node({}) }) }))
    createHandler(createGraph(store, { schema: narrow }))
  })

  it('accepts a graph of a schema that is a type parameter', () => {
    const readAny = <TSchema extends Schema>(graph: Graph<TSchema>) => read(graph)
    void readAny
  })

  it('has untyped results and inputs, but rejects unknown options and operations', () => {
    const graph = {} as AnyGraph
    const thing = { id: '4', type: 'thing' }
    expectTypeOf(graph.getNode(token, { ...thing, fields: 'a{b}' })).resolves.toEqualTypeOf<UntypedNode>()
    expectTypeOf(graph.getEdge(token, { ...thing, edge: 'a' })).resolves.toEqualTypeOf<Page<UntypedNode>>()
    expectTypeOf(graph.iterateEdge(token, { ...thing, edge: 'a' })).toEqualTypeOf<
      AsyncIterable<UntypedNode>
    >()
    expectTypeOf(graph.hasEdge(token, { id: '4', edge: 'a', target: '5' })).resolves.toEqualTypeOf<boolean>()
    void graph.write([
      { op: 'putNode', node: { ...thing, fields: { a: 1 } } },
      { op: 'patchNode', id: '4', fields: { a: null } },
      { op: 'putEdge', edge: { source: '4', name: 'a', target: '5', data: { b: 1 } } },
    ])
    // @ts-expect-error: no option has this name
    void graph.getMe(token, { feilds: 'name' })
    // @ts-expect-error: no operation has this name
    void graph.write([{ op: 'putNodes' }])
  })
})

describe('ResultOf', () => {
  it('is the type of the result of getNode', () => {
    const event = events.getNode(token, { id: '1', type: 'event', fields: 'title,venue{name}' })
    expectTypeOf(event).resolves.toEqualTypeOf<ResultOf<typeof schema, 'event', 'title,venue{name}'>>()
    expectTypeOf<ResultOf<typeof schema, 'event', 'title,venue{name}'>>().toEqualTypeOf<{
      id: PublicId
      title: string
      venue?: { id: PublicId; name?: string }
    }>()
    const list = events.getNode(token, { id: '1', type: 'event', fields: ['title', 'venue'] })
    expectTypeOf(list).resolves.toEqualTypeOf<ResultOf<typeof schema, 'event', ['title', 'venue']>>()
  })

  it('is the type of the default fields without an expression', () => {
    const event = events.getNode(token, { id: '1', type: 'event' })
    expectTypeOf(event).resolves.toEqualTypeOf<ResultOf<typeof schema, 'event'>>()
    expectTypeOf<ResultOf<typeof schema, 'event'>>().toEqualTypeOf<{ id: PublicId; title: string }>()
  })

  it('is the type of the result of getMe if its types are the viewer types', () => {
    const me = social.getMe(token, { fields: 'name,about' })
    expectTypeOf(me).resolves.toEqualTypeOf<ResultOf<SocialSchema, 'user' | 'page', 'name,about'>>()
  })

  it('is untyped for an expression that is not a literal', () => {
    expectTypeOf<ResultOf<typeof schema, 'event', string>>().toEqualTypeOf<UntypedNode>()
  })

  it('contains a message that names the mistake in an invalid expression', () => {
    expectTypeOf<
      ResultOf<typeof schema, 'event', 'title,venue{nmae}'>
    >().toEqualTypeOf<"no field or edge 'nmae' on venue">()
    // @ts-expect-error: no type has this name
    type WrongType = ResultOf<typeof schema, 'evnt'>
    expectTypeOf<WrongType>().not.toBeAny()
  })
})

describe('EdgeResultOf', () => {
  it('is the type of the result of getEdge', () => {
    const source = { id: '1', type: 'event', edge: 'attendees' } as const
    const page = events.getEdge(token, { ...source, fields: 'name,seat' })
    expectTypeOf(page).resolves.toEqualTypeOf<
      EdgeResultOf<typeof schema, 'event', 'attendees', 'name,seat'>
    >()
    expectTypeOf<EdgeResultOf<typeof schema, 'event', 'attendees', 'name'>>().toEqualTypeOf<
      Page<{ id: PublicId; name?: string }>
    >()
  })

  it('is the type of the default fields without an expression', () => {
    const page = social.getEdge(token, { id: '1', type: 'photo', edge: 'likes' })
    expectTypeOf(page).resolves.toEqualTypeOf<EdgeResultOf<SocialSchema, 'photo', 'likes'>>()
  })

  it('contains the type of an entry as a member', () => {
    type Attendee = EdgeResultOf<typeof schema, 'event', 'attendees', 'name'>['data'][number]
    const source = { id: '1', type: 'event', edge: 'attendees' } as const
    const page = events.getEdge(token, { ...source, fields: 'name', summary: true })
    expectTypeOf(page).resolves.toEqualTypeOf<PageWithSummary<Attendee>>()
  })

  it('contains a message that names the mistake in an invalid expression', () => {
    type Misspelt = EdgeResultOf<typeof schema, 'event', 'attendees', 'nmae'>
    expectTypeOf<Misspelt>().toEqualTypeOf<Page<"no field or edge 'nmae' on person">>()
    // @ts-expect-error: an event has no such edge
    type WrongEdge = EdgeResultOf<typeof schema, 'event', 'attendes'>
    expectTypeOf<WrongEdge>().not.toBeAny()
  })
})

describe('Token', () => {
  it('is string, and every read accepts a token or a session', () => {
    expectTypeOf<Token>().toEqualTypeOf<string>()
    expectTypeOf(social.getMe).parameter(0).toEqualTypeOf<Token | Session>()
    const source = { id: '1', type: 'event', edge: 'attendees' } as const
    void [events.getNode(session, { id: '1' }), events.getNodes(session, { ids: ['1'] })]
    void [
      events.getEdge(session, source),
      events.getEdges(session, { ids: ['1'], type: 'event', edge: 'attendees' }),
    ]
    void [events.hasEdge(session, { ...source, target: '2' }), events.iterateEdge(session, source)]
  })

  it('is accepted by a client and the methods of tokens, while a session is rejected', () => {
    const client = createClient('https://api.example')
    // @ts-expect-error: a session is only valid in its process
    void client.getMe(session)
    // @ts-expect-error: a session is not a token
    void social.tokens.revoke(session)
    expectTypeOf(social.tokens.issue({ app: 'demo' })).resolves.toEqualTypeOf<Token>()
  })
})

describe('GetEdgeOptions', () => {
  it('can be the type of a parameter of a helper function', () => {
    const readPage = (graph: AnyGraph, options: GetEdgeOptions) => graph.getEdge(token, options)
    void readPage(events, { id: '1', type: 'event', edge: 'attendees', limit: 5, fields: 'name' })
    // @ts-expect-error: a limit is a number
    void readPage(events, { id: '1', edge: 'attendees', limit: '5' })
  })
})
