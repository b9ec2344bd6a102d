import { isGraphError } from 'kithgraph'
import { type ClientOptions, createClient } from 'kithgraph/client'
import { describe, expect, it } from 'vitest'
import { ADA, HIDDEN_PHOTO, PHOTO, POST, type schema, type WorldActions } from '../helpers/action-world.ts'
import {
  breakConnection,
  neverRespond,
  type ResponseScript,
  respondWithError,
  respondWithHtml,
  respondWithJson,
  type ScriptedServer,
  serveScripts,
} from './scripted-servers.ts'
import { serveActions } from './served-actions.ts'

const QUICK = { baseDelayMs: 1, maxDelayMs: 5 }

const createActionClient = (url: string, options: ClientOptions = {}) =>
  createClient<typeof schema, WorldActions>(url, { retry: QUICK, ...options })

/** Serves a world with actions to a client. Records the requests of the client. */
const connect = async (options: ClientOptions = {}) => {
  const world = await serveActions()
  const requests: Request[] = []
  const client = createActionClient('http://graph.test', {
    fetch: (url, init) => {
      const request = new Request(url, init)
      requests.push(request.clone())
      return world.handler(request)
    },
    ...options,
  })
  return { ...world, client, requests }
}

const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: unknown) => error,
  )

const detailsOf = (error: unknown) =>
  isGraphError(error)
    ? {
        reason: error.reason,
        message: error.message,
        status: error.status,
        data: error.data,
        isTransient: error.toJSON().error.is_transient === true,
      }
    : error

