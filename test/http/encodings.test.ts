import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Handler } from '../../src/http/index.ts'
import { ADA } from '../helpers/world.ts'
import { listenWithHandler } from './raw-sockets.ts'
import { parseJson, serveWorld } from './served-world.ts'

const KILOBYTE = 1024
const world = await serveWorld({ limits: { body: 100 * KILOBYTE, bodyTimeMs: 60_000 } })
const { handler, token } = world
const hastyHandler = await serveWorld({ limits: { bodyTimeMs: 200 } })

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const encoded = (fields: { readonly [name: string]: string }): string => `${new URLSearchParams(fields)}`
const FORM_FIELDS = encoded({ method: 'get', fields: 'id', access_token: token })

/** The two ways to send a request to the handler. */
const ways: readonly [string, (handler: Handler, init: RequestInit) => Promise<Response>][] = [
  ['a Request', (handler, init) => handler(new Request('http://graph.test/me', init))],
  [
    'a socket',
    async (handler, init) => {
      await using server = await listenWithHandler(handler)
      const response = await fetch(`${server.origin}/me`, init)
      return new Response(await response.text(), { status: response.status })
    },
  ],
]

describe.each(ways)('a compressed body over %s', (_name, send) => {
  const sendEncoded = async (body: NonNullable<RequestInit['body']>, encoding: string, by = handler) => {
    const headers = { ...FORM, 'content-encoding': encoding }
    const init = { method: 'POST', headers, body, duplex: 'half' } as const
    const response = await send(by, init)
    const text = await response.text()
    return response.status === 200 ? text : parseJson({ text }).error.error_data
  }

  it('is decompressed if its encoding is gzip', async () => {
    for (const encoding of ['gzip', 'GZIP', 'x-gzip'])
      expect(await sendEncoded(gzipSync(FORM_FIELDS), encoding)).toBe(`{"id":"${ADA}"}`)
    expect(await sendEncoded(FORM_FIELDS, 'identity')).toBe(`{"id":"${ADA}"}`)
  })

  it('has the size limit of an uncompressed body', async () => {
    const large = (size: number) => gzipSync(`${FORM_FIELDS}&x=${'x'.repeat(size)}`)
    expect(await sendEncoded(large(90 * KILOBYTE), 'gzip')).toBe(`{"id":"${ADA}"}`)
    const tooLarge = { reason: 'request_too_large', limit: 100 * KILOBYTE }
    expect(await sendEncoded(large(100 * KILOBYTE), 'gzip')).toEqual(tooLarge)
    expect(await sendEncoded(large(50_000 * KILOBYTE), 'gzip')).toEqual(tooLarge)
    // Without a limit on the compressed bytes, empty gzip members would be read endlessly.
    const empty = gzipSync('')
    expect(await sendEncoded(Buffer.concat(Array(20_000).fill(empty)), 'gzip')).toEqual(tooLarge)
  })

  it('has the time limit of an uncompressed body', async () => {
    const compressed = gzipSync(FORM_FIELDS)
    const slow = new ReadableStream({ start: controller => controller.enqueue(compressed.subarray(0, 20)) })
    expect(await sendEncoded(slow, 'gzip', hastyHandler.handler)).toMatchObject({
      reason: 'request_too_slow',
    })
  })

  it('is rejected if it is not gzip, or if its encoding is not supported', async () => {
    const none = { reason: 'invalid_parameter', parameter: 'body' }
    expect(await sendEncoded(FORM_FIELDS, 'gzip')).toMatchObject(none)
    expect(await sendEncoded(gzipSync(FORM_FIELDS).subarray(0, 40), 'gzip')).toMatchObject(none)
    for (const encoding of ['br', 'deflate', 'gzip, gzip'])
      expect(await sendEncoded(gzipSync(FORM_FIELDS), encoding)).toEqual({
        reason: 'invalid_parameter',
        parameter: 'content-encoding',
        expected: '"gzip" or "identity"',
        received: 'another encoding',
      })
  })
})

describe('a multipart form', () => {
  const BOUNDARY = '3i2ndDfv2rTHiSisAbouNdArYfORhtTPEefj3q2f'
  const parts = (fields: { readonly [name: string]: string }): string =>
    Object.entries(fields)
      .map(
        ([name, text]) =>
          `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
      )
      .join('')
  const body = parts({ method: 'get', fields: 'id' })
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

  it.each(['--\r\n', '--', '\r\n', ''])('may have %j after its last boundary', async end => {
    const whole = `${body}--${BOUNDARY}${end}`
    expect(await world.read('/me', { method: 'POST', headers, body: whole })).toEqual({ id: ADA })
  })

  it('is rejected if it ends before its last boundary', async () => {
    const cut = { method: 'POST', headers, body: body.slice(0, -10) }
    expect(await world.reasonOf('/me', cut)).toBe('invalid_parameter')
  })
})
