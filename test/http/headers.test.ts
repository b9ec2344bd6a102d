import { describe, expect, it } from 'vitest'
import { form, json, jsonOf, serveWorld } from './served-world.ts'

const { ask, send, token } = await serveWorld()

describe('every answer', () => {
  it('says that it is JSON, private, and of which version', async () => {
    for (const path of [
      '/me',
      '/me/friends',
      '/?ids=me',
      '/likes?ids=me',
      '/me/permissions',
      '/999',
      '/a/b/c',
    ]) {
      const { status, headers } = await ask(path)
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

  it('that is a fault says the same trace id in its body', async () => {
    const { headers, text } = await ask('/999')
    expect(JSON.parse(text).error.fbtrace_id).toBe(headers.get('x-fb-trace-id'))
  })
})

describe('WWW-Authenticate', () => {
  it('says why, by one of two words', async () => {
    expect((await send('/me?access_token=x')).headers.get('www-authenticate')).toBe(
      'OAuth "Facebook Platform" "invalid_token" "Invalid OAuth access token"',
    )
    expect((await ask('/me?fields=nmae')).headers.get('www-authenticate')).toBe(
      'OAuth "Facebook Platform" "invalid_request" "(#100) Tried accessing nonexisting field (nmae) on node type (user|page); did you mean name?"',
    )
  })

  it('escapes what a message quotes, and holds printable ASCII alone', async () => {
    const quotes = await ask('/me?fields=a{b}{c}')
    expect(quotes.headers.get('www-authenticate')).toContain('\\"')
    const { headers } = await ask(`/${encodeURIComponent('"\\é\u{1f600}\r\nX: y')}`)
    const text = `${headers.get('www-authenticate')}`
    expect(text).toMatch(/^[\x20-\x7e]+$/)
    expect(text.replaceAll(/\\./g, '').match(/"/g)).toHaveLength(6)
  })

  it('is not there where nothing is wrong', async () => {
    expect((await ask('/me')).headers.has('www-authenticate')).toBe(false)
  })
})

describe('an ETag', () => {
  it('is strong, the same for the same body, and another for another', async () => {
    const [one, same, other, pretty] = await Promise.all(
      ['/me', '/me', '/2', '/me?pretty=1'].map(async path => (await ask(path)).headers.get('etag')),
    )
    expect(one).toMatch(/^"[0-9a-f]+"$/)
    expect(same).toBe(one)
    expect(new Set([one, other, pretty]).size).toBe(3)
  })

  it('that the client has is answered by 304 without a body', async () => {
    const etag = `${(await ask('/me')).headers.get('etag')}`
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, text, headers } = await ask('/me', { headers: { 'if-none-match': known } })
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

  it('that is another is answered in full', async () => {
    for (const other of ['"other"', '', ',,,', '"']) {
      expect((await ask('/me', { headers: { 'if-none-match': other } })).status).toBe(200)
    }
  })

  it('is of no use to what is no GET or HEAD on the way', async () => {
    const known = { 'if-none-match': '*' }
    expect((await ask('/me', { method: 'HEAD', headers: known })).status).toBe(304)
    expect((await ask('/me', { ...form({ method: 'get' }), headers: known })).status).toBe(200)
    const batch = form({ batch: JSON.stringify([{ relative_url: 'me' }]) })
    expect((await ask('/', { ...batch, headers: known })).status).toBe(200)
  })

  it('is not for faults', async () => {
    const { status, headers } = await ask('/999', { headers: { 'if-none-match': '*' } })
    expect(status).toBe(400)
    expect(headers.has('etag')).toBe(false)
  })
})

describe('the envelope of a fault', () => {
  it('has its members in the order of the classic one', async () => {
    const { error } = jsonOf(await ask('/999'))
    expect(Object.keys(error)).toEqual([
      'message',
      'type',
      'code',
      'error_subcode',
      'error_data',
      'fbtrace_id',
    ])
    expect(error.error_data).toEqual({ reason: 'node_missing', id: '999' })
  })

  it('is the same for a body that is none, of each type', async () => {
    const bad = (type: string, body: string) => ({ method: 'POST', body, headers: { 'content-type': type } })
    for (const init of [
      bad('application/json', '{'),
      bad('application/json', '[]'),
      bad('application/json', '"x"'),
      bad('multipart/form-data', 'x'),
      bad('multipart/form-data; boundary=b', 'x'),
    ]) {
      const { error } = jsonOf(await ask('/me', init))
      expect(error.error_data).toMatchObject({ reason: 'bad_parameter', parameter: 'body' })
    }
  })

  it('does not come for members that JSON bodies have and nobody needs', async () => {
    const asked = {
      method: 'get',
      access_token: token,
      fields: 'id',
      nothing: null,
      more: { a: [1] },
      flag: true,
    }
    expect((await send('/me', json(asked))).status).toBe(200)
    expect((await ask('/me', form({ method: 'get', metadata: 'true' }))).status).toBe(200)
  })
})
