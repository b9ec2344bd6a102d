import { createGraph, type Graph, isGraphError, type socialSchema } from 'kithgraph'
import { createClient } from 'kithgraph/client'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADA, createWorld, ENGINE, GRACE, NEWEST_FIRST, NEWEST_PHOTO, SCOPES } from '../helpers/world.ts'
import { html, json, serveGraph, serveTurns } from './client-servers.ts'

type World = Awaited<ReturnType<typeof createWorld>>
type Social = Graph<typeof socialSchema>

let world: World
let token: string
let server: Awaited<ReturnType<typeof serveGraph>>
beforeAll(async () => {
  world = await createWorld()
  token = await world.graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
  server = await serveGraph(world.graph, { basePath: '/graph' })
})
afterAll(() => server[Symbol.asyncDispose]())

const clientOf = (options: Parameters<typeof createClient>[1] = {}) =>
  createClient<typeof socialSchema>(`${server.url}/graph`, options)

/** What a call throws. */
const thrown = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    answer => ({ answer }),
    (error: unknown) => error,
  )

describe('a remote graph', () => {
  it('is read by the same code as one in-process', async () => {
    const greet = async ({ getMe }: Pick<Social, 'getMe'>) => {
      const me = await getMe(token, { fields: 'name,photos.limit(2){created_time,from}' })
      return { greeting: `Hello, ${me.name}`, me }
    }
    expect(await greet(clientOf())).toEqual(await greet(world.graph))
  })

  it.each<readonly [string, (graph: Pick<Social, keyof ReturnType<typeof clientOf>>) => Promise<unknown>]>([
    ['getMe', graph => graph.getMe(token, { metadata: true, debug: 'all' })],
    ['getNode', graph => graph.getNode(token, { id: NEWEST_PHOTO, type: 'photo', fields: 'from,likes' })],
    ['getNodes', graph => graph.getNodes(token, { ids: ['me', GRACE, 'me'], fields: ['name', 'id'] })],
    ['getEdge', graph => graph.getEdge(token, { id: 'me', edge: 'photos', limit: 3, summary: true })],
    ['getEdges', graph => graph.getEdges(token, { ids: [ADA, GRACE], edge: 'likes', limit: 1 })],
    [
      'a window of time',
      graph =>
        graph.getEdge(token, {
          id: 'me',
          edge: 'photos',
          since: new Date(Date.UTC(2014, 7, 3, 17, 41, 8)),
          until: 1407087669,
          order: 'chronological',
          limit: 2,
        }),
    ],
    ['no ids', graph => graph.getNodes(token, { ids: [], debug: 'all' })],
    ['a version', graph => graph.getEdge(token, { id: 'me', edge: 'photos', limit: 1, version: 'v1.0' })],
  ])('answers %s as in-process, links and all', async (_name, read) => {
    const answer = await read(clientOf())
    expect(answer).toEqual(await read(world.graph))
    expect(JSON.stringify(answer)).not.toContain(server.url)
  })

  it('walks an edge page by page, and asks for no page before its first entry is', async () => {
    const before = server.requests.length
    const ids: string[] = []
    const pages: number[] = []
    for await (const { id } of clientOf().iterateEdge(token, { id: 'me', edge: 'photos', limit: 25 })) {
      ids.push(id)
      pages.push(server.requests.length - before)
    }
    expect(ids).toEqual(NEWEST_FIRST)
    expect(pages).toEqual(ids.map((_, index) => Math.floor(index / 25) + 1))
  })

  it('throws the faults of the server, with the trace id that is in its log', async () => {
    const faults: string[] = []
    await using told = await serveGraph(world.graph, { onFault: ({ traceId }) => faults.push(traceId) })
    const { getNode } = createClient(told.url)
    const error = await thrown(getNode(token, { id: '999' }))
    const here = await thrown(world.graph.getNode(token, { id: '999' }))
    if (!isGraphError(error) || !isGraphError(here)) throw error
    const { fbtrace_id: trace, ...rest } = error.toJSON().error
    expect(rest).toEqual({ ...here.toJSON().error, fbtrace_id: undefined })
    expect(error).toMatchObject({ code: 100, subcode: 33, status: 400 })
    expect(faults).toEqual([trace])
  })

  it.each<
    readonly [string, (graph: Pick<Social, 'getMe' | 'getNode' | 'getNodes' | 'getEdge'>) => Promise<unknown>]
  >([
    ['no token', graph => graph.getMe('')],
    ['a token that no header can carry', graph => graph.getMe('no\r\nsuch: token 😀')],
    ['a wrong proof', graph => graph.getMe(token, { proof: '' })],
    ['an id that is empty', graph => graph.getNode(token, { id: '' })],
    ['an id that would be a path', graph => graph.getEdge(token, { id: '../me', edge: 'likes' })],
    ['an id that would be a version', graph => graph.getNode(token, { id: 'v1.0' })],
    ['a limit of nothing', graph => graph.getEdge(token, { id: 'me', edge: 'photos', limit: 0 })],
    ['a limit between', graph => graph.getEdge(token, { id: 'me', edge: 'photos', limit: 1.5 })],
    ['no date', graph => graph.getEdge(token, { id: 'me', edge: 'photos', since: new Date(Number.NaN) })],
    ['an empty cursor', graph => graph.getEdge(token, { id: 'me', edge: 'photos', after: '' })],
    ['another cursor', graph => graph.getEdge(token, { id: 'me', edge: 'photos', before: 'MQ==' })],
    ['two cursors', graph => graph.getEdge(token, { id: 'me', edge: 'photos', before: 'a', after: 'b' })],
    ['a version that is none', graph => graph.getMe(token, { version: 'newest' })],
    ['the same of no ids', graph => graph.getNodes(token, { ids: [], version: 'newest' })],
    ['an expression that looks like a list', graph => graph.getMe(token, { fields: '["id"]' as string })],
    ['a syntax fault', graph => graph.getMe(token, { fields: 'name{{' as string })],
    ['half of a surrogate pair', graph => graph.getMe(token, { fields: 'name.as(\ud800)' as string })],
    ['two halves in a list', graph => graph.getMe(token, { fields: ['\ud83d', '\ude00'] as string[] })],
    ['half of one in an id', graph => graph.getNode(token, { id: '\ud800' })],
    ['half of one in a cursor', graph => graph.getEdge(token, { id: 'me', edge: 'photos', after: '\ud800' })],
    ['an unknown field', graph => graph.getMe(token, { fields: 'nmae' as string })],
  ])('answers the same fault to %s', async (_name, read) => {
    const [there, here] = [await thrown(read(clientOf())), await thrown(read(world.graph))]
    if (!isGraphError(there) || !isGraphError(here)) throw there
    expect({ ...there.toJSON().error, fbtrace_id: '' }).toEqual({ ...here.toJSON().error, fbtrace_id: '' })
  })
})

