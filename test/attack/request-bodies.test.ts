import { createGraph } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { worstBodies } from '../../bench/data/worst-bodies.ts'
import { takesGzip } from '../../src/explorer/packed.ts'
import { rangeBefore } from '../../src/explorer/text-range.ts'
import { withLongestHold } from '../helpers/longest-hold.ts'

/** Milliseconds: much longer than a body takes, on a machine that has much else to do. */
const HOLD = 1000

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

const handler = createHandler(createGraph(createMemoryStore()))

const post = async (type: string, body: string | Uint8Array, url = '/', by = handler) => {
  const { body: text = '', ...response } = await by.answer({
    method: 'POST',
    url,
    headers: { 'content-type': type },
    body,
  })
  return { ...response, parsed: JSON.parse(text) }
}

/** What is wrong with a request, or with the items of a batch. */
const dataOf = ({ parsed }: { readonly parsed: ReturnType<typeof JSON.parse> }) =>
  Array.isArray(parsed)
    ? parsed.map(({ body }) => JSON.parse(body).error.error_data)
    : parsed.error.error_data

describe('a body of 1 MiB without a token', () => {
  it.each(worstBodies().map(({ name, type, text }) => [name, type, text] as const))(
    'holds nothing up: %s',
    async (_, type, text) => {
      expect(text.length).toBeGreaterThan(type === FORM || !text.includes('a/a/') ? 700_000 : 0)
      expect(text.length).toBeLessThanOrEqual(1_048_576)
      const body = new TextEncoder().encode(text)
      const { value, hold } = await withLongestHold(() => post(type, body))
      expect(value.status).toBeLessThan(500)
      expect(hold).toBeLessThan(HOLD)
    },
  )
})

const parameters = (count: number): string[] => Array.from({ length: count }, (_, index) => `p${index}`)

/** The same parameters in each form of body, and in the query. */
const requests: readonly (readonly [string, (names: readonly string[]) => ReturnType<typeof post>])[] = [
  ['a form', names => post(FORM, names.map(name => `${name}=1`).join('&'))],
  ['a form with nothing between', names => post(FORM, names.map(name => `&&${name}&`).join('&'))],
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

describe('the parameters of a request', () => {
  it.each(requests)('are at most 1,000 in %s', async (_, request) => {
    expect(dataOf(await request(parameters(1000)))).toMatchObject({ reason: 'token_missing' })
    const response = await request(parameters(1001))
    expect([response.status, dataOf(response)]).toEqual([413, { reason: 'request_too_large', limit: 1000 }])
  })

  it('are counted for each item of a batch, and its values for all items together', async () => {
    const itemsOf = (count: number, length: number) =>
      JSON.stringify({
        batch: Array.from({ length: count }, () => ({
          method: 'POST',
          relative_url: '4',
          body: `method=get&${parameters(length - 1).join('&')}`,
        })),
      })
    const missing = { reason: 'token_missing' }
    expect(dataOf(await post(JSON_TYPE, itemsOf(2, 1000)))).toEqual([missing, missing])
    const tooMany = { reason: 'request_too_large', limit: 1000 }
    expect(dataOf(await post(JSON_TYPE, itemsOf(2, 1001)))).toEqual([tooMany, tooMany])
    const all: readonly object[] = dataOf(await post(JSON_TYPE, itemsOf(20, 900)))
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
  ])('hold at most 10,000 values: %s', async (_, body) => {
    expect(dataOf(await post(JSON_TYPE, body))).toEqual({ reason: 'request_too_large', limit: 10_000 })
  })

  it('hold as many values as larger batches need', async () => {
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
    ['an item that cannot be parsed', [{ relative_url: '{result=a:$[?]}' }]],
    ['more items than there may be', Array(51).fill({})],
  ])('is authenticated before %s is seen', async (_, batch) => {
    for (const body of [{ batch }, { batch: JSON.stringify(batch) }]) {
      const { access_token: _none, ...without } = { ...body, access_token: 'wrong' }
      expect(dataOf(await post(JSON_TYPE, JSON.stringify({ ...body, access_token: 'wrong' })))).toEqual({
        reason: 'token_unknown',
      })
      expect(dataOf(await post(JSON_TYPE, JSON.stringify(without))).reason).not.toBe('token_unknown')
    }
  })
})

describe('a pattern that untrusted text is matched against', () => {
  it('takes a time that the length of the text bounds', () => {
    const length = 60_000
    const start = performance.now()
    expect(takesGzip(`br${' '.repeat(length)}, gzip`)).toBe(true)
    expect(takesGzip(`x${' '.repeat(length)}y;q=1`)).toBe(false)
    expect(rangeBefore(`${'a'.repeat(length)},`, length + 1)).toEqual({ from: length, to: length + 1 })
    expect(rangeBefore('a'.repeat(length), length)).toEqual({ from: 0, to: length })
    // Quadratic time would be minutes.
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})
