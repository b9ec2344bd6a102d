import {
  createGraph,
  createStaticAuth,
  defineSchema,
  edge,
  field,
  type GraphOptions,
  hasEdgeToViewer,
  isGraphError,
  isViewer,
  node,
  parameter,
} from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { createClient } from 'kithgraph/client'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from 'kithgraph/testing'
import { update, updateEdge } from 'kithgraph/update'
import { beforeEach, describe, expect, it } from 'vitest'
import type { IdKind } from '../../../src/base/ids.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'

const SECRET = 'a secret for the tests'
const ADA = 'account-0190f3c2-7d1c-7000-8000-000000000001'
const PHOTO = 'photo-42'
const KEY_EXPECTED = 'must be a type and a key, such as "photo-42", or "me"'

const types = {
  account: node({
    appScoped: true,
    fields: { name: field.string({ default: true }) },
    edges: {
      photos: edge('photo', {
        parameters: { near: parameter.id({ types: ['account'] }) },
        where: () => true,
      }),
      found: edge('photo', {
        resolve: sources =>
          sources.map(() => ({ entries: [{ id: '42', position: 'first' }], hasMore: false })),
      }),
      likes: edge('photo', { inverse: 'likers', fields: { mark: field.string() } }),
    },
  }),
  photo: node({
    idPrefix: 'photo',
    policy: [isViewer({ of: 'owner' }), hasEdgeToViewer('likers', { of: 'next' })],
    fields: {
      title: field.string({ default: true }),
      owner: field.ref('account'),
      next: field.ref('photo'),
    },
    edges: { likers: edge('account', { inverse: 'likes', fields: { mark: field.string() } }) },
  }),
}
const schema = defineSchema(types, { viewers: ['account'], ids: 'named' })

const open = (options: GraphOptions = {}) => {
  const store = createMemoryStore()
  const counted = countReads(store)
  const graph = createGraph(counted, { secret: SECRET, ...options, schema })
  return { store, graph, counted }
}
type OpenedGraph = ReturnType<typeof open>

const nodes: readonly StoreMutation[] = [
  { op: 'putNode', node: { id: ADA, type: 'account', fields: { name: 'Ada' } } },
  { op: 'putNode', node: { id: PHOTO, type: 'photo', fields: { title: 'A bridge', owner: ADA } } },
  { op: 'putEdge', edge: { source: ADA, name: 'photos', target: PHOTO, time: 1000 } },
]

const catchError = async (call: Promise<unknown>) => {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return isGraphError(error) ? error : expect.fail(`no GraphError: ${String(error)}`)
}

let opened: OpenedGraph
beforeEach(() => {
  opened = open()
  opened.store.write(nodes)
})
const sessionOf = ({ graph }: OpenedGraph) => graph.session({ viewer: ADA, app: 'demo' })

describe('a request in a graph with named ids', () => {
  it('returns nodes, entries and links with named ids', async () => {
    const { graph } = opened
    const session = sessionOf(opened)
    expect(await graph.getNode(session, { id: PHOTO, fields: 'title,owner{name}' })).toEqual({
      title: 'A bridge',
      owner: { name: 'Ada', id: ADA },
      id: PHOTO,
    })
    expect(await graph.hasEdge(session, { id: ADA, edge: 'photos', target: PHOTO })).toBe(true)
    const page = await graph.getEdge(session, { id: 'me', edge: 'photos', parameters: { near: ADA } })
    expect(page.data).toEqual([{ title: 'A bridge', id: PHOTO }])
  })

  it.each(['42', '0190f3c2-7d1c-7000-8000-000000000001', 'Photo-42', 'photo-', 'photo', '', 'photo-.41'])(
    'rejects a text that is not a type and a key without a read of the node: %o',
    async id => {
      const { graph, counted } = opened
      const session = sessionOf(opened)
      const before = counted.reads.length
      for (const call of [
        graph.getNode(session, { id }),
        graph.getNodes(session, { ids: [PHOTO, id] }),
        graph.getEdge(session, { id, edge: 'photos' }),
        graph.hasEdge(session, { id: ADA, edge: 'photos', target: id }),
      ]) {
        const error = await catchError(call)
        expect(error.reason).toBe('invalid_parameter')
        expect(error.message).toContain(KEY_EXPECTED)
      }
      expect(counted.reads.length).toBe(before)
      const { message } = await catchError(
        graph.getEdge(session, { id: 'me', edge: 'photos', parameters: { near: id } }),
      )
      expect(message).toContain(KEY_EXPECTED)
    },
  )

  it('reports an invalid token before an invalid id', async () => {
    expect((await catchError(opened.graph.getNode('no token', { id: '42' }))).reason).toBe('token_invalid')
  })

  it('treats an unknown prefix like a missing node, without a read of nodes', async () => {
    const { graph, counted } = opened
    const before = counted.reads.length
    const error = await catchError(graph.getNode(sessionOf(opened), { id: 'picture-42' }))
    expect(error.reason).toBe('node_not_found')
    expect(counted.reads.length).toBe(before)
    const missing = await catchError(graph.getNode(sessionOf(opened), { id: 'photo-43' }))
    expect(error.message.replace('picture-42', 'photo-43')).toBe(missing.message)
  })

  it('treats an id of another type than the requested one like a missing node', async () => {
    const wrongType = await catchError(
      opened.graph.getNode(sessionOf(opened), { id: PHOTO, type: 'account' }),
    )
    expect(wrongType.reason).toBe('node_not_found')
  })
})

