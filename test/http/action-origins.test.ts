import { describe, expect, it } from 'vitest'
import { POST } from '../helpers/action-world.ts'
import { reasonIn, type ServedActionsOptions, serveActions } from './served-actions.ts'
import { ORIGIN } from './served-world.ts'

type Headers = { readonly [name: string]: string }

/** Returns the reason of the error of a write with these headers, or undefined for a success. */
const reasonWith = async (headers: Headers, options?: ServedActionsOptions): Promise<string | undefined> => {
  const { read, runs } = await serveActions(options)
  const reason = reasonIn(await read(`/${POST}/likes`, { method: 'POST', headers }))
  expect(runs()).toHaveLength(reason === undefined ? 1 : 0)
  return reason
}

describe('a write', () => {
  it.each([
    ['no page has caused', {}],
    ['no page has caused, in a browser', { 'sec-fetch-site': 'none' }],
    [
      'a page of the same origin has caused',
      { 'sec-fetch-site': 'same-origin', origin: 'https://other.example' },
    ],
    ['an old browser has sent for a page of the same host', { origin: ORIGIN }],
    ['a proxy has received with TLS', { origin: 'https://graph.test' }],
    ['names the port of its scheme', { origin: 'http://graph.test:80' }],
  ] as readonly [string, Headers][])('is accepted if %s', async (_name, headers) => {
    expect(await reasonWith(headers)).toBeUndefined()
  })

  it.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    [
      'of another site whose origin looks like the own one',
      { 'sec-fetch-site': 'cross-site', origin: ORIGIN },
    ],
    ['of a subdomain', { 'sec-fetch-site': 'same-site', origin: 'http://app.graph.test' }],
    ['with an unknown relation', { 'sec-fetch-site': 'SAME-ORIGIN' }],
    ['of another host', { origin: 'https://evil.example' }],
    ['of another port', { origin: 'http://graph.test:8080' }],
    ['of a longer host', { origin: 'http://graph.test.evil.example' }],
    ['without an origin of its own', { origin: 'null' }],
    ['of an extension', { origin: 'chrome-extension://graph.test' }],
    ['of a file', { origin: 'file://' }],
    ['with a user in its origin', { origin: 'http://graph.test@evil.example' }],
  ] as readonly [string, Headers][])('is rejected if it was caused by a page %s', async (_name, headers) => {
    expect(await reasonWith(headers)).toBe('origin_not_allowed')
  })

  it('must have the origin of baseUrl, if the handler has one', async () => {
    const options = { baseUrl: 'https://api.example/graph' }
    expect(await reasonWith({ origin: 'https://api.example' }, options)).toBeUndefined()
    for (const origin of ['http://api.example', ORIGIN, 'https://api.example:8443', 'null'])
      expect(await reasonWith({ origin }, options)).toBe('origin_not_allowed')
  })

  it('of a site whose name leads to the server is rejected if the handler has a baseUrl', async () => {
    const headers = { host: 'evil.example', origin: 'http://evil.example' }
    expect(await reasonWith(headers, { baseUrl: ORIGIN })).toBe('origin_not_allowed')
  })

  it('must have the host that a trusted proxy names', async () => {
    const headers = { 'x-forwarded-host': 'api.example', origin: 'https://api.example' }
    expect(await reasonWith(headers, { trustProxy: true })).toBeUndefined()
    expect(await reasonWith(headers)).toBe('origin_not_allowed')
  })

  it('is accepted from the origins that cors lists, and with "*" from all', async () => {
    const options = { cors: { origin: ['https://app.example'] } }
    const cross = { 'sec-fetch-site': 'cross-site' }
    expect(await reasonWith({ origin: 'https://app.example' }, options)).toBeUndefined()
    expect(await reasonWith({ ...cross, origin: 'https://app.example' }, options)).toBeUndefined()
    expect(await reasonWith({ ...cross, origin: 'https://evil.example' }, options)).toBe('origin_not_allowed')
    expect(await reasonWith(cross, options)).toBe('origin_not_allowed')
    for (const headers of [cross, { origin: 'null' }, { ...cross, origin: 'https://evil.example' }])
      expect(await reasonWith(headers, { cors: { origin: '*' } })).toBeUndefined()
  })

  it('is checked for its origin before its token, its method and its syntax', async () => {
    const { send, errors } = await serveActions()
    const headers = { 'sec-fetch-site': 'cross-site', authorization: 'Bearer wrong' }
    for (const [method, path] of [
      ['POST', `/${POST}/likes?fields=(&ids=1`],
      ['DELETE', '/404'],
      ['PUT', '/me'],
      ['POST', '/me?method=delete'],
    ] as const) {
      const { status, text } = await send(path, { method, headers })
      expect(JSON.parse(text).error).toMatchObject({
        code: 200,
        error_data: { reason: 'origin_not_allowed' },
      })
      expect(status).toBe(403)
    }
    expect(errors.map(({ reason }) => reason)).toEqual(Array(4).fill('origin_not_allowed'))
  })

  it.each<readonly [string, string, RequestInit]>([
    ['two tokens, in a header and the query', '/me/feed?access_token=a', {}],
    [
      'two tokens, in the query and the body',
      '/me/feed?access_token=a',
      { body: new URLSearchParams({ access_token: 'b' }) },
    ],
    ['a body that is not JSON', '/me/feed', { body: '{', headers: { 'content-type': 'application/json' } }],
    ['an unknown path', '/me/feed/1/2', {}],
    ['a URL that is too long', `/me/feed?text=${'x'.repeat(100_000)}`, {}],
  ])('is checked for its origin before it is parsed: %s', async (_name, path, { headers, ...init }) => {
    const { send, runs } = await serveActions()
    const authorization = 'Bearer wrong'
    const reasonOf = async (site: string) => {
      const sent = { ...headers, authorization, 'sec-fetch-site': site }
      return reasonIn(JSON.parse((await send(path, { method: 'POST', ...init, headers: sent })).text))
    }
    expect(await reasonOf('cross-site')).toBe('origin_not_allowed')
    expect(await reasonOf('same-origin')).not.toBe('origin_not_allowed')
    expect(runs()).toEqual([])
  })

  it('is no read: pages of other origins may send reads, with POST too', async () => {
    const { read } = await serveActions()
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect(await read('/me?fields=id', { headers })).toEqual({ id: '1' })
    expect(await read('/me?fields=id&method=get', { method: 'POST', headers })).toEqual({ id: '1' })
    expect(await read('/me?fields=id', { method: 'HEAD', headers }).catch(() => 'no body')).toBe('no body')
  })
})

