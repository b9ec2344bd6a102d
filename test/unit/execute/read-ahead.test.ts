import {
  createGraph,
  defineSchema,
  edge,
  field,
  type GraphOptions,
  node,
  parameter,
  viewerHasEdge,
} from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { countAhead, countSteps, createReadAheadStore } from '../../helpers/read-ahead-store.ts'

const EXHAUSTED = { msBeforeNext: 1000, remainingPoints: 0, consumedPoints: 2, isFirstInDuration: false }
const SECRET = 'a secret of the test'

const schema = defineSchema(
  {
    user: node({
      fields: { name: field.string({ default: true }) },
      edges: {
        photos: edge('photo', { scope: 'user_photos' }),
        secrets: edge('secret'),
        recent: edge('photo', { parameters: { all: parameter.bool({ default: false }) }, where: () => true }),
      },
    }),
    photo: node({
      fields: { title: field.string({ default: true }), owner: field.ref('user') },
      edges: {
        comments: edge('photo', {
          fields: { rank: field.int({ required: true }) },
          orders: { top: { by: 'rank' } },
        }),
      },
    }),
    secret: node({
      policy: [viewerHasEdge('secrets')],
      fields: { text: field.string({ default: true }), owner: field.ref('user') },
      edges: { secrets: edge('secret'), photos: edge('photo') },
    }),
  },
  { viewers: ['user'], versions: ['v1.0'] },
)

const openGraph = async (options: GraphOptions<typeof schema> = {}) => {
  const store = createReadAheadStore(createMemoryStore())
  const graph = createGraph(store, { schema, secret: SECRET, ...options })
  await graph.write([
    { op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } },
    { op: 'putNode', node: { id: '2', type: 'photo', fields: { title: 'A bridge', owner: '1' } } },
    { op: 'putNode', node: { id: '3', type: 'photo', fields: { title: 'A boat', owner: '1' } } },
    { op: 'putNode', node: { id: '4', type: 'secret', fields: { text: 'A plan', owner: '1' } } },
    { op: 'putEdge', edge: { source: '1', name: 'photos', target: '2', time: 1 } },
    { op: 'putEdge', edge: { source: '2', name: 'comments', target: '3', time: 2, data: { rank: 1 } } },
    { op: 'putEdge', edge: { source: '1', name: 'secrets', target: '4', time: 3 } },
    { op: 'putEdge', edge: { source: '4', name: 'photos', target: '2', time: 3 } },
  ])
  const token = await graph.tokens.issue({ viewer: '1', app: 'demo', scopes: ['user_photos'] })
  /** Returns the number of records that each read of a call may read ahead. */
  const readsOf = async (call: () => Promise<unknown>): Promise<readonly number[]> => {
    const start = store.requests.length
    await call().catch(() => undefined)
    return store.requests
      .slice(start)
      .map(
        ({ nodesAhead = [], ranges }) =>
          nodesAhead.reduce((sum, ahead) => sum + countAhead(ahead), 0) +
          ranges.reduce((sum, { limit, ahead }) => sum + limit * countAhead(ahead), 0),
      )
  }
  return { graph, store, token, readsOf }
}