describe('an id of the other kind never reaches the store', () => {
  it('in a stored ref, which is a bad value', async () => {
    const { graph, store } = opened
    store.write([{ op: 'patchNode', id: PHOTO, fields: { next: '42' } }])
    const { next } = Object(await graph.getNode(sessionOf(opened), { id: PHOTO, fields: 'next{title}' }))
    expect(next).toBeUndefined()
    const strict = createGraph(store, { schema, secret: SECRET, checkValues: 'error' })
    const session = strict.session({ viewer: ADA, app: 'demo' })
    const error = await catchError(strict.getNode(session, { id: PHOTO, fields: 'next{title}' }))
    expect(error.reason).toBe('internal_error')
  })

  it('in a ref that a rule follows', async () => {
    const { graph, store, counted } = opened
    store.write([{ op: 'patchNode', id: PHOTO, fields: { owner: '1', next: '42' } }])
    const error = await catchError(graph.getNode(sessionOf(opened), { id: PHOTO }))
    expect(error.reason).toBe('node_not_found')
    expect(JSON.stringify(counted.reads)).not.toContain('"42"')
  })

  it('in the result of resolve, which is an error of the function', async () => {
    const call = opened.graph.getEdge(sessionOf(opened), { id: ADA, edge: 'found' })
    expect((await catchError(call)).reason).toBe('internal_error')
  })

  it('as the viewer of a session, of a token or of another kind of token', async () => {
    const { graph, store } = opened
    expect(() => graph.session({ viewer: '1', app: 'demo' })).toThrow('session: "viewer" must be the id')
    await expect(graph.tokens.issue({ viewer: '1', app: 'demo' })).rejects.toThrow(TypeError)
    await expect(graph.tokens.revokeAll({ viewer: '1' })).rejects.toThrow(TypeError)
    const auth = createStaticAuth({ 'a token': { viewer: '1', app: 'demo' } })
    const other = createGraph(store, { schema, secret: SECRET, auth })
    expect((await catchError(other.getMe('a token'))).reason).toBe('token_invalid')
  })

  it('as the viewer in the record of a token', async () => {
    const store = createMemoryStore()
    const digits = createGraph(store, { secret: SECRET })
    await digits.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
    const token = await digits.tokens.issue({ viewer: '1', app: 'demo' })
    const named = createGraph(store, { secret: SECRET, schema })
    expect((await catchError(named.getMe(token))).reason).toBe('token_invalid')
    expect((await named.tokens.inspect(token)).valid).toBe(false)
  })

  it('from graph.ids', () => {
    const { ids } = opened.graph
    expect(() => ids.toPublic('42', 'demo')).toThrow('ids.toPublic: "id" must be the id of a node')
    expect(ids.toRaw('42', 'demo')).toBeUndefined()
    expect(ids.toRaw(PHOTO, 'demo')).toBe(PHOTO)
  })
})

