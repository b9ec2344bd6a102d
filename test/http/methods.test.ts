import { describe, expect, it } from 'vitest'
import { ADA } from '../helpers/world.ts'
import { form, json, serveWorld } from './served-world.ts'

const { ask, read, reasonOf, send, handler, token } = await serveWorld()

describe('a method', () => {
  it('other than those for reading is a fault that names it', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, text } = await ask('/me', { method })
      expect(status).toBe(400)
      expect(JSON.parse(text).error).toMatchObject({
        message: `Unsupported ${method.toLowerCase()} request. This graph is read by GET`,
        type: 'GraphMethodException',
        code: 100,
        error_subcode: 33,
        error_data: { reason: 'method_not_supported' },
      })
    }
  })

  it('may be said by a parameter, in any letters', async () => {
    for (const method of ['get', 'GET', 'Get']) {
      expect(await read('/me?fields=id', form({ method }))).toEqual({ id: ADA })
      expect(await read(`/me?fields=id&method=${method}`, { method: 'POST' })).toEqual({ id: ADA })
      expect(await read('/me', json({ method, fields: 'id' }))).toEqual({ id: ADA })
    }
    expect(await reasonOf('/me?method=delete')).toBe('method_not_supported')
    expect(await reasonOf('/me', form({ method: 'delete' }))).toBe('method_not_supported')
  })

  it('that is no word is not told', async () => {
    const { text } = await ask(`/me?method=${encodeURIComponent('<b>"x\r\n')}`)
    expect(JSON.parse(text).error.message).toBe('Unsupported request. This graph is read by GET')
  })
})

describe('the body of a GET', () => {
  it('is dropped, since clients send what they need not', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    for (const body of ['{"fields":"nmae"}', '{', new Uint8Array([0xff])]) {
      const { status, body: text } = await handler.answer({
        method: 'GET',
        url: '/me?fields=id',
        headers,
        body,
      })
      expect([status, text]).toEqual([200, `{"id":"${ADA}"}`])
    }
  })
})

describe('HEAD', () => {
  it('is GET without the body', async () => {
    for (const path of ['/me', '/me/friends', '/999', '/me/picture', '/silhouette.svg']) {
      const { status, headers } = await ask(path, { redirect: 'manual' })
      const head = await ask(path, { method: 'HEAD' })
      expect(head.text).toBe('')
      expect(head.status).toBe(status)
      const shown = (all: Headers) => [...all].filter(([name]) => name !== 'x-fb-trace-id' && name !== 'date')
      expect(shown(head.headers)).toEqual(shown(headers))
    }
  })
})

describe('OPTIONS', () => {
  it('is answered without a token, and lets no other origin in by default', async () => {
    const { status, headers, text } = await send('/me', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
    })
    expect([status, text]).toEqual([204, ''])
    expect(headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
    expect([...headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
  })
})

describe('other origins', () => {
  const origin = 'https://app.example'
  const list = { cors: { origin: [origin], maxAge: 60 } }

  it('may call where they are listed, and are told what they may send', async () => {
    const world = await serveWorld(list)
    const { headers } = await world.send('/me', { method: 'OPTIONS', headers: { origin } })
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      'access-control-allow-headers': expect.stringContaining('Authorization'),
      'access-control-max-age': '60',
      vary: 'Authorization, kithgraph-links, Origin',
    })
  })

  it('get the headers with answers and with faults', async () => {
    const world = await serveWorld(list)
    for (const path of ['/me', '/999']) {
      const { headers } = await world.ask(path, { headers: { origin } })
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(headers.get('access-control-expose-headers')).toContain('x-fb-trace-id')
      expect(headers.has('access-control-allow-credentials')).toBe(false)
    }
  })

  it('get them with what is too large to be read, too', async () => {
    const world = await serveWorld({ ...list, limits: { body: 10 } })
    const { status, headers } = await world.ask('/', { ...form({ batch: '[]' }), headers: { origin } })
    expect(status).toBe(413)
    expect(headers.get('access-control-allow-origin')).toBe(origin)
  })

  it('that are not listed get nothing, whatever they resemble', async () => {
    const world = await serveWorld(list)
    for (const other of [
      'https://app.example.evil',
      'http://app.example',
      'https://APP.example',
      'null',
      '',
    ]) {
      const { headers } = await world.ask('/me', { headers: { origin: other } })
      expect(headers.has('access-control-allow-origin')).toBe(false)
      expect(headers.get('vary')).toBe('Authorization, kithgraph-links, Origin')
    }
  })

  it('may all call where a star says so', async () => {
    const world = await serveWorld({ cors: { origin: '*' } })
    const { headers } = await world.ask('/me', { headers: { origin } })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('vary')).toBe('Authorization, kithgraph-links')
  })
})