describe('a request', () => {
  const sent = async (call: Promise<unknown>) => {
    await call
    return server.requests.at(-1)
  }

  it('has the token in its header', async () => {
    const request = await sent(clientOf().getMe(token))
    expect(request).toMatchObject({ method: 'GET', url: '/graph/me' })
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      'kithgraph-links': 'relative',
    })
  })

  it('has the token in its query where headers get lost, and answers tell it nowhere', async () => {
    const client = clientOf({ tokenPlace: 'query' })
    const page = client.getEdge(token, { id: 'me', edge: 'photos', limit: 1 })
    const request = await sent(page)
    expect(request?.url).toBe(`/graph/me/photos?limit=1&access_token=${token}`)
    expect(request?.headers).not.toHaveProperty('authorization')
    expect(JSON.stringify(await page)).not.toContain(token)
  })

  it('carries the proof beside it', async () => {
    const { graph } = world
    const proof = '0'.repeat(64)
    expect(await thrown(clientOf().getMe(token, { proof }))).toMatchObject({ code: 100 })
    expect(server.requests.at(-1)?.url).toBe(`/graph/me?appsecret_proof=${proof}`)
    expect(await thrown(graph.getMe(token, { proof }))).toMatchObject({ code: 100 })
  })

  it('names the version of the client, or that of the call', async () => {
    const { getMe } = clientOf({ version: 'v2.0' })
    expect((await sent(getMe(token)))?.url).toBe('/graph/v2.0/me')
    expect((await sent(getMe(token, { version: 'v1.0' })))?.url).toBe('/graph/v1.0/me')
  })

  it('is a form where its URL would pass 2,000 characters', async () => {
    const fields = Array.from({ length: 190 }, (_, index) => `name.as(name_${index})`).join(',')
    const request = await sent(clientOf().getMe(token, { fields: fields as string }))
    expect(request).toMatchObject({ method: 'POST', url: '/graph/me' })
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({ fields, method: 'get' })
    const hidden = await sent(clientOf({ tokenPlace: 'query' }).getMe(token, { fields: fields as string }))
    expect(hidden?.url).not.toContain(token)
  })

  it.each(['/graph', '/graph/', '/graph//'])('goes below a base URL that ends in %s', async path => {
    await sent(createClient(server.url + path).getMe(token))
    expect(server.requests.at(-1)?.url).toBe('/graph/me')
  })

  it('goes where `fetch` takes it', async () => {
    const handler = createHandler(world.graph)
    const { getMe } = createClient('https://nowhere.example', {
      fetch: (url, init) => handler(new Request(url, init)),
    })
    expect(await getMe(token)).toEqual(await world.graph.getMe(token))
  })
})

