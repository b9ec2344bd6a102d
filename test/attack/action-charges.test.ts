import {
  createGraph,
  defineSchema,
  edge,
  field,
  type GraphEvent,
  isViewer,
  node,
  parameter,
  viewerHasEdge,
} from 'kithgraph'
import { actionsOf } from 'kithgraph/actions'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { createRecordingLimiter } from './policy-world.ts'

const VIEWER = '1'
const FRIEND = '2'
const STRANGER = '3'
const MISSING = '99'
const FRIENDS_PHOTO = '12'
const STRANGERS_PHOTO = '13'

const ofFriends = [isViewer({ of: 'owner' }), viewerHasEdge('friends', { of: 'owner' })]
const schema = defineSchema(
  {
    user: node({ fields: { name: field.string() }, edges: { friends: edge('user', { symmetric: true }) } }),
    photo: node({
      policy: ofFriends,
      fields: { owner: field.ref('user'), name: field.string() },
      edges: { likes: edge('user') },
    }),
    album: node({ fields: { name: field.string() } }),
  },
  { viewers: ['user'] },
)

let runCount = 0
const run = () => {
  runCount++
}
const action = actionsOf(schema)
const actions = [
  action('user', 'plain', { policy: 'anyone', run }),
  action('user', 'heavy', { policy: [isViewer()], weight: 50, run }),
  action('user', 'checked', { policy: [viewerHasEdge('friends'), isViewer()], run }),
  action('user', 'share', {
    policy: 'anyone',
    parameters: {
      photo: parameter.node('photo'),
      albums: parameter.list(parameter.node('album')),
      any: parameter.node(['album', 'photo']),
    },
    run,
  }),
  action('user', 'copy', {
    policy: 'anyone',
    returns: 'user',
    run: ({ source }) => ({ id: source.id }),
  }),
  action('photo', 'print', { policy: 'anyone', scope: 'print', run }),
  action('photo', 'touch', { policy: [isViewer({ of: 'owner' })], run }),
]

const open = async (limits: object = {}) => {
  runCount = 0
  let checkCount = 0
  const onEvent = (event: GraphEvent): void => {
    if (event.kind === 'read') checkCount += event.checks
  }
  const graph = createGraph(createMemoryStore(), { schema, actions, limits, onEvent })
  await graph.write([
    ...[VIEWER, FRIEND, STRANGER].map(
      id => ({ op: 'putNode', node: { id, type: 'user', fields: {} } }) as const,
    ),
    { op: 'putEdge', edge: { source: VIEWER, name: 'friends', target: FRIEND } },
    { op: 'putNode', node: { id: FRIENDS_PHOTO, type: 'photo', fields: { owner: FRIEND } } },
    { op: 'putNode', node: { id: STRANGERS_PHOTO, type: 'photo', fields: { owner: STRANGER } } },
    { op: 'putNode', node: { id: '21', type: 'album', fields: {} } },
  ])
  const app = createRecordingLimiter()
  const handler = createHandler(graph, { rateLimit: { app } })
  const token = await graph.tokens.issue({ viewer: VIEWER, app: 'demo' })
  const post = async (url: string): Promise<string | undefined> => {
    const headers = { authorization: `Bearer ${token}` }
    const { body = '{}' } = await handler.respond({ method: 'POST', url, headers })
    return JSON.parse(body).error?.error_data.reason
  }
  return { post, charges: app.charges, countChecks: () => checkCount }
}

describe('the call of an action', () => {
  it.each([
    ['its weight and its source', '/me/plain', 10 + 1],
    ['a weight of its own', '/me/heavy', 50 + 1],
    ['each rule of its policy that needs checks', '/me/checked', 10 + 1 + 1],
    [
      'each id of a parameter, with the policy of its type',
      '/me/share?photo=12&albums=21,21',
      10 + 1 + 2 + 2,
    ],
    ['an id of several types as the costliest of them', '/me/share?any=21', 10 + 1 + 2],
    ['ids that no node has', '/me/share?photo=99&albums=99,x', 10 + 1 + 2 + 2],
    ['its fields', '/me/copy?fields=friends.limit(5){name}', 10 + 1 + 1 + 1 + 5],
    ['the policy of its source', `/${FRIENDS_PHOTO}/touch?node_type=photo`, 10 + 1 + 1],
  ])('is charged once: %s', async (_name, url, cost) => {
    const { post, charges } = await open()
    await post(url)
    expect(charges).toEqual([cost])
  })

  it.each([
    ['a missing source', `/${MISSING}/touch`, 'node_not_found'],
    ['a hidden source', `/${STRANGERS_PHOTO}/touch`, 'node_not_found'],
    ['an unknown name', '/me/nothing', 'field_not_found'],
    ['an edge without actions', '/me/friends', 'method_not_supported'],
    ['a missing scope', `/${FRIENDS_PHOTO}/print`, 'scope_missing'],
    ['a syntax error', '/me/copy?fields=a,,b', 'invalid_syntax'],
  ])('is charged 1 if it fails before its cost is known: %s', async (_name, url, reason) => {
    const { post, charges } = await open()
    expect(await post(url)).toBe(reason)
    expect(charges).toEqual([1])
  })

  it('has the same charge for a hidden, a missing and a visible node, as its source and in a parameter', async () => {
    for (const path of [
      (id: string) => `/${id}/touch?node_type=photo`,
      (id: string) => `/me/share?photo=${id}`,
    ]) {
      const { post, charges } = await open()
      for (const id of [STRANGERS_PHOTO, MISSING, FRIENDS_PHOTO]) await post(path(id))
      expect(new Set(charges).size).toBe(1)
    }
  })

  it('reads no checks for nodes of other types than its parameter, which it is not charged for', async () => {
    const { post, countChecks } = await open()
    expect(await post(`/me/share?albums=${STRANGERS_PHOTO},${FRIENDS_PHOTO}`)).toBe('invalid_parameter')
    expect(countChecks()).toBe(0)
    await post(`/me/share?photo=${STRANGERS_PHOTO}`)
    expect(countChecks()).toBe(1)
  })

  it('does not run if it costs more than limits.cost', async () => {
    const { post, charges } = await open({ cost: 50 })
    expect(await post('/me/heavy')).toBe('query_too_expensive')
    expect([charges, runCount]).toEqual([[1], 0])
    expect(await post('/me/plain')).toBe(undefined)
  })
})