describe('a batch to a graph with actions', () => {
  it('is rejected as a whole if a page of another site has caused it, even if its items only read', async () => {
    const { read } = await serveActions()
    const body = new URLSearchParams({ batch: '[{"relative_url":"me"}]' })
    const headers = { 'sec-fetch-site': 'cross-site' }
    for (const path of ['/', '/me'])
      expect(reasonIn(await read(path, { method: 'POST', body, headers }))).toBe('origin_not_allowed')
  })

  it('is not checked again for the headers of its items', async () => {
    const { batch } = await serveActions()
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const [response] = await batch([{ method: 'POST', relative_url: `${POST}/likes`, headers }])
    expect(response?.body).toEqual({ success: true })
  })
})

describe('the CORS headers of a graph with actions', () => {
  it('allow DELETE and the header Idempotency-Key', async () => {
    const origin = 'https://app.example'
    const { send } = await serveActions({ cors: { origin: [origin] } })
    const { status, headers } = await send('/me/feed', { method: 'OPTIONS', headers: { origin } })
    expect(status).toBe(204)
    expect(headers.get('allow')).toBe('GET, HEAD, POST, DELETE, OPTIONS')
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, DELETE, OPTIONS')
    expect(headers.get('access-control-allow-headers')).toContain('Idempotency-Key')
  })
})
