import { createGraph, defineSchema, edge, field, hasScope, isViewer, node, viewerHasEdge } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { createClient } from 'kithgraph/client'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { Store, StoreReadRequest } from '../../src/store/contract.ts'
import { expectGraphError } from '../unit/abuse/expect-graph-error.ts'
import { createJsonRequest } from './served-world.ts'

const schema = defineSchema(
  {
    person: node({
      appScoped: true,
      policy: [isViewer(), viewerHasEdge('knows')],
      fields: { name: field.string({ default: true }), secret: field.string({ policy: [isViewer()] }) },
      edges: {
        knows: edge('person', {
          symmetric: true,
          defaults: ['since', 'name'],
          fields: { since: field.edgeTime(), note: field.string(), badge: field.picture() },
        }),
        likes: edge(['page', 'person'], { scope: 'likes' }),
        hidden: edge('page', { policy: [hasScope('all')] }),
      },
    }),
    page: node({ fields: { name: field.string({ default: true }), owner: field.ref('person') }, edges: {} }),
  },
  { versions: ['v1.0'], viewers: ['person'], defaultPicture: '/nobody.svg' },
)

const put = (id: string, type: 'person' | 'page', fields: object) =>
  ({ op: 'putNode', node: { id, type, fields } }) as const
const link = (source: string, name: 'likes' | 'hidden', target: string) =>
  ({ op: 'putEdge', edge: { source, name, target, time: 1 } }) as const

/** Serves a graph in which Ada knows Ben and likes Ben, a page and Cy, who is not visible to her. */
const serveTeams = async ({ scoped = false, limits = {}, wrap = (store: Store) => store } = {}) => {
  const secrets = { 1: 'a secret of sixteen characters' }
  const graph = createGraph(wrap(createMemoryStore()), {
    schema,
    limits,
    secret: 'another secret of the tests',
    ...(scoped && { appIds: createAppIds({ secrets, current: 1 }) }),
  })
  await graph.write([
    put('1', 'person', { name: 'Ada', secret: 'mine' }),
    put('2', 'person', { name: 'Ben', secret: 'his' }),
    put('3', 'person', { name: 'Cy' }),
    put('4', 'person', { name: 'Dee' }),
    put('7', 'page', { name: 'Chess', owner: '2' }),
    put('8', 'page', { name: 'Go' }),
    { op: 'putEdge', edge: { source: '1', name: 'knows', target: '2', time: 5000, data: { note: 'x' } } },
    link('1', 'likes', '2'),
    link('1', 'likes', '3'),
    link('1', 'likes', '7'),
    link('1', 'hidden', '7'),
    link('3', 'likes', '7'),
  ] as never)
  const issue = (scopes: readonly string[]) => graph.tokens.issue({ viewer: '1', app: 'demo', scopes })
  const token = await issue(['likes'])
  const handler = createHandler(graph)
  const send = async (path: string, sender = token, init: RequestInit = {}) => {
    const headers = { ...init.headers, authorization: `Bearer ${sender}` }
    const response = await handler(new Request(`http://graph.test${path}`, { ...init, headers }))
    return { status: response.status, etag: response.headers.get('etag'), text: await response.text() }
  }
  const read = async (path: string, sender?: string, init?: RequestInit) =>
    JSON.parse((await send(path, sender, init)).text)
  const reasonOf = async (path: string, sender?: string) => (await read(path, sender)).error.error_data.reason
  return { graph, token, issue, handler, send, read, reasonOf }
}

const EMPTY_PAGE = '{"data":[]}'