describe('callAction of a client', () => {
  it('returns the same as in-process, except the revision', async () => {
    const { client, graph, token } = await connect()
    const feed = { type: 'user', id: 'me', action: 'feed.add' } as const
    const fields = 'message,tags,photo{caption}'
    const parameters = { message: 'a "b" ü\n', tags: ['x,y', ''], photo: PHOTO }
    const remote = await client.callAction(token, { ...feed, parameters, fields })
    const { revision: _, ...local } = await graph.callAction(token, { ...feed, parameters, fields })
    expect({ ...remote, id: '' }).toEqual({ ...local, id: '' })
    expect(await client.callAction(token, { ...feed, parameters: { message: 'x' } })).toEqual({
      id: expect.stringMatching(/^\d+$/),
    })
    const upload = { type: 'user', id: ADA, action: 'upload' } as const
    expect(await client.callAction(token, upload)).toEqual(await graph.callAction(token, upload))
  })

  it('runs actions of nodes, edges and collections', async () => {
    const { client, token, runs, graph } = await connect()
    const { id } = await client.callAction(token, {
      id: 'root',
      action: 'events.add',
      parameters: { title: 'Walk', start_time: new Date('2026-05-01T12:00:00Z') },
    })
    expect(await graph.getNode(token, { id, type: 'event', fields: 'start_time' })).toMatchObject({
      start_time: '2026-05-01T12:00:00+0000',
    })
    const post = { type: 'post', id: POST } as const
    expect(await client.callAction(token, { ...post, action: 'likes.add' })).toEqual({ success: true })
    expect(await client.callAction(token, { ...post, action: 'likes.remove' })).toEqual({ success: true })
    const remove = { type: 'user', id: 'me', action: 'feed.remove', parameters: { target: POST } } as const
    expect(await client.callAction(token, remove)).toEqual({ success: true })
    expect(await client.callAction(token, { ...post, action: 'delete' })).toEqual({ success: true })
    const update = { type: 'user', id: 'me', action: 'update', parameters: { about: null } } as const
    expect(await client.callAction(token, update)).toEqual({ success: true })
    expect(runs()).toEqual(['events.add', 'likes.add', 'likes.remove', 'feed.remove', 'delete', 'update'])
  })

  it('throws the same errors as in-process', async () => {
    const { client, graph, token } = await connect()
    const base = { type: 'user', id: 'me', action: 'feed.add', parameters: { message: 'x' } } as const
    const calls = [
      { ...base, parameters: { message: 'x'.repeat(101) } },
      { ...base, parameters: { message: 'x', photo: HIDDEN_PHOTO } },
      { ...base, id: '404' },
      { ...base, fields: 'message,from{nothing}' },
      { ...base, id: 'a/b?c' },
      { type: 'user', id: 'me', action: 'fail' },
      { type: 'user', id: 'me', action: 'friends.add' },
      { type: 'user', id: 'me', action: 'nothing.add' },
      { ...base, idempotencyKey: 'ü' },
    ]
    for (const call of calls) {
      const remoteError = await errorOf(Reflect.apply(client.callAction, undefined, [token, call]))
      const localError = await errorOf(Reflect.apply(graph.callAction, undefined, [token, call]))
      expect(isGraphError(remoteError), JSON.stringify(call)).toBe(true)
      const { message, data, ...details } = Object(detailsOf(remoteError))
      expect(details).toEqual({
        reason: Object(localError).reason,
        status: Object(localError).status,
        isTransient: false,
      })
    }
  })

  it.each([
    ['partial', { partial: true }],
    ['metadata', { metadata: true }],
    ['debug', { debug: 'all' }],
    ['minRevision', { minRevision: '1' }],
    ['a parameter that every call has', { parameters: { method: 'get' } }],
    ['a list of parameters', { parameters: ['x'] }],
    ['an action that is no text', { action: 5 }],
  ])('throws a TypeError for %s, and sends nothing', async (_name, option) => {
    const { client, requests } = await connect()
    const options = { type: 'user', id: 'me', action: 'feed.add', parameters: { message: 'x' }, ...option }
    const call = Reflect.apply(client.callAction, undefined, ['token', options])
    await expect(call).rejects.toThrow(TypeError)
    expect(requests).toEqual([])
  })

  it.each([
    ['a number that JSON does not have', Number.NaN],
    ['a function', () => 1],
    ['a bigint', 5n],
    ['an invalid date', new Date(Number.NaN)],
    ['a map', new Map()],
  ])('rejects the value of a parameter that is %s, at any depth', async (_name, value) => {
    const { client, requests } = await connect()
    for (const parameters of [{ x: value }, { x: [{ y: value }] }]) {
      const options = { type: 'user', id: 'me', action: 'feed.add', parameters }
      const error = await errorOf(Reflect.apply(client.callAction, undefined, ['token', options]))
      expect(detailsOf(error)).toMatchObject({ reason: 'invalid_parameter' })
    }
    expect(requests).toEqual([])
  })

  it('sends a POST request with a JSON body, and the token and the key in headers', async () => {
    const { client, requests, token } = await connect()
    await client.callAction(token, {
      type: 'post',
      id: POST,
      action: 'delete',
      idempotencyKey: 'k 1',
      version: 'v1.0',
    })
    const [request] = requests
    expect([request?.method, request?.url]).toEqual(['POST', `http://graph.test/v1.0/${POST}`])
    expect(await request?.json()).toEqual({ method: 'delete', node_type: 'post' })
    expect(request?.headers.get('authorization')).toBe(`Bearer ${token}`)
    expect(request?.headers.get('idempotency-key')).toBe('k 1')
  })

  it('sends the token in the body, never in the URL, if headers cannot be used', async () => {
    const { client, requests, token } = await connect({ tokenIn: 'query' })
    await client.callAction(token, { type: 'post', id: POST, action: 'likes.add' })
    expect(requests[0]?.url).not.toContain(token)
    expect(await requests[0]?.json()).toMatchObject({ access_token: token })
  })

  it('never joins a batch', async () => {
    const { client, requests, token } = await connect({ batch: true })
    await Promise.all([
      client.getMe(token),
      client.callAction(token, { type: 'post', id: POST, action: 'likes.add' }),
      client.getNode(token, { id: POST, type: 'post' }),
    ])
    expect(requests.map(({ url }) => new URL(url).pathname).toSorted()).toEqual(['/', `/${POST}/likes`])
  })
})

const like = { type: 'post', id: POST, action: 'likes.add' } as const
const success = respondWithJson(200, { success: true })
const busy = respondWithError(503, { code: 2, is_transient: true, error_data: { reason: 'store_error' } })
const lostReply: ResponseScript = response => response.destroy()
const limited = respondWithError(403, {
  code: 4,
  is_transient: true,
  error_data: { reason: 'app_rate_limited' },
})

