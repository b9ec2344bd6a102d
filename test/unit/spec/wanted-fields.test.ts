import {
  anyOf,
  canSee,
  createGraph,
  defineSchema,
  edge,
  field,
  fieldEquals,
  hasEdgeToViewer,
  isViewer,
  node,
  parameter,
  type Rule,
  type WantedFields,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'

const putNode = (id: string, type: string, fields: JsonObject = {}): StoreMutation => ({
  op: 'putNode',
  node: { id, type, fields },
})

const putEdge = (source: string, name: string, target: string): StoreMutation => ({
  op: 'putEdge',
  edge: { source, name, target, time: 0, data: undefined },
})

const isOpen: Rule = {
  name: 'isOpen',
  reads: ['state'],
  decide: ({ fields }) => (fields.state === 'open' ? 'allow' : 'skip'),
}

/** A rule that does not declare what it reads. */
const isLoud: Rule = { name: 'isLoud', decide: ({ fields }) => (fields.loud === true ? 'allow' : 'skip') }

const schema = defineSchema(
  {
    person: node({
      fields: {
        name: field.string({ default: true }),
        birthday: field.birthday(),
        age_range: field.ageRange(),
        secret: field.string({ policy: [isViewer()] }),
        initials: field.string({
          reads: ['name'],
          resolve: records => records.map(({ fields }) => `${fields.name}`.slice(0, 1)),
        }),
        anything: field.string({ resolve: records => records.map(({ fields }) => JSON.stringify(fields)) }),
      },
      edges: {
        friends: edge('person', { symmetric: true, fields: { since: field.edgeTime() } }),
        posts: edge('post', {
          parameters: { tag: parameter.string() },
          where: ({ target }, { tag }) => target.fields.tag === tag,
          reads: ['tag'],
        }),
        rooms: edge('room', { policy: [isViewer()] }),
        found: edge('room', {
          reads: ['name'],
          resolve: sources => sources.map(() => ({ entries: [{ id: '30', position: 'a' }], hasMore: false })),
        }),
      },
    }),
    post: node({
      policy: [anyOf(isOpen, isViewer({ of: 'author' })), canSee('room')],
      fields: {
        text: field.string({ default: true }),
        state: field.string(),
        tag: field.string(),
        author: field.ref('person'),
        room: field.ref('room'),
      },
    }),
    room: node({
      policy: [fieldEquals('access', 'public'), hasEdgeToViewer('members', { of: 'owner' })],
      fields: { title: field.string({ default: true }), access: field.string(), owner: field.ref('room') },
      edges: { members: edge('person') },
    }),
    siren: node({ policy: [isLoud], fields: { loud: field.bool(), tone: field.int({ default: true }) } }),
  },
  { viewers: ['person'] },
)

const ADA = { name: 'Ada', birthday: { date: '1990-12-10', show: 'full' }, secret: 'x' }

const open = async () => {
  const store = countReads(createMemoryStore())
  const graph = createGraph(store, { schema })
  const mutations = [
    putNode('1', 'person', ADA),
    putNode('2', 'person', { name: 'Alan' }),
    putNode('20', 'post', { text: 'Hi', state: 'open', tag: 'a', author: '1', room: '30' }),
    putNode('21', 'post', { text: 'Ho', state: 'shut', tag: 'b', author: '2', room: '30' }),
    putNode('30', 'room', { title: 'Hall', access: 'public' }),
    putNode('40', 'siren', { loud: true, tone: 3 }),
    putEdge('1', 'friends', '2'),
    putEdge('1', 'posts', '20'),
    putEdge('1', 'posts', '21'),
    putEdge('1', 'rooms', '30'),
  ]
  await store.write(mutations, { signal: undefined })
  store.clear()
  const session = graph.session({ viewer: '1', app: 'demo' })
  /** Returns the wanted fields of each read of a call, except for reads of checks alone. */
  const fieldsOfReads = async (call: () => unknown) => {
    store.clear()
    await call()
    return store.reads
      .filter(({ request: { nodes, ranges } }) => nodes.length + ranges.length > 0)
      .map(({ request }) => toLists(request.fields))
  }
  return { graph, session, store, fieldsOfReads }
}

const toLists = (fields: WantedFields | undefined) =>
  fields && Object.fromEntries([...fields].map(([type, names]) => [type, names && [...names].sort()]))

describe('a read', () => {
  it('of a node of a known type requests the stored fields that it selects', async () => {
    const { graph, session, fieldsOfReads } = await open()
    const cases = [
      ['name', { person: ['name'] }],
      ['id', {}],
      ['metadata{type}', {}],
      ['age_range', { person: ['birthday'] }],
      ['secret', { person: ['secret'] }],
      ['initials', { person: ['name'] }],
      ['anything', { person: undefined }],
    ] as const
    for (const [fields, expected] of cases) {
      expect(await fieldsOfReads(() => graph.getMe(session, { fields }))).toEqual([expected])
      expect(await fieldsOfReads(() => graph.getNode(session, { id: '2', type: 'person', fields }))).toEqual([
        expected,
      ])
    }
  })

  it('of a node of an unknown type requests all fields', async () => {
    const { graph, session, fieldsOfReads } = await open()
    expect(await fieldsOfReads(() => graph.getNode(session, { id: '2', fields: 'name' }))).toEqual([
      undefined,
    ])
  })

  it('requests what the policies of its type read, and all fields for a rule that does not declare them', async () => {
    const { graph, session, fieldsOfReads } = await open()
    const readPost = () => graph.getNode(session, { id: '20', type: 'post', fields: 'text' })
    expect((await fieldsOfReads(readPost))[0]).toEqual({ post: ['author', 'room', 'state', 'text'] })
    const readSiren = () => graph.getNode(session, { id: '40', type: 'siren', fields: 'tone' })
    expect(await fieldsOfReads(readSiren)).toEqual([{ siren: undefined }])
  })

  it('of the nodes that canSee follows requests only what the policies of types read', async () => {
    const { graph, session, fieldsOfReads } = await open()
    const reads = await fieldsOfReads(() =>
      graph.getNode(session, { id: '21', type: 'post', fields: 'text' }),
    )
    expect(reads[1]).toEqual({
      post: ['author', 'room', 'state'],
      room: ['access', 'owner'],
      siren: undefined,
    })
  })

  it('of lists that are read together requests the fields of all of them', async () => {
    const { graph, session, fieldsOfReads } = await open()
    const fields = 'friends{name},rooms{title},posts.tag(a){text}'
    const reads = await fieldsOfReads(() => graph.getMe(session, { fields }))
    // The last read is that of `canSee`.
    expect(reads.slice(0, 2)).toEqual([
      {},
      {
        person: ['name'],
        room: ['access', 'owner', 'title'],
        post: ['author', 'room', 'state', 'tag', 'text'],
      },
    ])
  })

  it('of a computed edge requests the fields of the source that its function reads', async () => {
    const { graph, session, fieldsOfReads } = await open()
    expect(await fieldsOfReads(() => graph.getMe(session, { fields: 'found{title}' }))).toEqual([
      { person: ['name'] },
      { room: ['access', 'owner', 'title'] },
    ])
  })

  it('of one edge requests the fields of the entries, and of the policies of the source', async () => {
    const { graph, session, fieldsOfReads } = await open()
    const policyFields = { room: ['access', 'owner'], post: ['author', 'room', 'state'], siren: undefined }
    const readFriends = () => graph.getEdge(session, { id: '1', edge: 'friends', fields: 'name' })
    expect(await fieldsOfReads(readFriends)).toEqual([{ ...policyFields, person: ['name'] }])
    const lookUp = () =>
      graph.hasEdge(session, { id: '1', edge: 'posts', target: '20', parameters: { tag: 'a' } })
    expect(await fieldsOfReads(lookUp)).toEqual([
      { ...policyFields, post: ['author', 'room', 'state', 'tag'] },
    ])
    const readEntry = () => graph.getEdgeEntry(session, { id: '1', edge: 'friends', target: '2' })
    expect(await fieldsOfReads(readEntry)).toEqual([{ ...policyFields, person: ['name'] }])
  })

  it('of a graph without a session before it requests all fields of a new expression', async () => {
    const { graph, store } = await open()
    const token = await graph.tokens.issue({ viewer: '1', app: 'demo', scopes: [] })
    store.clear()
    const call = { id: '2', type: 'person', fields: 'name,birthday' } as const
    await graph.getNode(token, call)
    await graph.getNode(token, call)
    expect(store.reads.map(({ request }) => toLists(request.fields))).toEqual([
      undefined,
      { person: ['birthday', 'name'] },
    ])
  })

  it('sends the same wanted fields in every call of one expression', async () => {
    const { graph, session, store } = await open()
    const fields = 'name,friends{name},rooms{title}'
    await graph.getMe(session, { fields })
    await graph.getMe(session, { fields })
    const sent = store.reads.map(({ request }) => request.fields)
    expect(sent.length).toBeGreaterThanOrEqual(4)
    const half = sent.length / 2
    for (let index = 0; index < half; index++) expect(sent[index]).toBe(sent[half + index])
  })
})
