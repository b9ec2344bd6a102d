import { createGraph, type Graph, isGraphError, type socialSchema } from 'kithgraph'
import { createClient } from 'kithgraph/client'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADA, createWorld, ENGINE, GRACE, NEWEST_FIRST, NEWEST_PHOTO, SCOPES } from '../helpers/world.ts'
import { respondWithHtml, respondWithJson, serveGraph, serveScripts } from './scripted-servers.ts'

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

const createTestClient = (options: Parameters<typeof createClient>[1] = {}) =>
  createClient<typeof socialSchema>(`${server.url}/graph`, options)

/** Returns the error of a call, or its result in an object. */
const catchError = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    result => ({ result }),
    (error: unknown) => error,
  )

describe('a remote graph', () => {
  it('works with code that is written for a graph in-process', async () => {
    const greet = async ({ getMe }: Pick<Social, 'getMe'>) => {
      const me = await getMe(token, { fields: 'name,photos.limit(2){created_time,from}' })
      return { greeting: `Hello, ${me.name}`, me }
    }
    expect(await greet(createTestClient())).toEqual(await greet(world.graph))
  })

  it.each<
    readonly [string, (graph: Pick<Social, keyof ReturnType<typeof createTestClient>>) => Promise<unknown>]
  >([
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
  ])('returns the same as in-process, including links, for %s', async (_name, read) => {
    const result = await read(createTestClient())
    expect(result).toEqual(await read(world.graph))
    expect(JSON.stringify(result)).not.toContain(server.url)
  })

  it('iterates an edge page by page, and reads a page only when its first entry is needed', async () => {
    const before = server.requests.length
    const ids: string[] = []
    const pages: number[] = []
    for await (const { id } of createTestClient().iterateEdge(token, {
      id: 'me',
      edge: 'photos',
      limit: 25,
    })) {
      ids.push(id)
      pages.push(server.requests.length - before)
    }
    expect(ids).toEqual(NEWEST_FIRST)
    expect(pages).toEqual(ids.map((_, index) => Math.floor(index / 25) + 1))
  })

  it('throws the errors of the server with the trace id that the server logs', async () => {
    const errors: string[] = []
    await using servedGraph = await serveGraph(world.graph, {
      onError: ({ traceId }) => errors.push(traceId),
    })
    const { getNode } = createClient(servedGraph.url)
    const error = await catchError(getNode(token, { id: '999' }))
    const here = await catchError(world.graph.getNode(token, { id: '999' }))
    if (!isGraphError(error) || !isGraphError(here)) throw error
    const { fbtrace_id: trace, ...rest } = error.toJSON().error
    expect(rest).toEqual({ ...here.toJSON().error, fbtrace_id: undefined })
    expect(error).toMatchObject({ code: 100, subcode: 33, status: 400 })
    expect(errors).toEqual([trace])
  })

  it.each<
    readonly [string, (graph: Pick<Social, 'getMe' | 'getNode' | 'getNodes' | 'getEdge'>) => Promise<unknown>]
  >([
    ['no token', graph => graph.getMe('')],
    ['a token that no header can carry', graph => graph.getMe('no\r\nsuch: token 😀')],
    ['an invalid proof', graph => graph.getMe(token, { proof: '' })],
    ['an empty id', graph => graph.getNode(token, { id: '' })],
    ['an id that looks like a path', graph => graph.getEdge(token, { id: '../me', edge: 'likes' })],
    ['an id that looks like a version', graph => graph.getNode(token, { id: 'v1.0' })],
    ['a limit of 0', graph => graph.getEdge(token, { id: 'me', edge: 'photos', limit: 0 })],
    ['a fractional limit', graph => graph.getEdge(token, { id: 'me', edge: 'photos', limit: 1.5 })],
    [
      'an invalid date',
      graph => graph.getEdge(token, { id: 'me', edge: 'photos', since: new Date(Number.NaN) }),
    ],
    ['an empty cursor', graph => graph.getEdge(token, { id: 'me', edge: 'photos', after: '' })],
    ['an invalid cursor', graph => graph.getEdge(token, { id: 'me', edge: 'photos', before: 'MQ==' })],
    ['two cursors', graph => graph.getEdge(token, { id: 'me', edge: 'photos', before: 'a', after: 'b' })],
    ['an invalid version', graph => graph.getMe(token, { version: 'newest' })],
    ['an invalid version without ids', graph => graph.getNodes(token, { ids: [], version: 'newest' })],
    ['an expression that looks like a list', graph => graph.getMe(token, { fields: '["id"]' as string })],
    ['invalid syntax', graph => graph.getMe(token, { fields: 'name{{' as string })],
    ['half of a surrogate pair', graph => graph.getMe(token, { fields: 'name.as(\ud800)' as string })],
    [
      'two halves of a surrogate pair in a list',
      graph => graph.getMe(token, { fields: ['\ud83d', '\ude00'] as string[] }),
    ],
    ['half of a surrogate pair in an id', graph => graph.getNode(token, { id: '\ud800' })],
    [
      'half of a surrogate pair in a cursor',
      graph => graph.getEdge(token, { id: 'me', edge: 'photos', after: '\ud800' }),
    ],
    ['an unknown field', graph => graph.getMe(token, { fields: 'nmae' as string })],
  ])('throws the same error as in-process for %s', async (_name, read) => {
    const [there, here] = [await catchError(read(createTestClient())), await catchError(read(world.graph))]
    if (!isGraphError(there) || !isGraphError(here)) throw there
    expect({ ...there.toJSON().error, fbtrace_id: '' }).toEqual({ ...here.toJSON().error, fbtrace_id: '' })
  })
})

