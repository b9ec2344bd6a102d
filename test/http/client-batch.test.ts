import { createGraph, fieldEquals, isGraphError, socialSchema } from 'kithgraph'
import { type ClientOptions, createClient } from 'kithgraph/client'
import type { HandlerOptions } from 'kithgraph/http'
import { describe, expect, it, vi } from 'vitest'
import { ADA, createWorld, GRACE, NOW, PHOTOS, SCOPES, worldStore } from '../helpers/world.ts'
import { fault, html, json, serveGraph, serveTurns } from './client-servers.ts'

const open = async (options: HandlerOptions = {}, client: ClientOptions = {}) => {
  const { graph } = await createWorld()
  const tokenOf = (viewer: string) => graph.tokens.issue({ viewer, app: 'demo', scopes: SCOPES })
  const [ada, grace] = await Promise.all([tokenOf(ADA), tokenOf(GRACE)])
  const server = await serveGraph(graph, options)
  const remote = createClient<typeof socialSchema>(server.url, {
    batch: true,
    retry: { baseDelay: 1, maxDelay: 5 },
    ...client,
  })
  return { graph, ada, grace, server, remote }
}

/** What calls come to: names, or reasons. */
const told = async (calls: readonly Promise<{ readonly id: string }>[]) =>
  (await Promise.allSettled(calls)).map(outcome => {
    if (outcome.status === 'fulfilled') return outcome.value.id
    return isGraphError(outcome.reason) ? outcome.reason.data.reason : outcome.reason
  })

describe('calls of one tick', () => {
  it('are one request, and each has its own answer or fault', async () => {
    const { server, remote, ada, grace } = await open()
    await using _ = server
    const calls = [
      remote.getMe(ada),
      remote.getNode(ada, { id: '999' }),
      Promise.resolve().then(() => remote.getMe(grace)),
      remote.getMe('no token'),
      remote.getNode(ada, { id: GRACE }),
    ]
    expect(await told(calls)).toEqual([ADA, 'node_missing', GRACE, 'token_unknown', GRACE])
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /'])
  })

  it('are as many requests as they have to be of 50', async () => {
    const { server, remote, ada } = await open()
    await using _ = server
    const ids = [...PHOTOS, ...PHOTOS]
    expect(await told(ids.map(id => remote.getNode(ada, { id })))).toEqual(ids)
    const sizes = server.requests.map(({ body }) => JSON.parse(body).batch.length)
    expect(sizes.sort()).toEqual([20, 50, 50])
  })

  it('are read with the token of none but their own: without one, not at all', async () => {
    const { server, remote, ada } = await open()
    await using _ = server
    expect(await told([remote.getMe(ada), remote.getMe(''), remote.getMe(ada)])).toEqual([
      ADA,
      'token_missing',
      ADA,
    ])
    expect(server.requests.every(({ url }) => !url.includes(ada))).toBe(true)
  })

  it('are sent alone where there is one alone', async () => {
    const { server, remote, ada } = await open()
    await using _ = server
    await remote.getMe(ada)
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /me'])
  })

  it('may each be longer than a URL', async () => {
    const { server, remote, ada } = await open()
    await using _ = server
    const fields: string = Array.from({ length: 190 }, (_, index) => `name.as(name_${index})`).join(',')
    const [me] = await Promise.all([remote.getMe(ada, { fields }), remote.getMe(ada)])
    expect(Object.keys(me)).toHaveLength(191)
    expect(server.requests).toHaveLength(1)
  })
})

describe('no call fails because of the company it was in', () => {
  it('where the server takes fewer in one batch', async () => {
    const { server, remote, ada } = await open({ limits: { batch: 4 } })
    await using _ = server
    const ids = PHOTOS.slice(0, 13)
    expect(await told(ids.map(id => remote.getNode(ada, { id })))).toEqual(ids)
  })

  it('where the server takes smaller ones', async () => {
    const { server, remote, ada } = await open({ limits: { body: 1000 } })
    await using _ = server
    const ids = PHOTOS.slice(0, 13)
    expect(await told(ids.map(id => remote.getNode(ada, { id })))).toEqual(ids)
  })

  it('where what stands in front of the server takes smaller ones', async () => {
    const item = { code: 200, body: '{"id":"4"}' }
    await using server = await serveTurns(html(413), json(200, [item, item]), json(200, [item, item]))
    const { getMe } = createClient(server.url, { batch: true })
    expect(await told([1, 2, 3, 4].map(() => getMe('token')))).toEqual(['4', '4', '4', '4'])
  })

  it('where one of them reads as if it took something of another', async () => {
    const { server, remote, ada } = await open()
    await using _ = server
    const spoiling: string = '{result=nobody:$.id}'
    const calls = [remote.getMe(ada), remote.getMe(ada, { fields: spoiling }), remote.getMe(ada)]
    expect(await told(calls)).toEqual([ADA, 'syntax', ADA])
  })

  it('where all of them have one budget', async () => {
    const graph = createGraph(await worldStore(), { now: () => NOW, limits: { cost: 27 } })
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
    await using server = await serveGraph(graph)
    const { getMe } = createClient(server.url, { batch: true })
    const calls = Array.from({ length: 15 }, () => getMe(token, { fields: 'photos' }))
    const dear = getMe(token, { fields: 'photos.limit(30)' })
    expect(await told([...calls, dear])).toEqual([...calls.map(() => ADA), 'too_costly'])
    await expect(dear).rejects.toMatchObject({ data: { limit: 27 } })
  })
})

