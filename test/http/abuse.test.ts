import { describe, expect, it } from 'vitest'
import type { ReadEvent } from '../../src/execute/read-event.ts'
import { scheduleStore } from '../../src/testing/index.ts'
import { ADA } from '../helpers/world.ts'
import { batchAsker } from './batches.ts'
import { form, json, jsonOf, serveWorld } from './served-world.ts'

const world = await serveWorld()
const { ask, send, handler, token } = world
const bearer = { authorization: `Bearer ${token}` }

/** A request as a socket delivers it, without the clean-up that a `Request` does. */
const answer = (url: string, headers: { readonly [name: string]: string } = {}) =>
  handler.answer({ method: 'GET', url, headers: { ...bearer, ...headers } })

describe('text of a client', () => {
  const hostile = '<script>alert(1)</script>"\r\nSet-Cookie: a=b\u0000\u2028'
  const places = [
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

  it.each(places)('never is a header, nor HTML: %s', async path => {
    const { status, headers, body } = await answer(path)
    expect(status).toBe(400)
    expect(headers['Content-Type']).toBe('application/json; charset=UTF-8')
    expect(headers['X-Content-Type-Options']).toBe('nosniff')
    for (const text of Object.values(headers)) expect(text).toMatch(/^[\x20-\x7e]*$/)
    expect(Object.keys(headers)).not.toContain('Set-Cookie')
    expect(JSON.parse(`${body}`)).toHaveProperty('error.code')
    expect(() => new Headers(headers)).not.toThrow()
  })

  it('does not make a fault long', async () => {
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
      const { headers, body } = await answer(path)
      expect(`${body}`.length).toBeLessThan(600)
      expect(JSON.stringify(headers).length).toBeLessThan(1000)
    }
  })

  it('is no host that links could begin with', async () => {
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
      const { status, body } = await answer('/me/photos?limit=1', { host })
      if (status === 200) expect(JSON.parse(`${body}`).paging.next).toMatch(/^\/1\/photos/)
      else expect(JSON.parse(`${body}`).error.error_data.parameter).toBe('host')
    }
  })
})

describe('odd URLs', () => {
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
  ])('are faults of the client: %s', async url => {
    const { status, body } = await answer(url)
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
  ])('may be good ones: %s', async url => {
    expect(await answer(url)).toMatchObject({ status: 200 })
  })
})

describe('keys that every object has', () => {
  it('are parameters like others', async () => {
    const body = '{"__proto__":{"method":"get"},"constructor":"x","toString":1,"method":"get","fields":"id"}'
    expect(jsonOf(await ask('/me', { ...json(null), body }))).toEqual({ id: ADA })
    expect(await world.reasonOf('/me', { ...json(null), body: '{"__proto__":{"method":"get"}}' })).toBe(
      'method_not_supported',
    )
    expect({}).not.toHaveProperty('method')
  })

  it('are no headers of a request in a batch', async () => {
    const headers = ['__proto__: x', 'constructor: x', { name: '__proto__', value: 'x' }]
    const [one] = await batchAsker(world)([{ relative_url: 'me?fields=id', headers }])
    expect(one?.body).toEqual({ id: ADA })
  })
})

describe('a token', () => {
  it('is in no answer, header, log or event but where the query had it', async () => {
    const events: ReadEvent[] = []
    const watched = await serveWorld({ graph: { onRead: event => events.push(event) } })
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
        await watched.ask(path),
        await watched.send(path, form({ method: 'get', access_token: secret })),
        await watched.send(`${path}${path.includes('?') ? '&' : '?'}access_token=${secret}x`),
        await watched.ask('/', form({ batch: JSON.stringify([{ relative_url: path }]) })),
      ])
        texts.push(reply.text, JSON.stringify([...reply.headers]))
    }
    for (const text of texts) expect(text).not.toContain(secret)
    expect(watched.faults.length).toBeGreaterThan(10)
    for (const { message, stack, data, cause } of watched.faults)
      expect(`${message}${stack}${JSON.stringify(data)}${cause}`).not.toContain(secret)
    expect(JSON.stringify(events)).not.toContain(secret)
  })

  it('that came in the wrong place is not told again', async () => {
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
        const { headers, body } = await answer(path)
        const told = `${JSON.stringify(headers)}${body}`
        expect(told).toContain('error')
        for (const text of [token.slice(0, 20), 'the secret of demo']) expect(told).not.toContain(text)
      }
  })

  it('of another is never told to whom asks about it', async () => {
    const { text } = await send(`/debug_token?input_token=${token}&access_token=nobody`)
    expect(text).not.toContain(token)
  })
})

describe('what goes wrong inside', () => {
  it('is told to the listener, and to no client', async () => {
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
      const { status, headers, text } = await broken.ask(path)
      expect(status).toBe(503)
      expect(text + JSON.stringify([...headers])).not.toMatch(/ECONNREFUSED|10\.0\.0\.7|\.ts|at /)
      expect(JSON.parse(text).error).toMatchObject({ code: 2, is_transient: true })
      expect(headers.has('www-authenticate')).toBe(false)
    }
    expect(String(broken.faults[0]?.cause)).toContain('ECONNREFUSED')
  })

  it('does not change because a listener throws', async () => {
    const { ask: get } = await serveWorld({
      onFault: () => {
        throw new Error('the log is full')
      },
    })
    expect((await get('/999')).status).toBe(400)
  })

  it('of a body that somebody else has read is a fault of the service', async () => {
    const request = new Request('http://graph.test/', form({ batch: '[]' }))
    await request.text()
    expect((await handler(request)).status).toBe(500)
    expect(String(world.faults.at(-1)?.cause)).toContain('a request whose body nobody has read')
  })

  it('of a closed graph is a fault of the service', async () => {
    const closed = await serveWorld()
    await closed.graph.close()
    const { status, text } = await closed.ask('/me')
    expect(status).toBe(500)
    expect(JSON.parse(text).error.message).toBe(
      '(#1) An unexpected error occurred; the trace id finds it in the log',
    )
  })
})