describe('a request of the client', () => {
  const captureRequest = async (call: Promise<unknown>) => {
    await call
    return server.requests.at(-1)
  }

  it('has the token in the Authorization header', async () => {
    const request = await captureRequest(createTestClient().getMe(token))
    expect(request).toMatchObject({ method: 'GET', url: '/graph/me' })
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      'kithgraph-links': 'relative',
    })
  })

  it('has the token in the query with `tokenIn: query`, and the result does not contain it', async () => {
    const client = createTestClient({ tokenIn: 'query' })
    const page = client.getEdge(token, { id: 'me', edge: 'photos', limit: 1 })
    const request = await captureRequest(page)
    expect(request?.url).toBe(`/graph/me/photos?limit=1&access_token=${token}`)
    expect(request?.headers).not.toHaveProperty('authorization')
    expect(JSON.stringify(await page)).not.toContain(token)
  })

  it('has the proof of possession in the query', async () => {
    const { graph } = world
    const proof = '0'.repeat(64)
    expect(await catchError(createTestClient().getMe(token, { proof }))).toMatchObject({ code: 100 })
    expect(server.requests.at(-1)?.url).toBe(`/graph/me?appsecret_proof=${proof}`)
    expect(await catchError(graph.getMe(token, { proof }))).toMatchObject({ code: 100 })
  })

  it('names the version of the client or that of the call', async () => {
    const { getMe } = createTestClient({ version: 'v2.0' })
    expect((await captureRequest(getMe(token)))?.url).toBe('/graph/v2.0/me')
    expect((await captureRequest(getMe(token, { version: 'v1.0' })))?.url).toBe('/graph/v1.0/me')
  })

  it('is a form if its URL would exceed 2,000 characters', async () => {
    const fields = Array.from({ length: 190 }, (_, index) => `name.as(name_${index})`).join(',')
    const request = await captureRequest(createTestClient().getMe(token, { fields: fields as string }))
    expect(request).toMatchObject({ method: 'POST', url: '/graph/me' })
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({ fields, method: 'get' })
    const hidden = await captureRequest(
      createTestClient({ tokenIn: 'query' }).getMe(token, { fields: fields as string }),
    )
    expect(hidden?.url).not.toContain(token)
  })

  it.each(['/graph', '/graph/', '/graph//'])('is sent below a base URL that ends in %s', async path => {
    await captureRequest(createClient(server.url + path).getMe(token))
    expect(server.requests.at(-1)?.url).toBe('/graph/me')
  })

  it('is sent by the option `fetch`', async () => {
    const handler = createHandler(world.graph)
    const { getMe } = createClient('https://nowhere.example', {
      fetch: (url, init) => handler(new Request(url, init)),
    })
    expect(await getMe(token)).toEqual(await world.graph.getMe(token))
  })
})