describe('a request for one entry of an edge over HTTP', () => {
  it('returns the entry with the requested fields, without paging', async () => {
    const { send, read } = await serveTeams()
    expect((await send('/me/likes/7')).text).toBe('{"data":[{"name":"Chess","id":"7"}]}')
    expect(await read('/1/likes/7?fields=owner{name},id')).toEqual({
      data: [{ owner: { name: 'Ben', id: '2' }, id: '7' }],
    })
    expect(await read('/v1.0/1/knows/2?fields=name,likes.limit(1)', undefined)).toMatchObject({
      data: [{ name: 'Ben', likes: { data: [] }, id: '2' }],
    })
    expect(await read('/1/knows/me')).toEqual({ data: [] })
  })

  it('returns the fields and the time of the edge', async () => {
    const { read } = await serveTeams()
    const since = '1970-01-01T00:00:05+0000'
    expect(await read('/me/knows/2')).toEqual({ data: [{ since, name: 'Ben', id: '2' }] })
    const entry = await read('/me/knows/2?fields=since,note,badge,name&debug=all')
    expect(entry).toEqual({
      data: [{ since, note: 'x', badge: expect.anything(), name: 'Ben', id: '2' }],
      __debug__: { messages: [] },
    })
    expect(entry.data).toEqual((await read('/me/knows?fields=since,note,badge,name')).data)
  })

  it('returns the same fields as the list', async () => {
    const { read } = await serveTeams()
    const fields = 'name,secret,owner{name,secret},id'
    const list = await read(`/me/likes?fields=${fields}`)
    expect(list.data).toHaveLength(2)
    for (const entry of list.data)
      expect(await read(`/me/likes/${entry.id}?fields=${fields}`)).toEqual({ data: [entry] })
  })

  it('returns the same bytes for an entry that is not visible as for one that does not exist', async () => {
    for (const scoped of [false, true]) {
      const { graph, send } = await serveTeams({ scoped })
      const idOf = (id: string): string => (scoped ? graph.ids.toPublic(id, 'demo') : id)
      const forged = idOf('3').replace(/.$/, last => `${(Number(last) + 1) % 10}`)
      const none = await send(`/me/likes/${idOf('4')}`)
      expect(none.text).toBe(EMPTY_PAGE)
      const same = ['/me/likes/999', `/me/likes/${idOf('3')}`, '/me/likes/8', '/me/hidden/7', '/me/hidden/8']
      if (scoped)
        same.push(`/me/likes/${forged}`, '/me/likes/2', '/me/likes/3', `/me/likes/1${'0'.repeat(19)}`)
      for (const path of same) {
        const { status, etag, text } = await send(path)
        expect({ path, status, etag, text }).toEqual({ path, ...none })
        const debugged = await send(`${path}?debug=all&fields=nope&partial=1`)
        expect(debugged.text).toBe(
          (await send(`${path.replace(/\d+$/, '999')}?debug=all&fields=nope&partial=1`)).text,
        )
      }
    }
  })

  it('accepts and returns app-scoped ids', async () => {
    const { graph, read } = await serveTeams({ scoped: true })
    const ben = graph.ids.toPublic('2', 'demo')
    const ada = graph.ids.toPublic('1', 'demo')
    expect(await read(`/${ada}/likes/${ben}`)).toEqual({ data: [{ name: 'Ben', id: ben }] })
    expect(await read('/me/likes/2')).toEqual({ data: [] })
  })

  it('fails if its token, scope, viewer, field or source is missing, or a parameter is invalid', async () => {
    const { graph, issue, read, reasonOf } = await serveTeams()
    const bare = await issue([])
    expect(await reasonOf('/me/likes/7', bare)).toBe('scope_missing')
    expect(await reasonOf('/me/likes/999', bare)).toBe('scope_missing')
    expect(await reasonOf('/me/nothing/7')).toBe('field_not_found')
    expect(await reasonOf('/me/likes/7?fields=nope')).toBe('field_not_found')
    expect(await reasonOf('/me/likes/999?fields=nope')).toBe('field_not_found')
    expect(await reasonOf('/3/likes/7')).toBe('node_not_found')
    expect(await reasonOf('/999/likes/7')).toBe('node_not_found')
    expect(await reasonOf('/me/likes/7?node_type=page')).toBe('node_not_found')
    expect(await reasonOf('/me/likes/7?ids=1')).toBe('invalid_parameter')
    expect(await reasonOf('/me/likes/00')).toBe('invalid_parameter')
    expect(await reasonOf('/me/likes/7', 'nobody')).toBe('token_invalid')
    expect(await reasonOf('/me/likes/7?fields=id,', bare)).toBe('invalid_syntax')
    expect(await read('/me/hidden/7', await issue(['all']))).toEqual({ data: [{ name: 'Chess', id: '7' }] })
    const app = await graph.tokens.issue({ app: 'demo', scopes: ['likes'] })
    expect(await reasonOf('/7/likes/me', app)).toBe('viewer_required')
  })

  it('exceeds the cost limit whether or not the edge exists', async () => {
    const { reasonOf, read } = await serveTeams({ limits: { cost: 50 } })
    expect(await read('/me/likes/7?fields=owner')).toHaveProperty('data')
    for (const id of ['7', '8', '3', '999'])
      expect(await reasonOf(`/me/likes/${id}?fields=owner{likes.limit(100)}`)).toBe('query_too_expensive')
  })

  it('has the cost of its source and its target, each with its policy', async () => {
    const { graph, token } = await serveTeams()
    const spent: number[] = []
    const app = {
      consume: async (_: string, points = 0) => {
        spent.push(points)
        return { consumedPoints: points, remainingPoints: 1000, msBeforeNext: 0, isFirstInDuration: false }
      },
    }
    const handler = createHandler(graph, { rateLimit: { app } })
    const headers = { authorization: `Bearer ${token}` }
    const paths = ['/me/likes/7', '/me/likes/999', '/me/knows/2', '/7/hidden/8', '/3/likes/7']
    for (const path of paths) await handler(new Request(`http://graph.test${path}`, { headers }))
    // A person has one rule with checks. An unknown edge and a source that is not visible cost 1.
    expect(spent).toEqual([4, 4, 4, 1, 1])
  })

  it('takes one store read, one more for its policies, and one more for `me`', async () => {
    const requests: StoreReadRequest[] = []
    const wrap = (store: Store): Store => ({
      ...store,
      read: (request, options) => {
        requests.push(request)
        return store.read(request, options)
      },
    })
    const { send } = await serveTeams({ wrap })
    const countReadsOf = async (path: string): Promise<number> => {
      requests.length = 0
      await send(path)
      return requests.length
    }
    expect(await countReadsOf('/1/likes/7')).toBe(1)
    expect(requests[0]).toMatchObject({
      nodes: ['1', '7'],
      checks: [{ source: '1', name: 'likes', target: '7' }],
    })
    expect(requests[0]?.tokens).not.toEqual([])
    expect(requests.flatMap(({ ranges }) => ranges)).toEqual([])
    expect(await countReadsOf('/1/likes/2?fields=secret')).toBe(2)
    expect(await countReadsOf('/me/likes/2?fields=secret')).toBe(3)
  })

  it('works in a batch, and returns 304 for a matching ETag', async () => {
    const { read, send, token } = await serveTeams()
    const batch = [
      { method: 'GET', relative_url: 'me/likes/7?fields=id' },
      { method: 'GET', relative_url: 'me/likes/3' },
    ]
    const items: readonly { readonly body: string }[] = await read('/', token, createJsonRequest({ batch }))
    expect(items.map(({ body }) => body)).toEqual(['{"data":[{"id":"7"}]}', EMPTY_PAGE])
    const { etag } = await send('/me/likes/7')
    expect((await send('/me/likes/7', token, { headers: { 'if-none-match': `${etag}` } })).status).toBe(304)
  })

  it('fails with path_not_found for permissions and for a path with more segments', async () => {
    const { read, reasonOf } = await serveTeams()
    for (const path of ['/me/permissions/5', '/me/likes/7/more', '/me/likes/more', '/me/likes/7/8'])
      expect(await reasonOf(path)).toBe('path_not_found')
    expect((await read('/me/likes/7/more')).error.error_data.path).toBe('/more')
    expect((await read('/me/likes/more/7')).error.error_data.path).toBe('/more/7')
  })
})

