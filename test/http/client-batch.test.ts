import { createGraph, fieldEquals, isGraphError, socialSchema } from 'kithgraph'
import { type ClientOptions, createClient } from 'kithgraph/client'
import type { HandlerOptions } from 'kithgraph/http'
import { describe, expect, it, vi } from 'vitest'
import { ADA, createWorld, createWorldStore, GRACE, NOW, PHOTOS, SCOPES } from '../helpers/world.ts'
import {
  respondWithError,
  respondWithHtml,
  respondWithJson,
  serveGraph,
  serveScripts,
} from './scripted-servers.ts'

const serveAndConnect = async (options: HandlerOptions = {}, client: ClientOptions = {}) => {
  const { graph } = await createWorld()
  const tokenOf = (viewer: string) => graph.tokens.issue({ viewer, app: 'demo', scopes: SCOPES })
  const [ada, grace] = await Promise.all([tokenOf(ADA), tokenOf(GRACE)])
  const server = await serveGraph(graph, options)
  const remote = createClient<typeof socialSchema>(server.url, {
    batch: true,
    retry: { baseDelayMs: 1, maxDelayMs: 5 },
    ...client,
  })
  return { graph, ada, grace, server, remote }
}

/** Waits for all calls. Returns the id that each call returned, or the reason of its error. */
const settleCalls = async (calls: readonly Promise<{ readonly id: string }>[]) =>
  (await Promise.allSettled(calls)).map(outcome => {
    if (outcome.status === 'fulfilled') return outcome.value.id
    return isGraphError(outcome.reason) ? outcome.reason.reason : outcome.reason
  })

describe('client calls in the same tick with batch: true', () => {
  it('are sent as one request, and each gets its own result or error', async () => {
    const { server, remote, ada, grace } = await serveAndConnect()
    await using _ = server
    const calls = [
      remote.getMe(ada),
      remote.getNode(ada, { id: '999' }),
      Promise.resolve().then(() => remote.getMe(grace)),
      remote.getMe('no token'),
      remote.getNode(ada, { id: GRACE }),
    ]
    expect(await settleCalls(calls)).toEqual([ADA, 'node_not_found', GRACE, 'token_invalid', GRACE])
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /'])
  })

  it('are sent in batches of at most 50', async () => {
    const { server, remote, ada } = await serveAndConnect()
    await using _ = server
    const ids = [...PHOTOS, ...PHOTOS]
    expect(await settleCalls(ids.map(id => remote.getNode(ada, { id })))).toEqual(ids)
    const sizes = server.requests.map(({ body }) => JSON.parse(body).batch.length)
    expect(sizes.sort()).toEqual([20, 50, 50])
  })

  it('use only their own tokens, so a call without a token fails', async () => {
    const { server, remote, ada } = await serveAndConnect()
    await using _ = server
    expect(await settleCalls([remote.getMe(ada), remote.getMe(''), remote.getMe(ada)])).toEqual([
      ADA,
      'token_missing',
      ADA,
    ])
    expect(server.requests.every(({ url }) => !url.includes(ada))).toBe(true)
  })

  it('are sent without a batch if there is only one', async () => {
    const { server, remote, ada } = await serveAndConnect()
    await using _ = server
    await remote.getMe(ada)
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /me'])
  })

  it('are sent in a body, so that each may be longer than a URL', async () => {
    const { server, remote, ada } = await serveAndConnect()
    await using _ = server
    const fields: string = Array.from({ length: 190 }, (_, index) => `name.as(name_${index})`).join(',')
    const [me] = await Promise.all([remote.getMe(ada, { fields }), remote.getMe(ada)])
    expect(Object.keys(me)).toHaveLength(191)
    expect(server.requests).toHaveLength(1)
  })
})

