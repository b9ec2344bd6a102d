import { describe, expect, it } from 'vitest'
import { batchAsker } from './batches.ts'
import { form, json, jsonOf, serveWorld } from './served-world.ts'

const world = await serveWorld()
const { ask, handler, token } = world
const bearer = { authorization: `Bearer ${token}` }

describe('too much', () => {
  it('of a URL, a body, a batch or an expression is refused, and says how much would do', async () => {
    const tooLarge = { reason: 'request_too_large', limit: 16_384 }
    const { status, text } = await ask(`/me?x=${'x'.repeat(17_000)}`)
    expect([status, JSON.parse(text).error.error_data]).toMatchObject([413, tooLarge])
    const body = await ask('/me', form({ method: 'get', x: 'x'.repeat(1_048_576) }))
    expect([body.status, jsonOf(body).error.error_data]).toEqual([
      413,
      { reason: 'request_too_large', limit: 1_048_576 },
    ])
    expect(await world.reasonOf('/me', form({ method: 'get', fields: 'x'.repeat(9000) }))).toBe(
      'expression_too_long',
    )
    expect(await world.reasonOf('/me', form({ method: 'get', fields: 'a{'.repeat(4000) }))).toMatch(
      /expression_too_deep|syntax/,
    )
  })

  it('is refused as well where somebody else has read the body', async () => {
    const { status } = await handler.answer({
      method: 'POST',
      url: '/',
      headers: bearer,
      body: 'x'.repeat(1_048_577),
    })
    expect(status).toBe(413)
  })

  it('is what the limits say', async () => {
    const small = await serveWorld({ limits: { url: 100, body: 100, batch: 1 } })
    expect(await small.reasonOf(`/me?x=${'x'.repeat(100)}`)).toBe('request_too_large')
    expect(await small.reasonOf('/me', form({ x: 'x'.repeat(100) }))).toBe('request_too_large')
    expect(await small.reasonOf('/', form({ batch: '[{},{}]' }))).toBe('too_many_batch_items')
  })

  it.each<[string, RequestInit]>([
    ['parameters', { method: 'POST', body: 'a&'.repeat(500_000) }],
    [
      'parameters that differ',
      { method: 'POST', body: `${Array.from({ length: 100_000 }, (_, index) => `p${index}`).join('&')}` },
    ],
    ['ids', form({ method: 'get', ids: '1,'.repeat(500_000) })],
    ['ids in JSON', form({ method: 'get', ids: JSON.stringify(Array(200_000).fill('1')) })],
    ['brackets in JSON', { ...json(null), body: `{"fields":${'['.repeat(500_000)}${']'.repeat(500_000)}}` }],
    ['braces in JSON', { ...json(null), body: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}` }],
    ['brackets in fields', form({ method: 'get', fields: '['.repeat(500_000) })],
    ['brackets in a batch', form({ batch: `${'['.repeat(400_000)}${']'.repeat(400_000)}` })],
    [
      'beginnings of references',
      form({ batch: JSON.stringify([{ relative_url: '{result='.repeat(50_000) }]) }),
    ],
    [
      'headers in a batch',
      form({ batch: JSON.stringify([{ relative_url: 'me', headers: Array(200_000).fill('a:b') }]) }),
    ],
    ['escapes', { method: 'POST', body: '%'.repeat(1_000_000) }],
  ])('of %s is answered in a moment', async (_, init) => {
    const started = performance.now()
    const { status, text } = await ask('/', init)
    expect(status).toBeLessThan(500)
    expect(JSON.parse(text)).toBeDefined()
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})

describe('a batch that wants more than its share', () => {
  const batch = batchAsker(world)

  it('gets one budget for all of its requests', async () => {
    const { cost } = world.graph.explain({ type: 'user', fields: 'photos.limit(100){comments.limit(100)}' })
    const costly = Array.from({ length: 50 }, () => ({
      relative_url: 'me?fields=photos.limit(100){comments.limit(100)}',
    }))
    const answers = await batch(costly)
    const served = answers.filter(answer => answer?.code === 200)
    expect(served).toHaveLength(Math.floor(250_000 / cost))
    for (const answer of answers.slice(served.length))
      expect(answer?.body.error.error_data).toMatchObject({ reason: 'too_costly', cost, fits: 0 })
  })

  it('may not hold another batch, however it is sent', async () => {
    const inner = JSON.stringify([{ relative_url: 'me' }])
    const answers = await batch([
      { method: 'POST', relative_url: '', body: `batch=${encodeURIComponent(inner)}` },
      { method: 'POST', relative_url: `?batch=${encodeURIComponent(inner)}` },
      { method: 'POST', relative_url: 'v1.0/', body: `batch=${encodeURIComponent(inner)}` },
      {
        method: 'POST',
        relative_url: '',
        body: JSON.stringify({ batch: inner }),
        headers: ['Content-Type: application/json'],
      },
      { method: 'GET', relative_url: `?method=post&batch=${encodeURIComponent(inner)}` },
    ])
    for (const answer of answers) expect(answer?.body.error.error_data.reason).toBe('bad_batch')
  })
})
