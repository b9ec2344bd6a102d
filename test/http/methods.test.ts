import { describe, expect, it } from 'vitest'
import { ADA } from '../helpers/world.ts'
import { createFormRequest, createJsonRequest, serveWorld } from './served-world.ts'

const { sendAsAda, read, reasonOf, send, handler, token } = await serveWorld()

describe('the method of a request', () => {
  it('is named in an error if it is not a method for reading', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, text } = await sendAsAda('/me', { method })
      expect(status).toBe(400)
      expect(JSON.parse(text).error).toMatchObject({
        message: `Unsupported ${method.toLowerCase()} request. Use GET to read this graph`,
        type: 'GraphMethodException',
        code: 100,
        error_subcode: 33,
        error_data: { reason: 'method_not_supported' },
      })
    }
  })

  it('can be a parameter, in upper or lower case', async () => {
    for (const method of ['get', 'GET', 'Get']) {
      expect(await read('/me?fields=id', createFormRequest({ method }))).toEqual({ id: ADA })
      expect(await read(`/me?fields=id&method=${method}`, { method: 'POST' })).toEqual({ id: ADA })
      expect(await read('/me', createJsonRequest({ method, fields: 'id' }))).toEqual({ id: ADA })
    }
    expect(await reasonOf('/me', createFormRequest({ method: 'delete' }))).toBe('method_not_supported')
  })

  it('cannot be another one than GET or HEAD in a request that is sent as GET or HEAD, not even for a batch', async () => {
    const batch = encodeURIComponent('[{"relative_url":"me"}]')
    for (const sent of ['GET', 'HEAD'])
      for (const method of ['post', 'POST', 'delete', 'put', 'x']) {
        const { status, headers } = await sendAsAda(`/?method=${method}&batch=${batch}`, { method: sent })
        expect([status, headers.get('www-authenticate')]).toEqual([
          400,
          expect.stringContaining(`Unsupported ${method.toLowerCase()} request.`),
        ])
      }
    for (const method of ['get', 'HEAD'])
      expect(await read(`/me?fields=id&method=${method}`)).toEqual({ id: ADA })
  })

  it('cannot be replaced by a parameter in requests other than POST', async () => {
    for (const method of ['DELETE', 'PUT'])
      expect(await reasonOf('/me?method=get', { method })).toBe('method_not_supported')
  })

  it('is not repeated in an error if it is not a word', async () => {
    const { text } = await sendAsAda(`/me?method=${encodeURIComponent('<b>"x\r\n')}`, { method: 'POST' })
    expect(JSON.parse(text).error.message).toBe('Unsupported request. Use GET to read this graph')
  })
})

describe('the body of a DELETE request', () => {
  it('is read like that of a POST request, through every way into the handler', async () => {
    const form = { method: 'DELETE', body: 'ids=1&ids=2' }
    expect(await reasonOf('/me', form)).toBe('invalid_parameter')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { body } = await handler.respond({ ...form, url: '/me', headers })
    expect(JSON.parse(body ?? '').error.error_data.parameter).toBe('ids')
    expect(await reasonOf('/me', { ...createJsonRequest('x'), method: 'DELETE' })).toBe('invalid_parameter')
  })
})

describe('a file in the body of a request', () => {
  it('is an invalid parameter that is named like the part', async () => {
    const body = new FormData()
    body.append('method', 'get')
    body.append('source', new Blob(['x']), 'x.png')
    const { error } = await read('/me', { method: 'POST', body })
    expect(error.message).toBe('(#100) Invalid parameter "source": must be a value; received a file')
    expect(error.error_data).toMatchObject({ reason: 'invalid_parameter', parameter: 'source' })
    const { text } = await send('/me', { method: 'POST', body })
    expect(JSON.parse(text).error.error_data.reason).toBe('token_missing')
  })
})

describe('the body of a GET request', () => {
  it('is ignored, since some clients send one', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    for (const body of ['{"fields":"nmae"}', '{', new Uint8Array([0xff])]) {
      const { status, body: text } = await handler.respond({
        method: 'GET',
        url: '/me?fields=id',
        headers,
        body,
      })
      expect([status, text]).toEqual([200, `{"id":"${ADA}"}`])
    }
  })
})

describe('a HEAD request', () => {
  it('gets the response of GET without its body', async () => {
    for (const path of ['/me', '/me/friends', '/999', '/me/picture', '/default-picture.svg']) {
      const { status, headers } = await sendAsAda(path, { redirect: 'manual' })
      const head = await sendAsAda(path, { method: 'HEAD' })
      expect(head.text).toBe('')
      expect(head.status).toBe(status)
      const shown = (all: Headers) => [...all].filter(([name]) => name !== 'x-fb-trace-id' && name !== 'date')
      expect(shown(head.headers)).toEqual(shown(headers))
    }
  })
})

describe('an OPTIONS request', () => {
  it('needs no token, and allows no other origin by default', async () => {
    const { status, headers, text } = await send('/me', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
    })
    expect([status, text]).toEqual([204, ''])
    expect(headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
    expect([...headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
  })
})

describe('a request from another origin', () => {
  const origin = 'https://app.example'
  const list = { cors: { origin: [origin], maxAge: 60 } }

  it('gets the allowed methods and headers in a preflight if its origin is listed', async () => {
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

  it('gets the CORS headers with results and with errors', async () => {
    const world = await serveWorld(list)
    for (const path of ['/me', '/999']) {
      const { headers } = await world.sendAsAda(path, { headers: { origin } })
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(headers.get('access-control-expose-headers')).toContain('x-fb-trace-id')
      expect(headers.has('access-control-allow-credentials')).toBe(false)
    }
  })

  it('gets the CORS headers even if its body is too large', async () => {
    const world = await serveWorld({ ...list, limits: { body: 10 } })
    const { status, headers } = await world.sendAsAda('/', {
      ...createFormRequest({ batch: '[]' }),
      headers: { origin },
    })
    expect(status).toBe(413)
    expect(headers.get('access-control-allow-origin')).toBe(origin)
  })

  it('gets no CORS headers if its origin is not listed, whatever it resembles', async () => {
    const world = await serveWorld(list)
    for (const other of [
      'https://app.example.evil',
      'http://app.example',
      'https://APP.example',
      'null',
      '',
    ]) {
      const { headers } = await world.sendAsAda('/me', { headers: { origin: other } })
      expect(headers.has('access-control-allow-origin')).toBe(false)
      expect(headers.get('vary')).toBe('Authorization, kithgraph-links, Origin')
    }
  })

  it('is allowed for every origin with "*"', async () => {
    const world = await serveWorld({ cors: { origin: '*' } })
    const { headers } = await world.sendAsAda('/me', { headers: { origin } })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('vary')).toBe('Authorization, kithgraph-links')
  })
})