const callOn = (server: ScriptedServer, idempotencyKey?: string, options?: ClientOptions) =>
  createActionClient(server.url, options).callAction('token', { ...like, idempotencyKey })

describe('an action of a client that fails', () => {
  it.each([
    ['a transient error', busy],
    ['status 502 of a proxy', respondWithHtml(502)],
    ['a reply that is lost', lostReply],
    ['a connection that breaks off', breakConnection],
  ])('is repeated with its key, and only with a key, after %s', async (_name, script) => {
    await using keyed = await serveScripts(script, success)
    expect(await callOn(keyed, 'k')).toEqual({ success: true })
    expect(keyed.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['k', 'k'])
    await using keyless = await serveScripts(script, success)
    const error = await errorOf(callOn(keyless))
    expect(detailsOf(error)).toMatchObject({ reason: 'store_error' })
    expect(keyless.requests).toHaveLength(1)
  })

  it('is repeated with or without a key after a rate limit', async () => {
    await using server = await serveScripts(limited, success)
    expect(await callOn(server)).toEqual({ success: true })
    expect(server.requests).toHaveLength(2)
  })

  it.each([
    ['an internal error', respondWithError(500, { error_data: { reason: 'internal_error' } })],
    [
      'a failure with status 429',
      respondWithError(429, { error_data: { reason: 'action_failed', failure: 'full' } }),
    ],
    ['a timeout of run without a key', respondWithError(503, { code: 2, error_data: { reason: 'timeout' } })],
    [
      'an error after it was carried out',
      respondWithError(503, {
        is_transient: true,
        error_data: { reason: 'timeout' },
        original_response: { id: '5' },
      }),
    ],
  ])('is never repeated after %s', async (_name, script) => {
    await using server = await serveScripts(script, success)
    expect(isGraphError(await errorOf(callOn(server, 'k')))).toBe(true)
    expect(server.requests).toHaveLength(1)
  })

  it('has an error that is not transient if it has no key and may have been carried out', async () => {
    for (const script of [lostReply, respondWithHtml(502), neverRespond])
      for (const key of ['k', undefined]) {
        await using server = await serveScripts(script)
        const error = await errorOf(callOn(server, key, { retry: false, timeoutMs: 300 }))
        expect(detailsOf(error)).toMatchObject({ isTransient: key !== undefined })
      }
    await using server = await serveScripts(neverRespond)
    const signal = AbortSignal.timeout(100)
    const error = await errorOf(createActionClient(server.url).callAction('token', { ...like, signal }))
    expect(detailsOf(error)).toMatchObject({ reason: 'aborted', isTransient: false })
  })

  it('has the status, the data and the original response of the error of the server', async () => {
    const failure = { reason: 'action_failed', failure: 'full', data: { seats: 0 } }
    await using server = await serveScripts(
      respondWithError(409, { error_data: failure, original_response: { id: '5' } }),
    )
    const error = await errorOf(callOn(server))
    expect(error).toMatchObject({ status: 409, data: { failure: 'full' }, originalResponse: { id: '5' } })
  })

  it('writes once if its reply is lost after run and it is repeated with its key', async () => {
    const { handler, token, graph, runs } = await serveActions()
    let attempts = 0
    const client = createActionClient('http://graph.test', {
      fetch: async (url, init) => {
        const response = await handler(new Request(url, init))
        if (++attempts === 1) throw new Error('The reply is lost')
        return response
      },
    })
    const { id } = await client.callAction(token, {
      type: 'user',
      id: 'me',
      action: 'feed.add',
      parameters: { message: 'Once' },
      idempotencyKey: crypto.randomUUID(),
    })
    const { data } = await graph.getEdge(token, { id: 'me', type: 'user', edge: 'feed', fields: 'id' })
    expect(data.map(post => post.id).toSorted()).toEqual([POST, id].toSorted())
    expect([attempts, runs()]).toEqual([2, ['feed.add', 'feed.add']])
  })
})