it('a graph with digits rejects named ids in the same places', async () => {
  const graph = createGraph(createMemoryStore())
  const session = graph.session({ app: 'demo' })
  expect((await catchError(graph.getNode(session, { id: 'user-1' }))).message).toContain(
    'must be a string of at most 19 digits, or "me"',
  )
  expect(() => graph.session({ viewer: 'user-1', app: 'demo' })).toThrow(TypeError)
  const write = graph.write([{ op: 'putNode', node: { id: 'user-1', type: 'user', fields: { name: 'A' } } }])
  expect((await catchError(write)).message).toContain('a string of digits')
  expect(graph.ids.toRaw('user-1', 'demo')).toBeUndefined()
})

describe('a write in a graph with named ids', () => {
  const putPhoto = (id: string, fields: { owner?: string; next?: string } = {}) =>
    ({ op: 'putNode', node: { id, type: 'photo', fields } }) as const

  it.each([
    [putPhoto('42'), 'node.id', 'a node id: a type and a key, such as "photo-42"'],
    [putPhoto('account-42'), 'node.id', 'an id that begins with "photo-", since the type is photo'],
    [putPhoto('picture-42'), 'node.id', 'an id that begins with "photo-", since the type is photo'],
    [putPhoto('photo-43', { owner: '1' }), 'node.fields.owner', 'the id of a node of type account'],
    [putPhoto('photo-43', { owner: PHOTO }), 'node.fields.owner', 'the id of a node of type account'],
    [{ op: 'patchNode', id: PHOTO, fields: { next: ADA } } as const, 'fields.next', 'a node of type photo'],
    [{ op: 'patchNode', id: '42', fields: {} } as const, 'id', 'a type and a key'],
    [{ op: 'deleteNode', id: '42' } as const, 'id', 'a type and a key'],
    [
      { op: 'putEdge', edge: { source: ADA, name: 'likes', target: '42' } } as const,
      'edge.target',
      'a type and a key',
    ],
    [
      { op: 'deleteEdge', edge: { source: '1', name: 'likes', target: PHOTO } } as const,
      'edge.source',
      'a type and a key',
    ],
  ])('rejects ids of another kind or type (%#)', async (mutation, path, expected) => {
    const { data, reason } = await catchError(opened.graph.write([mutation]))
    expect({ reason, path: data.path }).toEqual({ reason: 'invalid_mutation', path })
    expect(data.expected).toContain(expected)
  })

  it('is loaded with the same rules', async () => {
    const line = '{"node":{"id":"account-43","type":"photo","fields":{}}}'
    const { data, reason } = await catchError(opened.graph.load(`${line}\n`))
    expect({ reason, ...data }).toMatchObject({ reason: 'invalid_mutation', line: 1, path: 'node.id' })
  })

  it('keeps the ids of a type that is renamed, with its idPrefix', async () => {
    const renamed = defineSchema(
      { account: node({}), picture: node({ idPrefix: 'photo', fields: { title: field.string() } }) },
      { viewers: ['account'], ids: 'named' },
    )
    const graph = createGraph(createMemoryStore(), { schema: renamed })
    await graph.write([
      { op: 'putNode', node: { id: PHOTO, type: 'picture', fields: { title: 'A bridge' } } },
    ])
    const session = graph.session({ app: 'demo' })
    expect(await graph.getNode(session, { id: PHOTO, fields: 'title' })).toMatchObject({ id: PHOTO })
    expect((await catchError(graph.getNode(session, { id: 'picture-42' }))).reason).toBe('node_not_found')
  })

  it('updates nodes and edges by named ids, and no ids of the other kind', async () => {
    const { graph, store } = opened
    await graph.write([{ op: 'putEdge', edge: { source: ADA, name: 'likes', target: PHOTO } }])
    await update(graph, { type: 'photo', id: PHOTO }, draft => {
      draft.title = 'A boat'
    })
    await updateEdge(graph, { source: ADA, name: 'likes', target: PHOTO }, draft => {
      draft.mark = 'red'
    })
    expect([...store.dump()].join()).toContain('A boat')
    const nothing = () => undefined
    expect((await catchError(update(graph, { type: 'photo', id: '42' }, nothing))).data.path).toBe('id')
    const wrong = updateEdge(graph, { source: '1', name: 'likes', target: PHOTO }, nothing)
    expect((await catchError(wrong)).data.path).toBe('edge.source')
  })
})

