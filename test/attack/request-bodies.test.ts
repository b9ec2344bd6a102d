import { createGraph } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { createWorstBodies } from '../../bench/data/worst-bodies.ts'
import { acceptsGzip } from '../../src/explorer/page-files.ts'
import { rangeBefore } from '../../src/explorer/text-range.ts'
import { measureLongestHold } from '../helpers/longest-hold.ts'

/** Milliseconds: much more than the handling of a body takes, even on a busy machine. */
const MAX_HOLD_MS = 1000

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

const handler = createHandler(createGraph(createMemoryStore()))

const post = async (type: string, body: string | Uint8Array, url = '/', by = handler) => {
  const { body: text = '', ...response } = await by.respond({
    method: 'POST',
    url,
    headers: { 'content-type': type },
    body,
  })
  return { ...response, parsed: JSON.parse(text) }
}

/** Returns the error data of a response, or of each item in the response of a batch. */
const readErrorData = ({ parsed }: { readonly parsed: ReturnType<typeof JSON.parse> }) =>
  Array.isArray(parsed)
    ? parsed.map(({ body }) => JSON.parse(body).error.error_data)
    : parsed.error.error_data

describe('a body of up to 1 MiB without a token', () => {
  it.each(createWorstBodies().map(({ name, type, text }) => [name, type, text] as const))(
    'blocks the event loop for less than one second: %s',
    async (_, type, text) => {
      expect(text.length).toBeGreaterThan(type === FORM || !text.includes('a/a/') ? 700_000 : 0)
      expect(text.length).toBeLessThanOrEqual(1_048_576)
      const body = new TextEncoder().encode(text)
      const { value, hold } = await measureLongestHold(() => post(type, body))
      expect(value.status).toBeLessThan(500)
      expect(hold).toBeLessThan(MAX_HOLD_MS)
    },
  )
})

const parameters = (count: number): string[] => Array.from({ length: count }, (_, index) => `p${index}`)

/** Requests with the same parameters, in each format of body and in the query. */
const requests: readonly (readonly [string, (names: readonly string[]) => ReturnType<typeof post>])[] = [
  ['a form', names => post(FORM, names.map(name => `${name}=1`).join('&'))],
  ['a form with empty parts', names => post(FORM, names.map(name => `&&${name}&`).join('&'))],
  ['JSON', names => post(JSON_TYPE, JSON.stringify(Object.fromEntries(names.map(name => [name, 1]))))],
  [
    'a multipart form',
    names =>
      post(
        'multipart/form-data; boundary=b',
        `${names.map(name => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n1\r\n`).join('')}--b--`,
      ),
  ],
  ['a query', names => post(FORM, '', `/?${names.join('&')}`)],
  [
    'a query and a form',
    names => post(FORM, names.slice(500).join('&'), `/?${names.slice(0, 500).join('&')}`),
  ],
]

describe('the limits of the parameters of a request', () => {
  it.each(requests)('allow at most 1,000 parameters in %s', async (_, request) => {
    expect(readErrorData(await request(parameters(1000)))).toMatchObject({ reason: 'token_missing' })
    const response = await request(parameters(1001))
    expect([response.status, readErrorData(response)]).toEqual([
      413,
      { reason: 'request_too_large', limit: 1000 },
    ])
  })

  it('allow 1,000 parameters in each item of a batch, and 10,000 values in all items together', async () => {
    const itemsOf = (count: number, length: number) =>
      JSON.stringify({
        batch: Array.from({ length: count }, () => ({
          method: 'POST',
          relative_url: '4',
          body: `method=get&${parameters(length - 1).join('&')}`,
        })),
      })
    const missing = { reason: 'token_missing' }
    expect(readErrorData(await post(JSON_TYPE, itemsOf(2, 1000)))).toEqual([missing, missing])
    const tooMany = { reason: 'request_too_large', limit: 1000 }
    expect(readErrorData(await post(JSON_TYPE, itemsOf(2, 1001)))).toEqual([tooMany, tooMany])
    const all: readonly object[] = readErrorData(await post(JSON_TYPE, itemsOf(20, 900)))
    const full = { reason: 'request_too_large', limit: 10_000 }
    expect(all.slice(0, 10)).toEqual(Array(10).fill(missing))
    expect(all.slice(12)).toEqual(Array(8).fill(full))
  })

  it.each([
    ['a list', `{"a":[${'1,'.repeat(10_000)}1]}`],
    ['objects', `{"a":[${'{},'.repeat(5_000)}1]}`],
    ['lists in lists', `{"a":${'['.repeat(10_001)}${']'.repeat(10_001)}}`],
    ['ids', JSON.stringify({ method: 'get', ids: '1,'.repeat(10_001) })],
    ['a list of ids', JSON.stringify({ method: 'get', ids: JSON.stringify(Array(10_001).fill('1')) })],
    ['a batch', JSON.stringify({ batch: [{ headers: Array(10_001).fill('a: b') }] })],
    ['a batch as text', JSON.stringify({ batch: JSON.stringify([Array(10_001).fill(1)]) })],
  ])('reject more than 10,000 values in %s', async (_, body) => {
    expect(readErrorData(await post(JSON_TYPE, body))).toEqual({
      reason: 'request_too_large',
      limit: 10_000,
    })
  })

  it('allow more values if limits.batch is larger', async () => {
    const large = createHandler(createGraph(createMemoryStore()), { limits: { batch: 2000 } })
    const batch = Array.from({ length: 2000 }, () => ({
      method: 'GET',
      relative_url: '4',
      headers: ['a: b', 'c: d'],
      name: null,
    }))
    expect((await post(JSON_TYPE, JSON.stringify({ batch }), '/', large)).parsed).toHaveLength(2000)
  })
})

describe('the token of a batch', () => {
  it.each([
    ['an invalid item', [{ relative_url: '{result=a:$[?]}' }]],
    ['a list of too many items', Array(51).fill({})],
  ])('is authenticated before %s is parsed', async (_, batch) => {
    for (const body of [{ batch }, { batch: JSON.stringify(batch) }]) {
      const { access_token: _none, ...without } = { ...body, access_token: 'wrong' }
      expect(
        readErrorData(await post(JSON_TYPE, JSON.stringify({ ...body, access_token: 'wrong' }))),
      ).toEqual({
        reason: 'token_invalid',
      })
      expect(readErrorData(await post(JSON_TYPE, JSON.stringify(without))).reason).not.toBe('token_invalid')
    }
  })
})

describe('a regular expression that reads text from clients', () => {
  it('does not take quadratic time for a long text', () => {
    const length = 60_000
    const start = performance.now()
    expect(acceptsGzip(`br${' '.repeat(length)}, gzip`)).toBe(true)
    expect(acceptsGzip(`x${' '.repeat(length)}y;q=1`)).toBe(false)
    expect(rangeBefore(`${'a'.repeat(length)},`, length + 1)).toEqual({ from: length, to: length + 1 })
    expect(rangeBefore('a'.repeat(length), length)).toEqual({ from: 0, to: length })
    // With quadratic time, these calls would take minutes.
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})
