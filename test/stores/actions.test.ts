import { createGraph, defineSchema, edge, field, isViewer, node, parameter, type Store } from 'kithgraph'
import { actionsOf } from 'kithgraph/actions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { availableEngines, type StoreEngine } from '../helpers/store-engines.ts'

const schema = defineSchema(
  {
    user: node({ fields: { posts: field.int() }, edges: { feed: edge('post') } }),
    post: node({ fields: { message: field.string() } }),
  },
  { viewers: ['user'] },
)
const actions = [
  actionsOf(schema)('user', 'feed.add', {
    policy: [isViewer()],
    returns: 'post',
    parameters: { message: parameter.string({ required: true }) },
    run: async ({ source, parameters, newId, write }) => {
      const id = newId('post')
      await write([{ op: 'patchNode', id: source.id, increment: { posts: 1 } }])
      const { revision } = await write([
        { op: 'putNode', node: { id, type: 'post', fields: { message: parameters.message } } },
        { op: 'putEdge', edge: { source: source.id, name: 'feed', target: id } },
      ])
      return { id, revision }
    },
  }),
]
const CALLS = 100

const open = (store: Store) => createGraph(store, { schema, actions, secret: 'the secret of this test' })
const call = (graph: ReturnType<typeof open>, idempotencyKey: string) =>
  graph.callAction(graph.session({ viewer: '1', app: 'demo' }), {
    id: 'me',
    action: 'feed.add',
    parameters: { message: 'Hello' },
    fields: 'message',
    idempotencyKey,
  })

describe.each(availableEngines('actions', { every: true }))('actions on $name', ({ start }) => {
  let engine: StoreEngine
  beforeAll(async () => {
    engine = await start()
  }, 60_000)
  afterAll(() => engine?.stop())

  it('write once if one key is called 100 times at once, and once more for another key', async () => {
    const store = engine.create()
    await using graph = open(store)
    await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { posts: 0 } } }])
    const results = await Promise.all(Array.from({ length: CALLS }, () => call(graph, 'key')))
    expect(new Set(results.map(({ id, message }) => `${id} ${message}`)).size).toBe(1)
    await call(graph, 'another key')
    const session = graph.session({ viewer: '1', app: 'demo' })
    const feed = await graph.getEdge(session, { id: 'me', edge: 'feed', summary: true })
    expect(feed.summary?.total_count).toBe(2)
    expect(await graph.getMe(session, { fields: 'posts' })).toMatchObject({ posts: 2 })
  }, 60_000)

  it('write once if the reply is lost and the call is repeated with its key', async () => {
    const store = engine.create()
    await using graph = open(store)
    await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { posts: 0 } } }])
    // A graph of another process, whose reply is lost.
    const first = await call(open({ ...store, close: async () => undefined }), 'key')
    const second = await call(graph, 'key')
    expect(second).toMatchObject({ id: first.id, message: 'Hello' })
    const session = graph.session({ viewer: '1', app: 'demo' })
    expect(await graph.getMe(session, { fields: 'posts' })).toMatchObject({ posts: 1 })
  }, 60_000)
})
