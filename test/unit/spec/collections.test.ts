import {
  anyOf,
  canSee,
  collection,
  createGraph,
  defineSchema,
  edge,
  field,
  hasScope,
  isViewer,
  node,
  not,
  parameter,
  type Rule,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { update } from 'kithgraph/update'
import { describe, expect, it } from 'vitest'
import { countReads } from '../../../src/testing/count-reads.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'

const isNotDraft: Rule = {
  name: 'isNotDraft',
  decide: ({ fields }) => (fields.draft === true ? 'deny' : 'allow'),
}
const rootsSeen: unknown[] = []
const isRoot: Rule = {
  name: 'isRoot',
  decide: record => {
    rootsSeen.push(record)
    return 'allow'
  },
}

const schema = defineSchema(
  {
    event: node({
      policy: [isNotDraft],
      fields: {
        title: field.string({ default: true, required: true }),
        start: field.datetime({ required: true }),
        likes: field.int({ required: true }),
        city: field.string(),
        draft: field.bool(),
      },
      edges: { guests: edge('person') },
    }),
    trip: node({
      fields: {
        title: field.string({ default: true, required: true }),
        start: field.datetime({ required: true }),
      },
    }),
    person: node({
      fields: { name: field.string({ default: true }) },
      edges: { events: edge('event', { order: 'chronological' }) },
    }),
  },
  {
    versions: ['v1.0', 'v2.0'],
    viewers: ['person'],
    collections: {
      events: collection('event', {
        by: 'start',
        order: 'chronological',
        parameters: { city: parameter.string() },
        reads: ['city'],
        where: ({ target }, { city }) => target.fields.city === city,
      }),
      popular: collection('event', { by: 'likes' }),
      plans: collection(['event', 'trip'], { by: 'start', order: 'chronological' }),
      people: collection('person', { order: 'chronological', policy: [hasScope('people')] }),
      staff: collection('person', { scope: 'staff', policy: [isRoot] }),
    },
  },
)

const EVENTS = [
  { id: '20', title: 'Fair', start: '2026-05-04', likes: 5, city: 'Bath' },
  { id: '21', title: 'Walk', start: '2026-05-02', likes: 9, city: 'York' },
  { id: '22', title: 'Ball', start: '2026-05-03', likes: 1, city: 'Bath' },
  { id: '23', title: 'Secret', start: '2026-05-01', likes: 7, city: 'Bath', draft: true },
]

const createWorld = async () => {
  const memory = createMemoryStore()
  const store = countReads(memory)
  const graph = createGraph(store, { schema })
  await graph.write([
    ...EVENTS.map(({ id, ...fields }) => ({ op: 'putNode', node: { id, type: 'event', fields } }) as const),
    {
      op: 'putNode',
      node: { id: '30', type: 'trip', fields: { title: 'Alps', start: '2026-05-02T12:00:00Z' } },
    },
    { op: 'putNode', node: { id: '1', type: 'person', fields: { name: 'Ada' } } },
    { op: 'putNode', node: { id: '2', type: 'person', fields: { name: 'Ben' } } },
  ])
  store.clear()
  return { memory, store, graph, session: graph.session({ viewer: '1', app: 'demo' }) }
}

const events = { id: 'root', edge: 'events' } as const
const titlesOf = ({ data }: { readonly data: readonly { readonly title?: string }[] }) =>
  data.map(({ title }) => title)

describe('a collection', () => {
  it('lists the visible nodes of a type in the order of a field, and counts them', async () => {
    const { graph, session } = await createWorld()
    const page = await graph.getEdge(session, { ...events, summary: true })
    expect(titlesOf(page)).toEqual(['Walk', 'Ball', 'Fair'])
    expect(page.summary).toEqual({ order: 'chronological', total_count: 3 })
    const newest = await graph.getEdge(session, { ...events, order: 'reverse_chronological' })
    expect(titlesOf(newest)).toEqual(['Fair', 'Ball', 'Walk'])
  })

  it('is read as an edge of the node root, with one store read for each level', async () => {
    const { store, graph, session } = await createWorld()
    const root = await graph.getNode(session, { id: 'root', fields: 'plans.limit(2){title},people{name}' })
    expect(root).toEqual({
      plans: {
        data: [
          { title: 'Walk', id: '21' },
          { title: 'Alps', id: '30' },
        ],
        paging: expect.anything(),
      },
      people: { data: [] },
      id: 'root',
    })
    expect(store.reads.length).toBeLessThanOrEqual(2)
    expect(await graph.getNode(session, { id: 'root' })).toEqual({ id: 'root' })
    const many = await graph.getNodes(session, { ids: ['root', '1'], fields: 'id' })
    expect(Object.keys(many).sort()).toEqual(['1', 'root'])
  })

  it('without a field is in the order of the ids', async () => {
    const { graph } = await createWorld()
    const session = graph.session({ viewer: '1', app: 'demo', scopes: ['people'] })
    const page = await graph.getEdge(session, { id: 'root', edge: 'people', fields: 'id' })
    expect(page.data).toEqual([{ id: '1' }, { id: '2' }])
    for (const option of ['since', 'until'] as const) {
      const error = await expectGraphError(
        graph.getEdge(session, { id: 'root', edge: 'people', [option]: 1 }),
      )
      expect([error.reason, error.data.parameter]).toEqual(['invalid_parameter', option])
    }
  })

  it('has pages, periods and a filter', async () => {
    const { graph, session } = await createWorld()
    const first = await graph.getEdge(session, { ...events, limit: 2 })
    const second = await graph.getEdge(session, { ...events, after: first.paging?.cursors.after })
    expect([titlesOf(first), titlesOf(second)]).toEqual([['Walk', 'Ball'], ['Fair']])
    expect(titlesOf(await graph.getEdge(session, { ...events, since: '2026-05-03' }))).toEqual([
      'Ball',
      'Fair',
    ])
    const inBath = await graph.getEdge(session, { ...events, parameters: { city: 'Bath' }, summary: true })
    expect([titlesOf(inBath), inBath.summary?.total_count]).toEqual([['Ball', 'Fair'], 2])
  })

  it('follows writes of its field, increments, recipes and deletions', async () => {
    const { graph, session } = await createWorld()
    const titles = async () => titlesOf(await graph.getEdge(session, { id: 'root', edge: 'popular' }))
    expect(await titles()).toEqual(['Walk', 'Fair', 'Ball'])
    await graph.write([{ op: 'patchNode', id: '22', fields: { likes: 100 } }])
    expect(await titles()).toEqual(['Ball', 'Walk', 'Fair'])
    await graph.write([{ op: 'patchNode', id: '20', increment: { likes: 50 } }])
    expect(await titles()).toEqual(['Ball', 'Fair', 'Walk'])
    await update(graph, { type: 'event', id: '21' }, draft => {
      draft.likes = 70
    })
    expect(await titles()).toEqual(['Ball', 'Walk', 'Fair'])
    await graph.write([{ op: 'deleteNode', id: '22' }])
    expect(await titles()).toEqual(['Walk', 'Fair'])
    const fields = { title: 'Again', likes: -3, start: 0 }
    await graph.write([{ op: 'putNode', node: { id: '22', type: 'event', fields } }])
    expect(await titles()).toEqual(['Walk', 'Fair', 'Again'])
  })

  it('is protected by its scope, its policy and the policies of its types', async () => {
    const { graph, session } = await createWorld()
    expect((await expectGraphError(graph.getEdge(session, { id: 'root', edge: 'staff' }))).reason).toBe(
      'scope_missing',
    )
    const staff = graph.session({ viewer: '1', app: 'demo', scopes: ['staff'] })
    expect((await graph.getEdge(staff, { id: 'root', edge: 'staff' })).data).toHaveLength(2)
    expect(rootsSeen[0]).toEqual({ id: 'root', type: 'root', fields: {} })
    expect((await graph.getEdge(session, { id: 'root', edge: 'people', summary: true })).data).toEqual([])
    expect(await graph.hasEdge(session, { ...events, target: '23' })).toBe(false)
    expect(await graph.hasEdge(session, { ...events, target: '22' })).toBe(true)
    expect(await graph.hasEdge(session, { ...events, target: '1' })).toBe(false)
  })

  it('does not mix with an edge of the same name', async () => {
    const { graph, session } = await createWorld()
    await graph.write([{ op: 'putEdge', edge: { source: '1', name: 'events', target: '22' } }])
    expect(titlesOf(await graph.getEdge(session, { id: '1', edge: 'events' }))).toEqual(['Ball'])
    expect(titlesOf(await graph.getEdge(session, events))).toEqual(['Walk', 'Ball', 'Fair'])
  })

  it('is explained and has metadata', async () => {
    const { graph, session } = await createWorld()
    expect(graph.explain({ type: 'root', fields: 'popular.limit(3){title}' }).reads).toBe(1)
    const root = await graph.getNode(session, { id: 'root', metadata: true })
    expect(Object.keys(root.metadata.connections ?? {})).toEqual(Object.keys(schema.types.root.edges))
  })

  it('is complete after a load of a dump, which does not contain it', async () => {
    const { memory, graph, session } = await createWorld()
    const lines = [...memory.dump()]
    expect(lines.join('')).not.toContain('"root"')
    const copy = createGraph(createMemoryStore(), { schema })
    await copy.load(lines)
    const copySession = copy.session({ viewer: '1', app: 'demo' })
    expect(await copy.getEdge(copySession, events)).toEqual(await graph.getEdge(session, events))
  })
})

describe('the node root', () => {
  it('cannot be written, and is the target of nothing', async () => {
    const { graph, session } = await createWorld()
    const writes = [
      { op: 'putNode', node: { id: '9', type: 'root', fields: {} } },
      { op: 'putNode', node: { id: 'root', type: 'event', fields: {} } },
      { op: 'patchNode', id: 'root', fields: {} },
      { op: 'deleteNode', id: 'root' },
      { op: 'putEdge', edge: { source: 'root', name: 'events', target: '20' } },
      { op: 'deleteEdge', edge: { source: 'root', name: 'events', target: '20' } },
    ]
    for (const mutation of writes)
      expect((await expectGraphError(graph.write([mutation as never]))).reason).toBe('invalid_mutation')
    const put = graph.write([
      { op: 'deleteEdge', edge: { source: 'root', name: 'events', target: '20' } } as never,
    ])
    expect((await expectGraphError(put)).message).toContain('the store itself keeps the collections of root')
    const call = graph.hasEdge(session, { id: '20', type: 'event', edge: 'guests', target: 'root' })
    expect((await expectGraphError(call)).reason).toBe('invalid_parameter')
  })

  it('does not exist without collections', async () => {
    const plain = defineSchema({ person: node({}) })
    const graph = createGraph(createMemoryStore(), { schema: plain })
    const session = graph.session({ viewer: '1', app: 'demo' })
    expect((await expectGraphError(graph.getNode(session, { id: 'root' }))).reason).toBe('invalid_parameter')
  })
})

describe('a collection of a store that already has nodes', () => {
  it('is an error until it is complete', async () => {
    const store = createMemoryStore()
    store.write([{ op: 'putNode', node: { id: '1', type: 'person', fields: {} } }])
    const graph = createGraph(store, { schema })
    const session = graph.session({ viewer: '1', app: 'demo', scopes: ['people'] })
    await graph.write([{ op: 'putNode', node: { id: '2', type: 'person', fields: {} } }])
    const error = await expectGraphError(graph.getEdge(session, { id: 'root', edge: 'people' }))
    expect([error.reason, error.message]).toEqual([
      'store_error',
      '(#2) The store does not contain the collection people completely; to build it, run npx kithgraph collect URL --schema FILE',
    ])
  })
})

describe('a declaration of collections', () => {
  const person = node({
    fields: { born: field.datetime({ required: true }), age: field.int() },
    edges: { mates: edge('person') },
  })
  const declare = (declared: unknown) => () =>
    defineSchema({ person, robot: node({ fields: { born: field.int({ required: true }) } }) }, {
      collections: { all: declared },
    } as never)

  it.each([
    [edge('person'), '"collections.all" must be a collection that collection() returns'],
    [collection('ghost'), 'root.all: each target must be'],
    [
      collection('person', { by: 'age' }),
      '"by" must be a required or present int, datetime or unixtime field of person',
    ],
    [collection(['person', 'robot'], { by: 'born' }), '"born" must be of one kind on all types'],
    [
      collection('person', { policy: [isViewer()] }),
      '"policy" must be made of hasScope, compositions and rules of your own',
    ],
    [collection('person', { policy: [not(isViewer())] }), '"policy" must be made of hasScope'],
    [collection('person', { policy: [canSee('mate')] }), '"policy" must be made of hasScope'],
    [
      collection('person', { policy: [anyOf(hasScope('a'), isViewer())] }),
      '"policy" must be made of hasScope',
    ],
    [collection('person', { where: () => true }), '"where" must be left out of an edge without parameters'],
  ])('is rejected if it is invalid: %#', (declared, message) => {
    expect(declare(declared)).toThrow(message)
  })

  it('reserves the type root', () => {
    expect(() => defineSchema({ root: node({}) })).toThrow('defineSchema: "types.root" must be left out')
    expect(() => schema.extend({ root: {} } as never)).toThrow('schema.extend: "types.root" must be left out')
  })

  it('is inherited and added to by an extension', () => {
    const extended = schema.extend({}, { collections: { trips: collection('trip', { by: 'start' }) } })
    expect(Object.keys(extended.types.root.edges)).toEqual([...Object.keys(schema.types.root.edges), 'trips'])
  })

  it('needs a store that keeps collections', () => {
    const store = createMemoryStore()
    const capabilities = { ...store.capabilities, collections: false }
    expect(() => createGraph({ ...store, capabilities }, { schema })).toThrow(
      'with the capability "collections"',
    )
  })
})