describe('a response to the client', () => {
  it.each([
    ['an HTML page', respondWithHtml(200), { status: 200, contentType: 'text/html' }],
    ['an HTML page with status 404', respondWithHtml(404), { status: 404, contentType: 'text/html' }],
    [
      'JSON of another service',
      respondWithJson(400, { detail: 'no' }),
      { status: 400, contentType: 'application/json' },
    ],
    ['a JSON string', respondWithJson(200, 'ok'), { status: 200, contentType: 'application/json' }],
    ['an unknown object', respondWithJson(200, { ok: true }), { received: 'an object with ok' }],
  ])('causes a permanent error that describes what was received if it is %s', async (_name, turn, cause) => {
    await using other = await serveScripts(turn)
    const error = await catchError(createClient(other.url).getMe(token))
    expect(error).toMatchObject({ code: 1, reason: 'internal_error', cause })
    expect(`${error}`).not.toMatch(/Bad Gateway|detail/)
    expect(other.requests).toHaveLength(1)
  })

  it('causes a transient error if it is an HTML page of a proxy with status 502', async () => {
    await using proxy = await serveScripts(respondWithHtml(502))
    const error = await catchError(createClient(proxy.url, { retry: false }).getMe(token))
    expect(error).toMatchObject({ code: 2, reason: 'store_error', cause: { status: 502 } })
  })

  it('causes an error with its message and data if its reason is unknown', async () => {
    const error = {
      message: '(#368) Blocked',
      code: 368,
      error_data: { reason: 'blocked', until: 7 },
      fbtrace_id: 'ab',
    }
    await using newer = await serveScripts(
      respondWithJson(400, { error }),
      respondWithJson(400, { error: { ...error, is_transient: true } }),
    )
    const { getMe } = createClient(newer.url, { retry: false })
    const unknown = { message: '(#368) Blocked', traceId: 'ab', cause: { status: 400, error } }
    expect(await catchError(getMe(token))).toMatchObject({
      ...unknown,
      reason: 'internal_error',
      data: { until: 7 },
    })
    expect(await catchError(getMe(token))).toMatchObject({
      ...unknown,
      reason: 'store_error',
      data: { until: 7 },
    })
  })

  it('does not pollute prototypes, whatever its keys', async () => {
    const text = '{"id":"1","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
    const error = `{"error":{"message":"m","code":1,"error_data":{"reason":"internal_error","__proto__":{"polluted":1}}}}`
    await using hostile = await serveScripts(
      response => response.end(text),
      response => response.writeHead(400).end(error),
    )
    const { getMe } = createClient(hostile.url)
    expect(Object.getPrototypeOf(await getMe(token))).toBe(Object.prototype)
    const rejected = await catchError(getMe(token))
    expect(isGraphError(rejected) && Object.getPrototypeOf(rejected.data)).toBe(Object.prototype)
    expect({}).not.toHaveProperty('polluted')
  })

  it('causes an error if it is a redirection, which is not followed', async () => {
    await using other = await serveScripts(respondWithJson(200, { id: '666' }))
    for (const status of [301, 302, 303, 307, 308]) {
      await using moved = await serveScripts(response =>
        response.writeHead(status, { location: other.url }).end('{"id":"666"}'),
      )
      const optionSets = [{}, { tokenIn: 'query' }, { batch: true }] as const
      for (const options of optionSets) {
        const { getMe, getNode } = createClient(moved.url, options)
        // The second call is too long for a URL, and is sent as a form.
        const calls = [getMe(token), getNode(token, { id: '4', fields: 'a'.repeat(2000) as string })]
        for (const error of await Promise.all(calls.map(catchError)))
          expect(error).toMatchObject({
            message: `(#1) The server redirects (status ${status}), and the client does not follow redirects`,
            reason: 'internal_error',
          })
      }
      expect(moved.requests).toHaveLength(5)
    }
    expect(other.requests).toEqual([])
  })

  it('causes the same error if a browser hides the redirection', async () => {
    const { getMe } = createClient('http://a.example', { fetch: async () => Response.error() })
    expect(await catchError(getMe(token))).toMatchObject({
      message: '(#1) The server redirects (status 0), and the client does not follow redirects',
    })
  })

  it.each([
    ['no cursors', { next: '/x' }],
    ['no cursor', { cursors: {}, next: '/x' }],
    ['a cursor that is not a string', { cursors: { after: 7 }, next: '/x' }],
    ['the cursor of the request', { cursors: { after: 'a' }, next: '/x' }],
  ])('makes an iteration fail if it names a next page with %s', async (_name, paging) => {
    await using odd = await serveScripts(respondWithJson(200, { data: [{ id: '1' }], paging }))
    const iterate = async () => {
      const entries = createClient(odd.url).iterateEdge(token, { id: '4', edge: 'photos' })
      for await (const { id } of entries) expect(id).toBe('1')
    }
    expect(await catchError(iterate())).toMatchObject({ reason: 'internal_error' })
    expect(odd.requests.length).toBeLessThanOrEqual(2)
  })
})