describe('a client call in a batch', () => {
  it('succeeds if the server accepts fewer requests per batch than the client sends', async () => {
    const { server, remote, ada } = await serveAndConnect({ limits: { batch: 4 } })
    await using _ = server
    const ids = PHOTOS.slice(0, 13)
    expect(await settleCalls(ids.map(id => remote.getNode(ada, { id })))).toEqual(ids)
  })

  it('succeeds if the body of the batch is too long for the server', async () => {
    const { server, remote, ada } = await serveAndConnect({ limits: { body: 1000 } })
    await using _ = server
    const ids = PHOTOS.slice(0, 13)
    expect(await settleCalls(ids.map(id => remote.getNode(ada, { id })))).toEqual(ids)
  })

  it('succeeds if a proxy rejects the batch with status 413', async () => {
    const item = { code: 200, body: '{"id":"4"}' }
    await using server = await serveScripts(
      respondWithHtml(413),
      respondWithJson(200, [item, item]),
      respondWithJson(200, [item, item]),
    )
    const { getMe } = createClient(server.url, { batch: true })
    expect(await settleCalls([1, 2, 3, 4].map(() => getMe('token')))).toEqual(['4', '4', '4', '4'])
  })

  it('succeeds if another call of the batch contains text in the form of a batch reference', async () => {
    const { server, remote, ada } = await serveAndConnect()
    await using _ = server
    const referenceText: string = '{result=nobody:$.id}'
    const calls = [remote.getMe(ada), remote.getMe(ada, { fields: referenceText }), remote.getMe(ada)]
    expect(await settleCalls(calls)).toEqual([ADA, 'invalid_syntax', ADA])
  })

  it('succeeds if the batch as a whole exceeds the cost limit', async () => {
    const graph = createGraph(await createWorldStore(), { now: () => NOW, limits: { cost: 27 } })
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
    await using server = await serveGraph(graph)
    const { getMe } = createClient(server.url, { batch: true })
    const calls = Array.from({ length: 15 }, () => getMe(token, { fields: 'photos' }))
    const expensive = getMe(token, { fields: 'photos.limit(30)' })
    expect(await settleCalls([...calls, expensive])).toEqual([...calls.map(() => ADA), 'query_too_expensive'])
    await expect(expensive).rejects.toMatchObject({ data: { limit: 27 } })
  })
})

describe('a client call in a batch that examines more edges than limits.scan allows', () => {
  it('is not repeated', async () => {
    const schema = socialSchema.extend({ photo: { policy: [fieldEquals('name', 'nobody has this name')] } })
    const store = await createWorldStore()
    const graph = createGraph(store, { schema, secret: 'the secret of the batches', limits: { scan: 5 } })
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
    await using server = await serveGraph(graph)
    const { getMe } = createClient<typeof socialSchema>(server.url, { batch: true })
    const exceeding = getMe(token, { fields: 'photos.summary(true){name}' })
    expect(await settleCalls([exceeding, getMe(token, { fields: 'name' })])).toEqual([
      'query_too_expensive',
      ADA,
    ])
    await expect(exceeding).rejects.toMatchObject({ reason: 'query_too_expensive', data: { limit: 5 } })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a client batch that exceeds the response size limit', () => {
  it('fails only the calls that would also fail alone', async () => {
    const graph = createGraph(await createWorldStore(), { now: () => NOW })
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
    await using server = await serveGraph(graph, { limits: { response: 300 } })
    const { getMe } = createClient(server.url, { batch: true })
    const long = getMe(token, { fields: 'photos' })
    const calls = Array.from({ length: 15 }, () => getMe(token))
    expect(await settleCalls([...calls, long])).toEqual([...calls.map(() => ADA), 'response_too_large'])
  })
})

describe('a client batch with a response that is not from a graph', () => {
  it.each([
    ['an HTML page with status 404', respondWithHtml(404)],
    ['an HTML page with status 405', respondWithHtml(405)],
    ['an object instead of a list', respondWithJson(200, {})],
  ])('is not sent again: %s', async (_name, turn) => {
    await using server = await serveScripts(turn)
    const { getMe } = createClient(server.url, { batch: true })
    expect(await settleCalls([1, 2, 3].map(() => getMe('token')))).toEqual([
      'internal_error',
      'internal_error',
      'internal_error',
    ])
    expect(server.requests).toHaveLength(1)
  })
})

describe('a client call that did not run within the time limit of its batch', () => {
  const item = (id: string) => ({ code: 200, body: JSON.stringify({ id }) })

  it('is sent again without the calls that succeeded', async () => {
    await using server = await serveScripts(
      respondWithJson(200, [
        item('1'),
        null,
        { code: 503, body: '{"error":{"message":"m","is_transient":true}}' },
      ]),
      respondWithJson(200, [null, item('3')]),
      respondWithJson(200, { id: '2' }),
    )
    const { getNode } = createClient(server.url, { batch: true, retry: { baseDelayMs: 1 } })
    const ids = ['1', '2', '3']
    expect(await settleCalls(ids.map(id => getNode('t', { id })))).toEqual(ids)
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /',
      'POST /',
      'GET /2',
    ])
  })

  it('fails with the reason timeout after the last attempt', async () => {
    await using server = await serveScripts(respondWithJson(200, [item('1'), null, 'nonsense']))
    const { getNode } = createClient(server.url, { batch: true, retry: false })
    const calls = ['1', '2', '3', '4'].map(id => getNode('t', { id }))
    expect(await settleCalls(calls)).toEqual(['1', 'timeout', 'internal_error', 'timeout'])
  })

  it('is sent again in the same batch if the whole batch failed', async () => {
    await using server = await serveScripts(
      respondWithError(503, { is_transient: true }),
      respondWithJson(200, [item('1'), item('2')]),
    )
    const { getNode } = createClient(server.url, { batch: true, retry: { baseDelayMs: 1 } })
    expect(await settleCalls(['1', '2'].map(id => getNode('t', { id })))).toEqual(['1', '2'])
    expect(server.requests).toHaveLength(2)
  })
})

