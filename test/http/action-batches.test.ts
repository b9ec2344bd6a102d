import { describe, expect, it } from 'vitest'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { ADA, POST } from '../helpers/action-world.ts'
import { reasonIn, serveActions } from './served-actions.ts'

const JSON_HEADERS = { 'Content-Type': 'application/json' }
const add = (message: string, item: object = {}) => ({
  method: 'POST',
  relative_url: 'me/feed',
  body: `message=${message}`,
  ...item,
})

describe('a batch with actions', () => {
  it('runs its requests one after another, and each sees the writes of earlier ones', async () => {
    const { batch } = await serveActions()
    const count = { relative_url: 'me/feed?summary=1&limit=0' }
    const responses = await batch([count, add('a'), count, add('b'), count])
    expect(responses.flatMap(response => response?.body.summary?.total_count ?? [])).toEqual([1, 2, 3])
  })

  it('inserts values of earlier responses into forms and JSON bodies', async () => {
    const { batch, read } = await serveActions()
    const responses = await batch([
      add('first', { name: 'a' }),
      { method: 'POST', relative_url: '{result=a:$.id}/likes' },
      {
        method: 'POST',
        relative_url: 'me/feed?fields=message',
        headers: JSON_HEADERS,
        body: '{"message":"likes {result=a:$.id}","tags":["{result=a:$.id}"]}',
      },
      { method: 'DELETE', relative_url: 'me/feed', body: 'target={result=a:$.id}' },
    ])
    const id = responses[0]?.body.id
    expect(responses.map(response => response?.body)).toEqual([
      { id },
      { success: true },
      { message: `likes ${id}`, id: expect.any(String) },
      { success: true },
    ])
    expect((await read(`/${id}/likes?fields=id`)).data).toEqual([{ id: ADA }])
  })

  it('continues after a request that fails, except with those that depend on it', async () => {
    const { batch, runs } = await serveActions()
    const responses = await batch([
      { name: 'a', method: 'POST', relative_url: 'me/fail' },
      add('depends', { depends_on: 'a' }),
      add('refers', { relative_url: 'me/feed?x={result=a:$.id}' }),
      add('free'),
    ])
    expect(responses.map(response => response?.code ?? null)).toEqual([409, null, null, 200])
    expect(runs()).toEqual(['fail', 'feed.add'])
  })

  it('never omits the response to an action, even if the request says so or others depend on it', async () => {
    const { batch } = await serveActions()
    const responses = await batch([
      add('a', { name: 'a', omit_response_on_success: true }),
      { relative_url: '{result=a:$.id}', omit_response_on_success: true },
    ])
    expect(responses).toEqual([expect.objectContaining({ code: 200 }), null])
  })

  it('has the keys in the headers of its requests, and none of its own', async () => {
    const { batch, read, sendAsAda, runs } = await serveActions()
    const item = add('a', { headers: { 'Idempotency-Key': 'k' } })
    const [first, second, other] = await batch([item, item, add('b', { headers: ['idempotency-key: k'] })])
    expect(second?.body).toEqual(first?.body)
    expect(other?.body.error.error_data.failure).toBe('key_reused')
    expect((await read('/me/feed?fields=id')).data).toHaveLength(2)
    const form = new URLSearchParams({ batch: JSON.stringify([item]) })
    const headers = { 'Idempotency-Key': 'k' }
    const { text } = await sendAsAda('/', { method: 'POST', body: form, headers })
    expect(reasonIn(JSON.parse(text))).toBe('invalid_batch')
    expect(runs()).toHaveLength(3)
  })

  it('lets the parameter method change only POST requests', async () => {
    const { batch, runs } = await serveActions()
    const responses = await batch([
      { method: 'GET', relative_url: 'me/feed?method=post&message=x' },
      { method: 'post', relative_url: 'me/feed?method=get&fields=id' },
      { method: 'POST', relative_url: `${POST}?method=delete` },
      { method: 'DELETE', relative_url: 'me/feed?method=get' },
    ])
    expect(responses.map(response => reasonIn(response?.body) ?? response?.code)).toEqual([
      'method_not_supported',
      200,
      200,
      'invalid_parameter',
    ])
    expect(runs()).toEqual(['delete'])
  })

  it('runs its requests one after another, even if the name of a reference looks like the parameter method', async () => {
    const { batch, effects, read } = await serveActions()
    const countsAtEnd: number[] = []
    effects.task = async () => {
      await new Promise(resolve => setTimeout(resolve, 50))
      countsAtEnd.push((await read('/me/feed?fields=id')).data.length)
    }
    const name = 'a&method=get&'
    const reference = `{result=${name}:$.none}`
    const responses = await batch([
      { name, relative_url: 'me' },
      { method: 'POST', relative_url: `me/task?value=${reference}` },
      { method: 'POST', relative_url: 'me/feed', body: `message=b&photo=${reference}` },
    ])
    expect(responses.slice(1).map(response => response?.code)).toEqual([200, 200])
    expect(countsAtEnd).toEqual([1])
  })

  it('returns null for requests that did not start in time, and a response for each action that ran', async () => {
    const { batch, effects, runs } = await serveActions({ graph: { limits: { timeoutMs: 100 } } })
    effects.task = () => new Promise(resolve => setTimeout(resolve, 200))
    const responses = await batch([
      { method: 'POST', relative_url: 'me/task' },
      add('late'),
      { relative_url: 'me' },
    ])
    expect(responses).toEqual([expect.objectContaining({ code: 200, body: { id: ADA } }), null, null])
    expect(runs()).toEqual(['task'])
  })

  it('returns the error of a read after an action that ran, even if no time was left for the read', async () => {
    const { batch, effects } = await serveActions({ graph: { limits: { timeoutMs: 100 } } })
    effects.task = () => new Promise(resolve => setTimeout(resolve, 200))
    const [response] = await batch([{ method: 'POST', relative_url: 'me/task?fields=name' }])
    expect(response?.body.error).toMatchObject({
      error_data: { reason: 'timeout' },
      original_response: { id: ADA },
    })
  })

  it('returns the timeout of an action that exceeds its own limit', async () => {
    const limits = { timeoutMs: 100, actionTimeoutMs: 150 }
    const { batch, effects } = await serveActions({ graph: { limits } })
    effects.task = () => new Promise(resolve => setTimeout(resolve, 300))
    const [response] = await batch([{ method: 'POST', relative_url: 'me/task' }])
    expect(response).toMatchObject({ code: 503, body: { error: { error_data: { reason: 'timeout' } } } })
    expect(response?.body.error.is_transient).toBeUndefined()
  })

  it('shares one cost budget, and an action costs more than a read of its node', async () => {
    const { batch, runs } = await serveActions({ graph: { limits: { cost: 12 } } })
    const responses = await batch(Array.from({ length: 20 }, (_, index) => add(`${index}`)))
    const reasons = responses.map(response => reasonIn(response?.body))
    const firstError = reasons.indexOf('query_too_expensive')
    expect(firstError).toBeGreaterThan(0)
    expect(reasons.slice(firstError)).toEqual(Array(20 - firstError).fill('query_too_expensive'))
    expect(runs()).toHaveLength(firstError)
  })
})

describe('a batch of reads to a graph with actions', () => {
  it('still runs its requests at the same time, also those that are sent with POST and method=get', async () => {
    let pending = 0
    let maxPending = 0
    const { batch } = await serveActions({
      wrap: store =>
        delegateStore(store, {
          read: async (request, options) => {
            maxPending = Math.max(maxPending, ++pending)
            await new Promise(resolve => setTimeout(resolve, 20))
            pending--
            return store.read(request, options)
          },
        }),
    })
    await batch([
      { relative_url: 'me' },
      { method: 'POST', relative_url: 'me?method=get' },
      { method: 'POST', relative_url: 'me', body: 'fields=id&method=get' },
    ])
    expect(maxPending).toBe(3)
  })
})
