import { describe, expect, it } from 'vitest'
import type { GraphEvent } from '../../src/core/events.ts'
import { scheduleStore } from '../../src/testing/index.ts'
import { ADA } from '../helpers/world.ts'
import { createBatchSender } from './batch-requests.ts'
import { createFormRequest, createJsonRequest, parseJson, serveWorld } from './served-world.ts'

const world = await serveWorld()
const { sendAsAda, send, handler, token } = world
const bearer = { authorization: `Bearer ${token}` }

/** Sends a request as a socket delivers it, without the normalization that a `Request` does. */
const respond = (url: string, headers: { readonly [name: string]: string } = {}) =>
  handler.respond({ method: 'GET', url, headers: { ...bearer, ...headers } })

describe('text from a client over HTTP', () => {
  const hostile = '<script>alert(1)</script>"\r\nSet-Cookie: a=b\u0000\u2028'
  const paths = [
    `/${encodeURIComponent(hostile)}`,
    `/${encodeURIComponent(hostile)}/photos`,
    `/me/${encodeURIComponent(hostile)}`,
    `/me/friends/${encodeURIComponent(hostile)}`,
    `/v1.0${encodeURIComponent(hostile)}/me`,
    `/${encodeURIComponent(hostile)}/permissions`,
    `/${encodeURIComponent(hostile)}/picture`,
    ...['fields', 'limit', 'after', 'order', 'summary', 'method', 'ids', 'debug', 'node_type'].map(
      name => `/me/photos?${name}=${encodeURIComponent(hostile)}`,
    ),
    `/me?fields=1&fields=${encodeURIComponent(hostile)}`,
    `/me/friends/5/${encodeURIComponent(hostile)}`,
    `/me?access_token=${encodeURIComponent(hostile)}`,
  ]

  it.each(paths)('never becomes a response header or HTML: %s', async path => {
    const { status, headers, body } = await respond(path)
    expect(status).toBe(400)
    expect(headers['Content-Type']).toBe('application/json; charset=UTF-8')
    expect(headers['X-Content-Type-Options']).toBe('nosniff')
    for (const text of Object.values(headers)) expect(text).toMatch(/^[\x20-\x7e]*$/)
    expect(Object.keys(headers)).not.toContain('Set-Cookie')
    expect(JSON.parse(`${body}`)).toHaveProperty('error.code')
    expect(() => new Headers(headers)).not.toThrow()
  })

  it('does not make an error response long', async () => {
    const long = 'x'.repeat(10_000)
    for (const path of [
      `/${long}`,
      `/me/${long}`,
      `/me/friends/${long}`,
      `/${long}/permissions`,
      `/?ids=${long}`,
      `/me?${long}=1&${long}=2`,
      `/me?method=${long}`,
      `/me/photos?after=${long}`,
    ]) {
      const { headers, body } = await respond(path)
      expect(`${body}`.length).toBeLessThan(600)
      expect(JSON.stringify(headers).length).toBeLessThan(1000)
    }
  })

  it('is not used as the origin of a link if it is not a valid host', async () => {
    for (const host of [
      'evil.example/x?',
      'a"b',
      'a b',
      '<b>',
      'a@b',
      '',
      'é',
      'a:999999',
      '[::1',
      `${'a'.repeat(300)}`,
    ]) {
      const { status, body } = await respond('/me/photos?limit=1', { host })
      if (status === 200) expect(JSON.parse(`${body}`).paging.next).toMatch(/^\/1\/photos/)
      else expect(JSON.parse(`${body}`).error.error_data.parameter).toBe('host')
    }
  })
})

describe('an unusual URL', () => {
  it.each([
    '/../me',
    '/..%2f..%2fetc/passwd',
    '/me/../../x',
    '/%2e%2e/%2e%2e',
    '/%00',
    '/1%00',
    '/1%00/photos',
    '/%',
    '/%zz/photos',
    '/%ff',
    '/\ud800',
    '/me/\udfff',
    '/me?fields=\ud800',
    '/me?fields=%ff%fe',
    '/me?fields=%ed%a0%80',
    '/__proto__',
    '/constructor',
    '/me/__proto__',
    '/me/constructor',
    '/me/toString',
    '/__proto__/__proto__',
    '/me?fields=__proto__',
    '/me?fields=constructor{prototype}',
    '/?ids=__proto__,constructor',
    '/hasOwnProperty?ids=1',
    `/${'9'.repeat(40)}`,
    '/-1',
    '/1e3',
    '/0',
    '*',
    'me',
    '/;/me',
    '/me\\..\\x',
    '/openapi.json/x',
    '/debug_token/x/y',
    'ftp://graph.test/me',
    'http://',
  ])('causes an error with status 400 if it is invalid or nothing exists there: %s', async url => {
    const { status, body } = await respond(url)
    expect(status).toBe(400)
    expect(JSON.parse(`${body}`)).toHaveProperty('error.fbtrace_id')
  })

  it.each([
    'http://graph.test/me',
    'HTTP://graph.test:80/me',
    'https://[::1]:4000/v1.0/me',
    '/me#x',
    '/me?',
    '//me',
  ])('is accepted if it is valid: %s', async url => {
    expect(await respond(url)).toMatchObject({ status: 200 })
  })
})