describe('hasEdge of the client', () => {
  const entryRequests = [
    { id: 'me', edge: 'likes', target: '7' },
    { id: '1', edge: 'likes', target: '2' },
    { id: 'me', type: 'person', edge: 'likes', target: '3' },
    { id: 'me', edge: 'likes', target: '999' },
    { id: 'me', edge: 'hidden', target: '7' },
    { id: '1', edge: 'knows', target: 'me' },
  ] as const

  it.each([false, true])('returns the same as hasEdge of the graph (batch: %s)', async batch => {
    const { graph, handler, token } = await serveTeams()
    let requests = 0
    const client = createClient<typeof schema>('http://graph.test', {
      batch,
      fetch: (url, init) => {
        requests++
        return handler(new Request(url, init))
      },
    })
    const there = await Promise.all(entryRequests.map(entryRequest => client.hasEdge(token, entryRequest)))
    expect(there).toEqual([true, true, false, false, false, false])
    expect(there).toEqual(
      await Promise.all(entryRequests.map(entryRequest => graph.hasEdge(token, entryRequest))),
    )
    expect(requests).toBe(batch ? 1 : entryRequests.length)
  })

  it('throws the same errors as hasEdge of the graph', async () => {
    const { graph, handler, token, issue } = await serveTeams()
    const client = createClient<typeof schema>('http://graph.test', {
      fetch: (url, init) => handler(new Request(url, init)),
    })
    const bare = await issue([])
    for (const [sender, call] of [
      [token, { id: '3', edge: 'likes', target: '7' }],
      [token, { id: 'me', edge: 'nothing', target: '7' }],
      [token, { id: 'me', edge: 'likes', target: '00' }],
      [bare, { id: 'me', edge: 'likes', target: '7' }],
      ['nobody', { id: 'me', edge: 'likes', target: '7' }],
      [token, { id: 'Ada', edge: 'likes', target: '7' }],
    ] as const) {
      const [remote, local] = [
        await expectGraphError(client.hasEdge(sender, call as never)),
        await expectGraphError(graph.hasEdge(sender, call as never)),
      ]
      expect([remote.reason, remote.data, remote.message]).toEqual([local.reason, local.data, local.message])
    }
    for (const target of ['', '..', 'a/b', 'Ada', 5])
      expect(
        (await expectGraphError(client.hasEdge(token, { id: 'me', edge: 'likes', target } as never))).toJSON()
          .error.error_data,
      ).toMatchObject({
        reason: 'invalid_parameter',
        parameter: 'target',
      })
    await expect(client.hasEdge(token, { ...entryRequests[0], minRevision: '1' } as never)).rejects.toThrow(
      TypeError,
    )
  })
})