describe('named ids over HTTP', () => {
  const serve = async (options: GraphOptions = {}) => {
    const { graph, store } = open(options)
    store.write(nodes)
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo' })
    const { respond } = createHandler(graph)
    const get = async (url: string) => {
      const response = await respond({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } })
      return JSON.parse(String(response.body))
    }
    const fetch = async (input: unknown, init: RequestInit = {}) => {
      const url = new URL(String(input))
      const response = await respond({
        method: init.method ?? 'GET',
        url: url.pathname + url.search,
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(typeof init.body === 'string' && { body: init.body }),
      })
      return new Response(String(response.body), {
        status: response.status,
        headers: { 'content-type': 'application/json' },
      })
    }
    return {
      graph,
      token,
      get,
      respond,
      client: createClient<typeof schema>('http://graph.test', { fetch }),
    }
  }

  it('are parts of paths, and values of ids and of parameters', async () => {
    const { get } = await serve()
    expect(await get(`/${PHOTO}`)).toEqual({ title: 'A bridge', id: PHOTO })
    expect(await get(`/?ids=${PHOTO},me`)).toMatchObject({ [PHOTO]: { id: PHOTO }, me: { id: ADA } })
    expect((await get(`/${ADA}/photos?near=${ADA}`)).data).toEqual([{ title: 'A bridge', id: PHOTO }])
    expect((await get(`/me/photos/${PHOTO}`)).data).toEqual([{ title: 'A bridge', id: PHOTO }])
    expect((await get('/42')).error.message).toContain(KEY_EXPECTED)
    const { metadata } = await get(`/${PHOTO}?metadata=1`)
    expect(metadata.fields[0]).toMatchObject({ name: 'id', type: 'string' })
    expect(metadata.connections.likers).toContain(`/${PHOTO}/likers`)
  })

  it('are requested by the client in paths', async () => {
    const { client, token } = await serve()
    expect(await client.getNode(token, { id: PHOTO, fields: 'title' })).toEqual({
      title: 'A bridge',
      id: PHOTO,
    })
    const page = await client.getEdge(token, { id: ADA, edge: 'photos' })
    expect(page.data).toEqual([{ title: 'A bridge', id: PHOTO }])
    expect(
      await client.getEdgeEntry(token, { id: ADA, edge: 'photos', target: PHOTO, fields: 'title' }),
    ).toMatchObject({
      id: PHOTO,
    })
    await expect(client.getNode(token, { id: '42' })).rejects.toThrow(KEY_EXPECTED)
  })

  it('are references of a batch', async () => {
    const { respond, token } = await serve()
    const batch = [
      { method: 'GET', name: 'photos', relative_url: 'me/photos' },
      { method: 'GET', relative_url: '?ids={result=photos:$.data.*.id}' },
    ]
    const response = await respond({
      method: 'POST',
      url: '/',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ batch }),
    })
    const [, second] = JSON.parse(String(response.body))
    expect(JSON.parse(second.body)).toEqual({ [PHOTO]: { title: 'A bridge', id: PHOTO } })
  })

  it('are described by OpenAPI', async () => {
    const { get } = await serve()
    const { components, paths } = await get('/openapi.json')
    expect(PHOTO).toMatch(new RegExp(components.schemas.Id.pattern))
    expect('42').not.toMatch(new RegExp(components.schemas.Id.pattern))
    expect(components.schemas.photo.examples[0].id).toBe('photo-1')
    const near = paths['/me/photos'].get.parameters.find(({ name }: { name: string }) => name === 'near')
    expect(ADA).toMatch(new RegExp(near.schema.pattern))
  })

  it.each<[string, IdKind]>([['app-scoped', 'named']])('can be %s', async () => {
    const appIds = createAppIds({ secrets: { 1: SECRET }, current: 1 })
    const { graph, get } = await serve({ appIds })
    const { id } = await get('/me')
    expect(id).toMatch(/^account-~1[\w-]{86}$/)
    expect(graph.ids.toRaw(id, 'demo')).toBe(ADA)
    expect(graph.ids.toPublic(ADA, 'demo')).toBe(id)
    expect((await get(`/${id}`)).id).toBe(id)
    expect((await get(`/${id}/photos?near=${id}`)).data).toEqual([{ title: 'A bridge', id: PHOTO }])
    expect((await get(`/${ADA}`)).error.error_data.reason).toBe('node_not_found')
    const forged = `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`
    const missing = await get(`/${forged}`)
    expect(missing.error.error_data.reason).toBe('node_not_found')
    const page = await get(`/${PHOTO}/likers`)
    expect(page.data).toEqual([])
  })
})