describe('an invalid argument of the client', () => {
  const url = 'http://localhost'
  const session = createGraph(createMemoryStore()).session({ viewer: '1', app: 'demo', scopes: [] })

  it.each<readonly [() => unknown, string]>([
    [
      () => createClient('/graph'),
      'createClient: "baseUrl" must be an absolute URL outside a web page, such as https://api.example/graph; received "/graph"',
    ],
    [
      () => createClient('ftp://a.example'),
      'createClient: "baseUrl" must be an absolute URL without a query or a password, such as https://api.example/graph; received "ftp://a.example"',
    ],
    [
      () => createClient('http://a.example/?b=c'),
      'createClient: "baseUrl" must be an absolute URL without a query or a password, such as https://api.example/graph; received "http://a.example/?b=c"',
    ],
    [
      () => createClient('http://ada:secret@a.example'),
      'createClient: "baseUrl" must be an absolute URL without a query or a password, such as https://api.example/graph; received a URL that may contain a password',
    ],
    [
      () => createClient(url, { verison: 'v1.0' } as object),
      'createClient: options must be one of "version", "tokenIn", "fetch", "retry", "batch", "timeoutMs", "maxResponseBytes"; received "verison"; did you mean version?',
    ],
    [
      () => createClient(url, { version: '1.0' }),
      'createClient: "version" must be a version such as v1.0; received "1.0"',
    ],
    [
      () => createClient(url, { tokenIn: 'body' } as object),
      `createClient: "tokenIn" must be one of "header", "query"; received "body"`,
    ],
    [
      () => createClient(url, { fetch: 'fetch' } as object),
      'createClient: "fetch" must be a function; received "fetch"',
    ],
    [
      () => createClient(url, { batch: 50 } as object),
      'createClient: "batch" must be a boolean; received 50',
    ],
    [
      () => createClient(url, { timeoutMs: 0 }),
      'createClient: "timeoutMs" must be an integer from 1 to 2147483647; received 0',
    ],
    [
      () => createClient(url, { retry: true } as object),
      'createClient: "retry" must be an object; received true',
    ],
    [
      () => createClient(url, { retry: { attempts: 0 } }),
      'createClient: "retry.attempts" must be an integer from 1 to 2147483647; received 0',
    ],
    [
      () => createClient(url, { retry: { baseDelayMs: -1 } }),
      'createClient: "retry.baseDelayMs" must be an integer from 0 to 2147483647; received -1',
    ],
    [
      () => createClient(url, { retry: { maxDelayMs: 0.5 } }),
      'createClient: "retry.maxDelayMs" must be an integer from 0 to 2147483647; received 0.5',
    ],
    [
      () => createClient(url, { retry: { delay: 1 } as object }),
      'createClient: options of "retry" must be one of "attempts", "baseDelayMs", "maxDelayMs"; received "delay"',
    ],
  ])('causes a TypeError of createClient: case %#', (make, message) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })

  const { getMe, getNode, getNodes, getEdge, getEdges, iterateEdge } = createClient(url)
  const first = (entries: AsyncIterable<unknown>) => entries[Symbol.asyncIterator]().next()

  it.each<readonly [() => Promise<unknown>, string]>([
    [
      () => getMe(session as never),
      'TypeError: getMe: "token" must be a string, since a session is valid only in the process of its graph; received an object with viewer, app, scopes, issuedAt, expiresAt',
    ],
    [
      () => getMe('t', { field: 'id' } as object),
      'TypeError: getMe: options must be one of "fields", "metadata", "version", "signal", "debug", "partial", "proof"; received "field"; did you mean fields?',
    ],
    [
      () => getMe('t', { minRevision: '1' }),
      'TypeError: getMe: options must be one of "fields", "metadata", "version", "signal", "debug", "partial", "proof"; received "minRevision"',
    ],
    [
      () => getMe('t', { fields: 7 } as object),
      'TypeError: getMe: "fields" must be a string or an array of strings; received 7',
    ],
    [
      () => getMe('t', { signal: {} } as object),
      'TypeError: getMe: "signal" must be an AbortSignal; received an empty object',
    ],
    [() => getMe('t', { debug: true } as object), 'TypeError: getMe: "debug" must be "all"; received true'],
    [
      () => getNode('t', { id: '4', type: 7 } as never),
      'TypeError: getNode: "type" must be a string; received 7',
    ],
    [() => getNodes('t', { ids: '4' } as never), 'TypeError: getNodes: "ids" must be an array; received "4"'],
    [
      () => getEdge('t', { id: '4' } as never),
      'TypeError: getEdge: "edge" must be a string; received undefined',
    ],
    [
      () => getEdges('t', { ids: '4', edge: 'likes' } as never),
      'TypeError: getEdges: "ids" must be an array; received "4"',
    ],
    [
      () => first(iterateEdge('t', { id: '4', edge: 'likes', summary: true } as never)),
      'TypeError: iterateEdge: options must be one of "id", "type", "edge", "parameters", "limit", "after", "since", "until", "order", "fields", "version", "signal", "partial", "proof"; received "summary"',
    ],
  ])('causes a TypeError of the call: case %#', async (call, message) => {
    const error = await catchError(call())
    expect(error).toBeInstanceOf(TypeError)
    expect(`${error}`).toContain(message)
  })

  it.each(['limit', 'after', 'before', 'since', 'until', 'order', 'summary'])(
    'causes the GraphError of an in-process call if %s has another type, even if its text would be valid',
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
        const [there, here] = [createTestClient(), world.graph].map(({ getEdge }) =>
          catchError(getEdge(token, call)),
        )
        expect(await there).toMatchObject({
          message: Object(await here).message,
          reason: 'invalid_parameter',
          data: { parameter: option },
        })
      }
    },
  )

  it('causes a GraphError, as in-process, for an id or an edge that may come from user input', async () => {
    const { graph } = world
    for (const reads of [graph, createTestClient()]) {
      const reasonOf = async (call: Promise<unknown>) => Object(await catchError(call)).reason
      expect(await reasonOf(reads.getNode(token, { id: 4 } as never))).toBe('invalid_parameter')
      expect(await reasonOf(reads.getNodes(token, { ids: ['4', null] } as never))).toBe('invalid_parameter')
      expect(await reasonOf(reads.getEdge(token, { id: ENGINE, edge: '../likes' } as never))).toBe(
        'field_not_found',
      )
      expect(await reasonOf(reads.getEdge(token, { id: ENGINE, edge: '' } as never))).toBe('field_not_found')
    }
  })
})