describe('a call of a batch that exceeds its scan limit', () => {
  it('is not repeated', async () => {
    const schema = socialSchema.extend({ photo: { policy: [fieldEquals('name', 'nobody has this name')] } })
    const store = await worldStore()
    const graph = createGraph(store, { schema, secret: 'the secret of the batches', limits: { scan: 5 } })
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
    await using server = await serveGraph(graph)
    const { getMe } = createClient<typeof socialSchema>(server.url, { batch: true })
    const exceeding = getMe(token, { fields: 'photos.summary(true){name}' })
    expect(await told([exceeding, getMe(token, { fields: 'name' })])).toEqual(['too_costly', ADA])
    await expect(exceeding).rejects.toMatchObject({ data: { reason: 'too_costly', limit: 5 } })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a batch whose answers have one room', () => {
  it('fails no call that would fit alone', async () => {
    const graph = createGraph(await worldStore(), { now: () => NOW })
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
    await using server = await serveGraph(graph, { limits: { answer: 300 } })
    const { getMe } = createClient(server.url, { batch: true })
    const long = getMe(token, { fields: 'photos' })
    const calls = Array.from({ length: 15 }, () => getMe(token))
    expect(await told([...calls, long])).toEqual([...calls.map(() => ADA), 'answer_too_large'])
  })
})

describe('a batch that no graph answers', () => {
  it.each([
    ['a page that says not found', html(404)],
    ['a page that allows no POST', html(405)],
    ['no list', json(200, {})],
  ])('but %s is asked once', async (_name, turn) => {
    await using server = await serveTurns(turn)
    const { getMe } = createClient(server.url, { batch: true })
    expect(await told([1, 2, 3].map(() => getMe('token')))).toEqual(['internal', 'internal', 'internal'])
    expect(server.requests).toHaveLength(1)
  })
})

describe('what a batch has no time for', () => {
  const item = (id: string) => ({ code: 200, body: JSON.stringify({ id }) })

  it('is asked again, and nothing else', async () => {
    await using server = await serveTurns(
      json(200, [item('1'), null, { code: 503, body: '{"error":{"message":"m","is_transient":true}}' }]),
      json(200, [null, item('3')]),
      json(200, { id: '2' }),
    )
    const { getNode } = createClient(server.url, { batch: true, retry: { baseDelay: 1 } })
    const ids = ['1', '2', '3']
    expect(await told(ids.map(id => getNode('t', { id })))).toEqual(ids)
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /',
      'POST /',
      'GET /2',
    ])
  })

  it('is a transient fault in the end', async () => {
    await using server = await serveTurns(json(200, [item('1'), null, 'nonsense']))
    const { getNode } = createClient(server.url, { batch: true, retry: false })
    const calls = ['1', '2', '3', '4'].map(id => getNode('t', { id }))
    expect(await told(calls)).toEqual(['1', 'deadline', 'internal', 'deadline'])
  })

  it('is asked again as one batch where all of it failed', async () => {
    await using server = await serveTurns(
      fault(503, { is_transient: true }),
      json(200, [item('1'), item('2')]),
    )
    const { getNode } = createClient(server.url, { batch: true, retry: { baseDelay: 1 } })
    expect(await told(['1', '2'].map(id => getNode('t', { id })))).toEqual(['1', '2'])
    expect(server.requests).toHaveLength(2)
  })
})

describe('a signal in a batch', () => {
  it('ends the waiting of its own call alone', async () => {
    const closed = vi.fn()
    let answer = (): void => {}
    await using server = await serveTurns((response, asked) => {
      response.on('close', () => closed(response.writableFinished))
      answer = () => json(200, [{ code: 200, body: '{"id":"1"}' }, null])(response, asked)
    })
    const { getNode } = createClient(server.url, { batch: true })
    const aborter = new AbortController()
    const stays = getNode('t', { id: '1' })
    const goes = getNode('t', { id: '2', signal: aborter.signal })
    await expect.poll(() => server.requests).toHaveLength(1)
    aborter.abort()
    await expect(goes).rejects.toMatchObject({ data: { reason: 'aborted' } })
    answer()
    expect(await stays).toEqual({ id: '1' })
    await expect.poll(() => closed).toHaveBeenCalledWith(true)
    expect(server.requests).toHaveLength(1)
  })

  it('ends the batch once nobody waits for it', async () => {
    const closed = vi.fn()
    await using server = await serveTurns(response =>
      response.on('close', () => closed(response.writableFinished)),
    )
    const { getNode } = createClient(server.url, { batch: true })
    const aborters = [new AbortController(), new AbortController()]
    const calls = aborters.map(({ signal }, index) => getNode('t', { id: `${index + 1}`, signal }))
    await expect.poll(() => server.requests).toHaveLength(1)
    for (const aborter of aborters) aborter.abort()
    expect(await told(calls)).toEqual(['aborted', 'aborted'])
    await expect.poll(() => closed).toHaveBeenCalledWith(false)
  })

  it('that is aborted before the tick ends keeps its call out of it', async () => {
    const { server, remote, ada } = await open()
    await using _ = server
    const aborter = new AbortController()
    const calls = [remote.getMe(ada), remote.getMe(ada, { signal: aborter.signal })]
    aborter.abort()
    expect(await told(calls)).toEqual([ADA, 'aborted'])
    expect(server.requests.map(({ url }) => url)).toEqual(['/me'])
  })
})