describe('a key such as __proto__ or constructor', () => {
  it('is an ordinary parameter in a JSON body', async () => {
    const body = '{"__proto__":{"method":"get"},"constructor":"x","toString":1,"method":"get","fields":"id"}'
    expect(parseJson(await sendAsAda('/me', { ...createJsonRequest(null), body }))).toEqual({ id: ADA })
    expect(
      await world.reasonOf('/me', { ...createJsonRequest(null), body: '{"__proto__":{"method":"get"}}' }),
    ).toBe('method_not_supported')
    expect({}).not.toHaveProperty('method')
  })

  it('has no effect as the name of a header in a batch', async () => {
    const headers = ['__proto__: x', 'constructor: x', { name: '__proto__', value: 'x' }]
    const [one] = await createBatchSender(world)([{ relative_url: 'me?fields=id', headers }])
    expect(one?.body).toEqual({ id: ADA })
  })
})

describe('the token of a request over HTTP', () => {
  it('appears in no response, header, error or event if it is sent in a header or a form', async () => {
    const events: GraphEvent[] = []
    const watched = await serveWorld({ graph: { onEvent: event => events.push(event) } })
    const { token: secret } = watched
    const paths = [
      '/me',
      '/999',
      '/me?fields=nmae',
      '/me/photos?limit=1',
      '/me?partial=2',
      '/a/b/c/d',
      '/?ids=me,x',
    ]
    const texts: string[] = []
    for (const path of paths) {
      for (const reply of [
        await watched.sendAsAda(path),
        await watched.send(path, createFormRequest({ method: 'get', access_token: secret })),
        await watched.send(`${path}${path.includes('?') ? '&' : '?'}access_token=${secret}x`),
        await watched.sendAsAda('/', createFormRequest({ batch: JSON.stringify([{ relative_url: path }]) })),
      ])
        texts.push(reply.text, JSON.stringify([...reply.headers]))
    }
    for (const text of texts) expect(text).not.toContain(secret)
    expect(watched.errors.length).toBeGreaterThan(10)
    for (const { message, stack, data, cause } of watched.errors)
      expect(`${message}${stack}${JSON.stringify(data)}${cause}`).not.toContain(secret)
    expect(JSON.stringify(events)).not.toContain(secret)
  })

  it('is not repeated in an error if it is sent in the wrong place', async () => {
    const app = encodeURIComponent('demo|the secret of demo')
    for (const secret of [token, app])
      for (const path of [
        `/${secret}`,
        `/${secret}/photos`,
        `/me/${secret}`,
        `/me/photos/${secret}`,
        `/?ids=${secret}`,
        `/?ids=me,${secret}`,
        `/?id=${secret}`,
        `/me/photos?after=${secret}`,
        `/me/photos?limit=${secret}`,
        `/me/photos?offset=${secret}`,
        `/me?fields=1&fields=${secret}`,
        `/me/photos/5/${secret}`,
      ]) {
        const { headers, body } = await respond(path)
        const allText = `${JSON.stringify(headers)}${body}`
        expect(allText).toContain('error')
        for (const text of [token.slice(0, 20), 'the secret of demo']) expect(allText).not.toContain(text)
      }
  })

  it('is not shown by debug_token to a caller with an invalid token', async () => {
    const { text } = await send(`/debug_token?input_token=${token}&access_token=nobody`)
    expect(text).not.toContain(token)
  })
})

describe('an error of a request over HTTP', () => {
  it('passes its cause to onError, but not to the client, if it is a store_error', async () => {
    let isBroken = false
    const broken = await serveWorld({
      wrap: store =>
        scheduleStore(store, async (_, run) => {
          if (isBroken) throw new Error('connect ECONNREFUSED 10.0.0.7 at /srv/app/db.ts:7')
          return run()
        }),
    })
    isBroken = true
    for (const path of [
      '/me',
      '/me/photos',
      '/?ids=me',
      '/me/permissions',
      '/me/picture',
      `/debug_token?input_token=${broken.token}`,
    ]) {
      const { status, headers, text } = await broken.sendAsAda(path)
      expect(status).toBe(503)
      expect(text + JSON.stringify([...headers])).not.toMatch(/ECONNREFUSED|10\.0\.0\.7|\.ts|at /)
      expect(JSON.parse(text).error).toMatchObject({ code: 2, is_transient: true })
      expect(headers.has('www-authenticate')).toBe(false)
    }
    expect(String(broken.errors[0]?.cause)).toContain('ECONNREFUSED')
  })

  it('still has status 400 if onError throws', async () => {
    const { sendAsAda: get } = await serveWorld({
      onError: () => {
        throw new Error('the log is full')
      },
    })
    expect((await get('/999')).status).toBe(400)
  })

  it('has status 500 for a body that was already read', async () => {
    const request = new Request('http://graph.test/', createFormRequest({ batch: '[]' }))
    await request.text()
    expect((await handler(request)).status).toBe(500)
    expect(String(world.errors.at(-1)?.cause)).toContain(
      'TypeError: handler: "request.body" must be unread; received a body that was read before',
    )
  })

  it('has status 500 for a closed graph', async () => {
    const closed = await serveWorld()
    await closed.graph.close()
    const { status, text } = await closed.sendAsAda('/me')
    expect(status).toBe(500)
    expect(JSON.parse(text).error.message).toBe(
      '(#1) An unexpected error occurred; its trace id identifies it',
    )
  })
})
