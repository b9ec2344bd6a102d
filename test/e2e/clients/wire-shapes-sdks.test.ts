import { RateLimiterMemory } from 'rate-limiter-flexible'
import { afterAll, describe, expect, it } from 'vitest'
import { sendRawRequest } from '../../helpers/raw-request.ts'
import { serveWorld } from '../../helpers/served-world.ts'
import { ADA, ALAN, GRACE, NEWEST_FIRST, NOBODY } from '../../helpers/world.ts'
import { createWireClient, FORM, form, idsIn, JSON_BODY } from './wire-client.ts'

/**
 * The exact requests of SDKs for the Graph API, and the parts of the responses that they read. These SDKs
 * cannot run here, because they are written in other languages or use a fixed host.
 */

const { send, get, post, readAllPages, afterHost, proof, token, unscopedToken, stop } =
  await createWireClient()
afterAll(stop)

describe('a replay of the business SDK for JavaScript', () => {
  it('follows links unchanged, without adding a token', async () => {
    const first = `/v26.0/me/photos?access_token=${token}&fields=id&limit=50`
    expect(await readAllPages(first, afterHost)).toEqual(NEWEST_FIRST)
  })

  it('requests several ids with an empty path, as JSON', async () => {
    const ids = encodeURIComponent(JSON.stringify([ADA, GRACE]))
    const { body } = await get(`/v26.0/?access_token=${token}&fields=name&ids=${ids}`)
    expect(body[GRACE]).toEqual({ name: 'Grace Hopper', id: GRACE })
  })

  it('sends a batch as JSON with the token in the query', async () => {
    const batch = [{ method: 'GET', relative_url: '/v26.0/me?fields=name', name: 'me', attached_files: '' }]
    const { body } = await post(`/v26.0/?access_token=${token}`, {
      headers: JSON_BODY,
      body: JSON.stringify({ batch, include_headers: true }),
    })
    expect(JSON.parse(body[0].body)).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('reads the code and the message of an error', async () => {
    const { body, status } = await get(`/v26.0/me?access_token=${token}&fields=nmae`)
    expect([status, body.error.code]).toEqual([400, 100])
    expect(body.error.message).toMatch(/^\(#100\) .*nmae/)
  })
})

describe('a replay of the business SDK for Python', () => {
  it('requests a summary with each page, and follows the cursor while there is a next link', async () => {
    const ids: string[] = []
    let after = ''
    for (;;) {
      const { body } = await get(
        `/v26.0/me/photos?access_token=${token}&limit=25&summary=true&fields=id${after}`,
      )
      expect(body.summary.total_count).toBe(NEWEST_FIRST.length)
      ids.push(...idsIn(body))
      if (!('next' in body.paging) || !('after' in body.paging.cursors)) break
      after = `&after=${encodeURIComponent(body.paging.cursors.after)}`
    }
    expect(ids).toEqual(NEWEST_FIRST)
  })

  it('sends headers of batch items as objects, and accepts status 304', async () => {
    const item = (headers: readonly object[] = []) => ({
      method: 'GET',
      relative_url: 'me?fields=name',
      headers,
    })
    const batch = async (...items: object[]) =>
      (
        await post('/v26.0/', {
          headers: FORM,
          body: form({ access_token: token, batch: JSON.stringify(items) }),
        })
      ).body
    const [first] = await batch(item())
    const etag = first.headers.find(({ name }: { readonly name: string }) => name === 'ETag').value
    const [again] = await batch(item([{ name: 'If-None-Match', value: etag }]))
    expect([again.code, again.body]).toEqual([304, ''])
  })
})

describe('a replay of the PHP SDK', () => {
  it('sends batches with a token in each item and headers as lines', async () => {
    const item = (relative_url: string) => ({
      method: 'GET',
      relative_url: `/v2.10/${relative_url}?access_token=${token}&appsecret_proof=${proof}`,
      headers: ['X-Client: php'],
    })
    const batch = JSON.stringify([
      { ...item('me'), name: 'first', omit_response_on_success: false },
      item('me/friends'),
    ])
    const { body } = await post('/v2.10', {
      headers: FORM,
      body: form({ batch, include_headers: 'true', access_token: token, appsecret_proof: proof }),
    })
    expect(body.map((one: { readonly code: number }) => one.code)).toEqual([200, 200])
  })

  it('receives status 304 without a body for a matching ETag', async () => {
    const { headers } = await get(`/v2.10/me?access_token=${token}`)
    const again = await send(`/v2.10/me?access_token=${token}`, {
      headers: { 'If-None-Match': `${headers.etag}` },
    })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag])
  })
})

describe('a replay of the client restfb (Java)', () => {
  it('sends the token in a header and ids as a JSON array', async () => {
    const ids = encodeURIComponent(JSON.stringify([ADA, GRACE]))
    const { body } = await get(`/v2.12/?ids=${ids}&format=json`, { Authorization: `Bearer ${token}` })
    expect(Object.keys(body)).toEqual([ADA, GRACE])
  })

  it('receives `data` even on an empty page', async () => {
    const { body } = await get(`/v2.12/${ALAN}/photos?format=json&access_token=${token}`)
    expect(body).toEqual({ data: [] })
  })

  it('receives only the statuses that it supports', async () => {
    const paths = ['me', NOBODY, 'me/friends', 'me/nowhere', 'a/b/c', '', 'me?fields={', 'debug_token']
    const responses = await Promise.all(paths.map(path => send(`/v2.12/${path}`)))
    for (const { status } of responses) expect([200, 304, 400, 401, 403, 404, 500]).toContain(status)
  })
})

describe('a replay of the client Spring Social', () => {
  it('sends the token in an OAuth header', async () => {
    expect((await get('/v2.5/me', { Authorization: `OAuth ${token}` })).body).toHaveProperty('id', ADA)
  })
})

describe('a replay of the SDKs for Android and iOS', () => {
  it('sends batches as multipart forms with unknown parameters', async () => {
    const boundary = '3i2ndDfv2rTHiSisAbouNdArYfORhtTPEefj3q2f'
    const batch = JSON.stringify([
      {
        name: 'a',
        method: 'GET',
        relative_url: 'v19.0/me?fields=id&format=json&sdk=android',
        omit_response_on_success: false,
      },
      { method: 'GET', relative_url: 'v19.0/me/friends?limit=1&format=json&sdk=android' },
    ])
    const fields = {
      format: 'json',
      sdk: 'android',
      batch_app_id: 'demo',
      include_headers: 'false',
      access_token: token,
      batch,
    }
    const parts = Object.entries(fields).map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const { body } = await post('/v19.0', {
      headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
      body: `${parts.join('')}--${boundary}--\r\n`,
    })
    expect(body).toEqual([
      { code: 200, body: JSON.stringify({ id: ADA }) },
      { code: 200, body: expect.stringContaining(`"id":"${ALAN}"`) },
    ])
  })
})

describe('a replay of the client huandu/facebook (Go)', () => {
  it('requests debug messages, and reads them from the result', async () => {
    const { body } = await get('/v2.8/me?fields=name,email&debug=all', {
      Authorization: `Bearer ${unscopedToken}`,
    })
    expect(body).toMatchObject({ name: 'Ada Lovelace', __debug__: { messages: [{ type: 'warning' }] } })
  })

  it('follows links without a token by sending it in a header', async () => {
    const headers = { Authorization: `Bearer ${token}` }
    const first = (await get('/v2.8/me/photos?limit=50', headers)).body
    expect(first.paging.next).not.toContain('access_token')
    const second = (await get(afterHost(first.paging.next), headers)).body
    expect([...idsIn(first), ...idsIn(second)]).toEqual(NEWEST_FIRST)
  })

  it('reads the used share of a rate limit', async () => {
    const rateLimit = { app: new RateLimiterMemory({ points: 200, duration: 3600 }) }
    const limited = await serveWorld({ rateLimit })
    const response = await sendRawRequest(limited.origin, `/me/photos?limit=99&access_token=${limited.token}`)
    const { call_count, ...times } = JSON.parse(`${response.headers['x-app-usage']}`)
    expect([call_count, Object.keys(times)]).toEqual([50, ['total_time', 'total_cputime']])
    await limited.stop()
  })
})