describe('a store that reads ahead', () => {
  it('receives a whole query in one read after the token, or with a session in one read', async () => {
    const { graph, token, readsOf } = await openGraph()
    const fields = 'photos.limit(10){comments.limit(3){owner}}'
    const session = graph.session({ viewer: '1', app: 'demo', scopes: ['user_photos'] })
    const below = 10 * (1 + 3 * (1 + 1))
    expect(await readsOf(() => graph.getMe(token, { fields }))).toEqual([0, below])
    expect(await readsOf(() => graph.getMe(session, { fields }))).toEqual([below])
    expect(await readsOf(() => graph.getNode(session, { id: '1', type: 'user', fields }))).toEqual([below])
    expect(await readsOf(() => graph.getNode(session, { id: '1', fields }))).toEqual([0, below - 10])
  })

  it('receives no hint with a token that is not yet accepted', async () => {
    const { graph, readsOf } = await openGraph()
    const read = (token: string) =>
      readsOf(() => graph.getNode(token, { id: '1', type: 'user', fields: 'photos{owner}' }))
    expect(await read('unknown')).toEqual([0])
    const { token } = await openGraph()
    expect(await read(token)).toEqual([0])
  })

  it('receives no hint for a call that is too expensive, misses a scope, has an unknown field or may not be charged', async () => {
    const { graph, readsOf } = await openGraph({ limits: { cost: 100 } })
    const session = graph.session({ viewer: '1', app: 'demo', scopes: [] })
    expect(await readsOf(() => graph.getMe(session, { fields: 'secrets{secrets{secrets}}' }))).toEqual([0])
    expect(await readsOf(() => graph.getMe(session, { fields: 'photos{owner}' }))).toEqual([0])
    const fields: string = 'nothing,photos'
    expect(await readsOf(() => graph.getMe(session, { fields }))).toEqual([0])
  })

  it('receives hints for the records of a first pass only, and none for lists under a policy or with a filter below', async () => {
    const { graph, readsOf } = await openGraph()
    const session = graph.session({ viewer: '1', app: 'demo', scopes: ['user_photos'] })
    const me = (fields: string) => readsOf(() => graph.getMe(session, { fields }))
    expect(await me('secrets.limit(2){owner}')).toEqual([0, 3, 0])
    expect(await me('secrets.limit(2){secrets.limit(5)}')).toEqual([0, 0, 0, 0])
    expect(await me('recent.limit(2){owner}')).toEqual([0, 3])
  })

  it('receives no hint for lists with a cursor or a time, in an order by a field, or of no entries', async () => {
    const { graph, readsOf } = await openGraph()
    const session = graph.session({ viewer: '1', app: 'demo', scopes: ['user_photos'] })
    const me = (fields: string) => readsOf(() => graph.getMe(session, { fields }))
    expect(await me('photos.since(1)')).toEqual([0, 0])
    expect(await me('photos.limit(1){comments.order(top)}')).toEqual([1, 0])
    expect(await me('photos.limit(0).summary(true)')).toEqual([0, 0])
  })

  it('receives only the levels whose records are at most 2,000', async () => {
    const { graph, readsOf } = await openGraph()
    const session = graph.session({ viewer: '1', app: 'demo', scopes: ['user_photos'] })
    const fields = 'photos.limit(30){comments.limit(30){comments.limit(20)}}'
    expect(await readsOf(() => graph.getMe(session, { fields }))).toEqual([30 + 900, 0])
  })
})

describe('a hint for lists whose entries have several types', () => {
  const TYPES = ['album', 'photo', 'video', 'place', 'event']
  const album = node({ edges: { linked: edge(TYPES) } })
  const mixed = defineSchema(Object.fromEntries(TYPES.map(type => [type, album])), { viewers: ['album'] })

  it('has at most 100 steps, although each level repeats the steps below it for each type', async () => {
    const store = createReadAheadStore(createMemoryStore())
    const graph = createGraph(store, { schema: mixed })
    await graph.write([{ op: 'putNode', node: { id: '1', type: 'album', fields: {} } }])
    const session = graph.session({ viewer: '1', app: 'demo' })
    const stepsOf = async (levels: number) => {
      const fields = `${'linked.limit(1){'.repeat(levels)}id${'}'.repeat(levels)}`
      const start = store.requests.length
      await graph.getNode(session, { id: '1', type: 'album', fields })
      return countSteps(store.requests[start]?.nodesAhead?.[0])
    }
    expect([await stepsOf(2), await stepsOf(3), await stepsOf(4), await stepsOf(7)]).toEqual([6, 31, 31, 31])
  })
})

describe('a hint below the viewer', () => {
  it('is for the type of the viewer alone if viewers have several types', async () => {
    const viewer = node({ edges: { photos: edge('photo') } })
    const viewers = defineSchema(
      { user: viewer, page: viewer, photo: node({}) },
      { viewers: ['user', 'page'] },
    )
    const store = createReadAheadStore(createMemoryStore())
    const graph = createGraph(store, { schema: viewers })
    await graph.write([
      { op: 'putNode', node: { id: '1', type: 'user', fields: {} } },
      { op: 'putNode', node: { id: '2', type: 'page', fields: {} } },
    ])
    const typesOf = async (viewerId: string) => {
      const token = await graph.tokens.issue({ viewer: viewerId, app: 'demo', scopes: [] })
      await graph.getMe(token, { fields: 'photos' })
      return [...(store.requests.at(-1)?.nodesAhead?.[0]?.keys() ?? [])]
    }
    expect([await typesOf('1'), await typesOf('2')]).toEqual([['user'], ['page']])
  })
})

describe('a call that may not be charged', () => {
  it('reads nothing ahead', async () => {
    const { graph, token, store } = await openGraph()
    const handler = createHandler(graph, {
      rateLimit: { user: { consume: () => Promise.reject(EXHAUSTED) } },
    })
    await handler(new Request(`http://localhost/me?fields=photos{owner}&access_token=${token}`))
    expect(store.requests.every(({ nodesAhead }) => nodesAhead === undefined)).toBe(true)
  })
})
