import { describe, expect, it } from 'vitest'
import { createFormRequest, createJsonRequest, parseJson, serveWorld } from './served-world.ts'

const { sendAsAda, send, token } = await serveWorld()

describe('every response of the handler', () => {
  it('has headers for JSON, private caching and the version', async () => {
    for (const path of [
      '/me',
      '/me/friends',
      '/?ids=me',
      '/likes?ids=me',
      '/me/permissions',
      '/999',
      '/a/b/c',
    ]) {
      const { status, headers } = await sendAsAda(path)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/json; charset=UTF-8',
        'x-content-type-options': 'nosniff',
        'cache-control': status === 200 ? 'private' : 'private, no-store',
        vary: 'Authorization, kithgraph-links',
        'facebook-api-version': 'v1.0',
        'x-fb-trace-id': expect.stringMatching(/^[0-9a-f]{16}$/),
      })
    }
  })

  it('has the trace id of its headers in the body of an error', async () => {
    const { headers, text } = await sendAsAda('/999')
    expect(JSON.parse(text).error.fbtrace_id).toBe(headers.get('x-fb-trace-id'))
  })
})

describe('the header WWW-Authenticate', () => {
  it('contains invalid_token or invalid_request and the message', async () => {
    expect((await send('/me?access_token=x')).headers.get('www-authenticate')).toBe(
      'OAuth "Facebook Platform" "invalid_token" "Invalid OAuth access token"',
    )
    expect((await sendAsAda('/me?fields=nmae')).headers.get('www-authenticate')).toBe(
      'OAuth "Facebook Platform" "invalid_request" "(#100) Tried accessing nonexisting field (nmae) on node type (user|page); did you mean name?"',
    )
  })

  it('escapes quotes, and contains only printable ASCII', async () => {
    const quotes = await sendAsAda('/me?fields=a{b}{c}')
    expect(quotes.headers.get('www-authenticate')).toContain('\\"')
    const { headers } = await sendAsAda(`/${encodeURIComponent('"\\é\u{1f600}\r\nX: y')}`)
    const text = `${headers.get('www-authenticate')}`
    expect(text).toMatch(/^[\x20-\x7e]+$/)
    expect(text.replaceAll(/\\./g, '').match(/"/g)).toHaveLength(6)
  })

  it('is absent from a response without an error', async () => {
    expect((await sendAsAda('/me')).headers.has('www-authenticate')).toBe(false)
  })
})

describe('an ETag', () => {
  it('is strong, equal for equal bodies, and different for different bodies', async () => {
    const [one, same, other, pretty] = await Promise.all(
      ['/me', '/me', '/2', '/me?pretty=1'].map(async path => (await sendAsAda(path)).headers.get('etag')),
    )
    expect(one).toMatch(/^"[0-9a-f]+"$/)
    expect(same).toBe(one)
    expect(new Set([one, other, pretty]).size).toBe(3)
  })

  it('leads to status 304 without a body if the client already has it', async () => {
    const etag = `${(await sendAsAda('/me')).headers.get('etag')}`
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, text, headers } = await sendAsAda('/me', { headers: { 'if-none-match': known } })
      expect([status, text]).toEqual([304, ''])
      expect(Object.fromEntries(headers)).toMatchObject({
        etag,
        'cache-control': 'private',
        vary: 'Authorization, kithgraph-links',
        'facebook-api-version': 'v1.0',
      })
      expect(headers.has('content-type')).toBe(false)
    }
  })

  it('leads to a full response if the client has another one', async () => {
    for (const other of ['"other"', '', ',,,', '"']) {
      expect((await sendAsAda('/me', { headers: { 'if-none-match': other } })).status).toBe(200)
    }
  })

  it('leads to status 304 only for GET and HEAD', async () => {
    const known = { 'if-none-match': '*' }
    expect((await sendAsAda('/me', { method: 'HEAD', headers: known })).status).toBe(304)
    expect((await sendAsAda('/me', { ...createFormRequest({ method: 'get' }), headers: known })).status).toBe(
      200,
    )
    const batch = createFormRequest({ batch: JSON.stringify([{ relative_url: 'me' }]) })
    expect((await sendAsAda('/', { ...batch, headers: known })).status).toBe(200)
  })

  it('is absent from errors', async () => {
    const { status, headers } = await sendAsAda('/999', { headers: { 'if-none-match': '*' } })
    expect(status).toBe(400)
    expect(headers.has('etag')).toBe(false)
  })
})

describe('the body of an error', () => {
  it('has its members in the order of the classic protocol', async () => {
    const { error } = parseJson(await sendAsAda('/999'))
    expect(Object.keys(error)).toEqual([
      'message',
      'type',
      'code',
      'error_subcode',
      'error_data',
      'fbtrace_id',
    ])
    expect(error.error_data).toEqual({ reason: 'node_not_found', id: '999' })
  })

  it('has the reason invalid_parameter for an invalid JSON or multipart body of a request', async () => {
    const bad = (type: string, body: string) => ({ method: 'POST', body, headers: { 'content-type': type } })
    for (const init of [
      bad('application/json', '{'),
      bad('application/json', '[]'),
      bad('application/json', '"x"'),
      bad('multipart/form-data', 'x'),
      bad('multipart/form-data; boundary=b', 'x'),
    ]) {
      const { error } = parseJson(await sendAsAda('/me', init))
      expect(error.error_data).toMatchObject({ reason: 'invalid_parameter', parameter: 'body' })
    }
  })

  it('is absent for a request body with unknown parameters, which are ignored', async () => {
    const preflight = {
      method: 'get',
      access_token: token,
      fields: 'id',
      nothing: null,
      extra: { a: [1] },
      flag: true,
    }
    expect((await send('/me', createJsonRequest(preflight))).status).toBe(200)
    expect((await sendAsAda('/me', createFormRequest({ method: 'get', metadata: 'true' }))).status).toBe(200)
  })
})