describe('an answer', () => {
  it.each([
    ['a page', html(200), { status: 200, contentType: 'text/html' }],
    ['a page that says not found', html(404), { status: 404, contentType: 'text/html' }],
    [
      'JSON of another service',
      json(400, { detail: 'no' }),
      { status: 400, contentType: 'application/json' },
    ],
    ['JSON of another kind', json(200, 'ok'), { status: 200, contentType: 'application/json' }],
    ['an object of another kind', json(200, { ok: true }), { came: 'an object with ok' }],
  ])('that is %s is a fault that says what came, and stays', async (_name, turn, cause) => {
    await using other = await serveTurns(turn)
    const error = await thrown(createClient(other.url).getMe(token))
    expect(error).toMatchObject({ code: 1, data: { reason: 'internal' }, cause })
    expect(`${error}`).not.toMatch(/Bad Gateway|detail/)
    expect(other.requests).toHaveLength(1)
  })

  it('that is the page of a proxy whose server is gone is a transient fault', async () => {
    await using proxy = await serveTurns(html(502))
    const error = await thrown(createClient(proxy.url, { retry: false }).getMe(token))
    expect(error).toMatchObject({ code: 2, data: { reason: 'store_fault' }, cause: { status: 502 } })
  })

  it('with a reason that only a newer server knows keeps all that it said', async () => {
    const error = {
      message: '(#368) Blocked',
      code: 368,
      error_data: { reason: 'blocked', until: 7 },
      fbtrace_id: 'ab',
    }
    await using newer = await serveTurns(
      json(400, { error }),
      json(400, { error: { ...error, is_transient: true } }),
    )
    const { getMe } = createClient(newer.url, { retry: false })
    const unknown = { message: '(#368) Blocked', traceId: 'ab', cause: { status: 400, error } }
    expect(await thrown(getMe(token))).toMatchObject({ ...unknown, data: { reason: 'internal', until: 7 } })
    expect(await thrown(getMe(token))).toMatchObject({
      ...unknown,
      data: { reason: 'store_fault', until: 7 },
    })
  })

  it('pollutes nothing, whatever its keys', async () => {
    const text = '{"id":"1","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
    const error = `{"error":{"message":"m","code":1,"error_data":{"reason":"internal","__proto__":{"polluted":1}}}}`
    await using hostile = await serveTurns(
      response => response.end(text),
      response => response.writeHead(400).end(error),
    )
    const { getMe } = createClient(hostile.url)
    expect(Object.getPrototypeOf(await getMe(token))).toBe(Object.prototype)
    const refused = await thrown(getMe(token))
    expect(isGraphError(refused) && Object.getPrototypeOf(refused.data)).toBe(Object.prototype)
    expect({}).not.toHaveProperty('polluted')
  })

  it('comes from the server alone: where it redirects to gets no request, and has no say', async () => {
    await using other = await serveTurns(json(200, { id: '666' }))
    for (const status of [301, 302, 303, 307, 308]) {
      await using moved = await serveTurns(response =>
        response.writeHead(status, { location: other.url }).end('{"id":"666"}'),
      )
      const ways = [{}, { tokenPlace: 'query' }, { batch: true }] as const
      for (const options of ways) {
        const { getMe, getNode } = createClient(moved.url, options)
        // The second is too long for a URL, and goes as a form.
        const calls = [getMe(token), getNode(token, { id: '4', fields: 'a'.repeat(2000) as string })]
        for (const error of await Promise.all(calls.map(thrown)))
          expect(error).toMatchObject({
            message: `(#1) The server redirects (status ${status}), and redirections are not followed`,
            data: { reason: 'internal' },
          })
      }
      expect(moved.requests).toHaveLength(5)
    }
    expect(other.requests).toEqual([])
  })

  it('of a browser that hides a redirection is the same fault', async () => {
    const { getMe } = createClient('http://a.example', { fetch: async () => Response.error() })
    expect(await thrown(getMe(token))).toMatchObject({
      message: '(#1) The server redirects (status 0), and redirections are not followed',
    })
  })

  it.each([
    ['no cursors', { next: '/x' }],
    ['no cursor', { cursors: {}, next: '/x' }],
    ['a cursor that is no text', { cursors: { after: 7 }, next: '/x' }],
    ['the cursor that was asked', { cursors: { after: 'a' }, next: '/x' }],
  ])('that names a next page and %s ends the walk', async (_name, paging) => {
    await using odd = await serveTurns(json(200, { data: [{ id: '1' }], paging }))
    const walk = async () => {
      const entries = createClient(odd.url).iterateEdge(token, { id: '4', edge: 'photos' })
      for await (const { id } of entries) expect(id).toBe('1')
    }
    expect(await thrown(walk())).toMatchObject({ data: { reason: 'internal' } })
    expect(odd.requests.length).toBeLessThanOrEqual(2)
  })
})