describe('the signal of a client call in a batch', () => {
  it('ends only its own call', async () => {
    const closed = vi.fn()
    let respond = (): void => {}
    await using server = await serveScripts((response, received) => {
      response.on('close', () => closed(response.writableFinished))
      respond = () => respondWithJson(200, [{ code: 200, body: '{"id":"1"}' }, null])(response, received)
    })
    const { getNode } = createClient(server.url, { batch: true })
    const aborter = new AbortController()
    const kept = getNode('t', { id: '1' })
    const aborted = getNode('t', { id: '2', signal: aborter.signal })
    await expect.poll(() => server.requests).toHaveLength(1)
    aborter.abort()
    await expect(aborted).rejects.toMatchObject({ reason: 'aborted' })
    respond()
    expect(await kept).toEqual({ id: '1' })
    await expect.poll(() => closed).toHaveBeenCalledWith(true)
    expect(server.requests).toHaveLength(1)
  })

  it('ends the request of the batch once every call is aborted', async () => {
    const closed = vi.fn()
    await using server = await serveScripts(response =>
      response.on('close', () => closed(response.writableFinished)),
    )
    const { getNode } = createClient(server.url, { batch: true })
    const aborters = [new AbortController(), new AbortController()]
    const calls = aborters.map(({ signal }, index) => getNode('t', { id: `${index + 1}`, signal }))
    await expect.poll(() => server.requests).toHaveLength(1)
    for (const aborter of aborters) aborter.abort()
    expect(await settleCalls(calls)).toEqual(['aborted', 'aborted'])
    await expect.poll(() => closed).toHaveBeenCalledWith(false)
  })

  it('keeps its call out of the batch if it is aborted in the same tick', async () => {
    const { server, remote, ada } = await serveAndConnect()
    await using _ = server
    const aborter = new AbortController()
    const calls = [remote.getMe(ada), remote.getMe(ada, { signal: aborter.signal })]
    aborter.abort()
    expect(await settleCalls(calls)).toEqual([ADA, 'aborted'])
    expect(server.requests.map(({ url }) => url)).toEqual(['/me'])
  })
})
