import { describe, expect, it } from 'vitest'
import { createBatchSender } from './batch-requests.ts'
import { createFormRequest, createJsonRequest, parseJson, serveWorld } from './served-world.ts'

const world = await serveWorld()
const { sendAsAda, handler, token } = world
const bearer = { authorization: `Bearer ${token}` }

describe('a request that is too large', () => {
  it('is rejected with the limit of its URL, its body or its expression', async () => {
    const tooLarge = { reason: 'request_too_large', limit: 16_384 }
    const { status, text } = await sendAsAda(`/me?x=${'x'.repeat(17_000)}`)
    expect([status, JSON.parse(text).error.error_data]).toMatchObject([413, tooLarge])
    const body = await sendAsAda('/me', createFormRequest({ method: 'get', x: 'x'.repeat(1_048_576) }))
    expect([body.status, parseJson(body).error.error_data]).toEqual([
      413,
      { reason: 'request_too_large', limit: 1_048_576 },
    ])
    expect(await world.reasonOf('/me', createFormRequest({ method: 'get', fields: 'x'.repeat(9000) }))).toBe(
      'expression_too_long',
    )
    expect(
      await world.reasonOf('/me', createFormRequest({ method: 'get', fields: 'a{'.repeat(4000) })),
    ).toMatch(/expression_too_deep|syntax/)
  })

  it('is rejected even if its body is passed as text', async () => {
    const { status } = await handler.respond({
      method: 'POST',
      url: '/',
      headers: bearer,
      body: 'x'.repeat(1_048_577),
    })
    expect(status).toBe(413)
  })

  it('is rejected at the configured limits', async () => {
    const small = await serveWorld({ limits: { url: 100, body: 100, batch: 1 } })
    expect(await small.reasonOf(`/me?x=${'x'.repeat(100)}`)).toBe('request_too_large')
    expect(await small.reasonOf('/me', createFormRequest({ x: 'x'.repeat(100) }))).toBe('request_too_large')
    expect(await small.reasonOf('/', createFormRequest({ batch: '[{},{}]' }))).toBe('batch_too_large')
  })

  it.each<[string, RequestInit]>([
    ['parameters', { method: 'POST', body: 'a&'.repeat(500_000) }],
    [
      'different parameters',
      { method: 'POST', body: `${Array.from({ length: 100_000 }, (_, index) => `p${index}`).join('&')}` },
    ],
    ['ids', createFormRequest({ method: 'get', ids: '1,'.repeat(500_000) })],
    ['ids in JSON', createFormRequest({ method: 'get', ids: JSON.stringify(Array(200_000).fill('1')) })],
    [
      'brackets in JSON',
      { ...createJsonRequest(null), body: `{"fields":${'['.repeat(500_000)}${']'.repeat(500_000)}}` },
    ],
    [
      'braces in JSON',
      { ...createJsonRequest(null), body: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}` },
    ],
    ['brackets in fields', createFormRequest({ method: 'get', fields: '['.repeat(500_000) })],
    ['brackets in a batch', createFormRequest({ batch: `${'['.repeat(400_000)}${']'.repeat(400_000)}` })],
    [
      'beginnings of references',
      createFormRequest({ batch: JSON.stringify([{ relative_url: '{result='.repeat(50_000) }]) }),
    ],
    [
      'headers in a batch',
      createFormRequest({
        batch: JSON.stringify([{ relative_url: 'me', headers: Array(200_000).fill('a:b') }]),
      }),
    ],
    ['escapes', { method: 'POST', body: '%'.repeat(1_000_000) }],
  ])('receives a response within 20 seconds: many %s', async (_, init) => {
    const started = performance.now()
    const { status, text } = await sendAsAda('/', init)
    expect(status).toBeLessThan(500)
    expect(JSON.parse(text)).toBeDefined()
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})

describe('the limits of a batch', () => {
  const batch = createBatchSender(world)

  it('include one cost limit for all requests together', async () => {
    const { cost } = world.graph.explain({ type: 'user', fields: 'photos.limit(100){comments.limit(100)}' })
    const expensive = Array.from({ length: 50 }, () => ({
      relative_url: 'me?fields=photos.limit(100){comments.limit(100)}',
    }))
    const responses = await batch(expensive)
    const served = responses.filter(response => response?.code === 200)
    expect(served).toHaveLength(Math.floor(250_000 / cost))
    for (const response of responses.slice(served.length))
      expect(response?.body.error.error_data).toMatchObject({ reason: 'query_too_expensive', cost, fits: 0 })
  })

  it('do not allow a batch inside of a batch, whatever its form', async () => {
    const inner = JSON.stringify([{ relative_url: 'me' }])
    const responses = await batch([
      { method: 'POST', relative_url: '', body: `batch=${encodeURIComponent(inner)}` },
      { method: 'POST', relative_url: `?batch=${encodeURIComponent(inner)}` },
      { method: 'POST', relative_url: 'v1.0/', body: `batch=${encodeURIComponent(inner)}` },
      {
        method: 'POST',
        relative_url: '',
        body: JSON.stringify({ batch: inner }),
        headers: ['Content-Type: application/json'],
      },
      { method: 'POST', relative_url: `?method=post&batch=${encodeURIComponent(inner)}` },
    ])
    for (const response of responses) expect(response?.body.error.error_data.reason).toBe('invalid_batch')
  })
})