describe('misuse', () => {
  const url = 'http://localhost'
  const session = createGraph(createMemoryStore()).session({ viewer: '1', app: 'demo', scopes: [] })

  it.each<readonly [() => unknown, string]>([
    [
      () => createClient('/graph'),
      'createClient: the base URL must be absolute, without a query, such as https://api.example/graph, came "/graph"',
    ],
    [() => createClient('ftp://a.example'), 'came "ftp://a.example"'],
    [() => createClient('http://a.example/?b=c'), 'came "http://a.example/?b=c"'],
    [
      () => createClient('http://ada:secret@a.example'),
      'createClient: the base URL must be without a name and a password',
    ],
    [() => createClient(url, { verison: 'v1.0' } as object), 'createClient: unknown option "verison"'],
    [() => createClient(url, { version: '1.0' }), 'createClient: version must be such as v1.0, came "1.0"'],
    [
      () => createClient(url, { tokenPlace: 'body' } as object),
      `createClient: tokenPlace must be 'header' or 'query', came "body"`,
    ],
    [
      () => createClient(url, { fetch: 'fetch' } as object),
      'createClient: fetch must be a function, came "fetch"',
    ],
    [() => createClient(url, { batch: 50 } as object), 'createClient: batch must be a boolean, came 50'],
    [() => createClient(url, { timeout: 0 }), 'createClient: timeout must be an integer from 1, came 0'],
    [
      () => createClient(url, { retry: true } as object),
      'createClient: retry: expected options as an object, came true',
    ],
    [
      () => createClient(url, { retry: { attempts: 0 } }),
      'createClient: retry.attempts must be an integer from 1, came 0',
    ],
    [
      () => createClient(url, { retry: { baseDelay: -1 } }),
      'createClient: retry.baseDelay must be an integer from 0, came -1',
    ],
    [
      () => createClient(url, { retry: { maxDelay: 0.5 } }),
      'createClient: retry.maxDelay must be an integer from 0, came 0.5',
    ],
    [
      () => createClient(url, { retry: { delay: 1 } as object }),
      'createClient: retry: unknown option "delay"',
    ],
  ])('of createClient is a TypeError: %#', (make, message) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })

  const { getMe, getNode, getNodes, getEdge, getEdges, iterateEdge } = createClient(url)
  const first = (entries: AsyncIterable<unknown>) => entries[Symbol.asyncIterator]().next()

  it.each<readonly [() => Promise<unknown>, string]>([
    [
      () => getMe(session),
      'getMe: expected a token as text, since sessions do not leave the process of their graph, came an object with viewer, app, scopes',
    ],
    [() => getMe('t', { field: 'id' } as object), 'getMe: unknown option "field"'],
    [() => getMe('t', { atLeast: '1' }), 'getMe: unknown option "atLeast"'],
    [
      () => getMe('t', { fields: 7 } as object),
      'getMe: fields must be an expression or a list of them, came 7',
    ],
    [() => getMe('t', { signal: {} } as object), 'getMe: signal must be an AbortSignal'],
    [() => getMe('t', { debug: true } as object), "getMe: debug must be 'all', came true"],
    [() => getNode('t', { id: '4', type: 7 } as never), 'getNode: type must be text, came 7'],
    [() => getNodes('t', { ids: '4' } as never), 'getNodes: ids must be a list, came "4"'],
    [() => getEdge('t', { id: '4' } as never), 'getEdge: edge must be text, came undefined'],
    [() => getEdges('t', { ids: '4', edge: 'likes' } as never), 'getEdges: ids must be a list, came "4"'],
    [
      () => first(iterateEdge('t', { id: '4', edge: 'likes', summary: true } as never)),
      'iterateEdge: unknown option "summary"',
    ],
  ])('of a call is a TypeError, as in-process: %#', async (call, message) => {
    const error = await thrown(call())
    expect(error).toBeInstanceOf(TypeError)
    expect(`${error}`).toContain(message)
  })

  it.each(['limit', 'after', 'before', 'since', 'until', 'order', 'summary'])(
    'of a %s that only reads as one is a fault, as in-process',
    async option => {
      for (const value of [
        3n,
        ['3'],
        ['chronological'],
        ['total_count'],
        Object('3'),
        { toString: () => '3' },
      ]) {
        const call = { id: ADA, edge: 'photos', [option]: value } as const
        const [there, here] = [clientOf(), world.graph].map(({ getEdge }) => thrown(getEdge(token, call)))
        expect(await there).toMatchObject({
          message: Object(await here).message,
          data: { reason: 'bad_parameter', parameter: option },
        })
      }
    },
  )

  it('of a kind that data may bring is a fault, as in-process', async () => {
    const { graph } = world
    for (const reads of [graph, clientOf()]) {
      const reasonOf = async (call: Promise<unknown>) => Object(await thrown(call)).data?.reason
      expect(await reasonOf(reads.getNode(token, { id: 4 } as never))).toBe('bad_parameter')
      expect(await reasonOf(reads.getNodes(token, { ids: ['4', null] } as never))).toBe('bad_parameter')
      expect(await reasonOf(reads.getEdge(token, { id: ENGINE, edge: '../likes' } as never))).toBe(
        'unknown_field',
      )
      expect(await reasonOf(reads.getEdge(token, { id: ENGINE, edge: '' } as never))).toBe('unknown_field')
    }
  })
})
