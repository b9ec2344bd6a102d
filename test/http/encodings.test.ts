import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Handler } from '../../src/http/index.ts'
import { ADA } from '../helpers/world.ts'
import { listen } from './listening.ts'
import { jsonOf, serveWorld } from './served-world.ts'

const KILOBYTE = 1024
const world = await serveWorld({ limits: { body: 100 * KILOBYTE, bodyTime: 60_000 } })
const { handler, token } = world
const hasty = await serveWorld({ limits: { bodyTime: 200 } })

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const encoded = (fields: { readonly [name: string]: string }): string => `${new URLSearchParams(fields)}`
const asked = encoded({ method: 'get', fields: 'id', access_token: token })

/** Both ways to send a request to the handler. */
const ways: readonly [string, (handler: Handler, init: RequestInit) => Promise<Response>][] = [
  ['a Request', (handler, init) => handler(new Request('http://graph.test/me', init))],
  [
    'a socket',
    async (handler, init) => {
      await using server = await listen(handler)
      const response = await fetch(`${server.origin}/me`, init)
      return new Response(await response.text(), { status: response.status })
    },
  ],
]

describe.each(ways)('a body that comes compressed over %s', (_name, send) => {
  const told = async (body: NonNullable<RequestInit['body']>, encoding: string, by = handler) => {
    const headers = { ...FORM, 'content-encoding': encoding }
    const init = { method: 'POST', headers, body, duplex: 'half' } as const
    const response = await send(by, init)
    const text = await response.text()
    return response.status === 200 ? text : jsonOf({ text }).error.error_data
  }

  it('by gzip is read as it was', async () => {
    for (const encoding of ['gzip', 'GZIP', 'x-gzip'])
      expect(await told(gzipSync(asked), encoding)).toBe(`{"id":"${ADA}"}`)
    expect(await told(asked, 'identity')).toBe(`{"id":"${ADA}"}`)
  })

  it('may be as large as one that does not', async () => {
    const large = (size: number) => gzipSync(`${asked}&x=${'x'.repeat(size)}`)
    expect(await told(large(90 * KILOBYTE), 'gzip')).toBe(`{"id":"${ADA}"}`)
    const tooLarge = { reason: 'request_too_large', limit: 100 * KILOBYTE }
    expect(await told(large(100 * KILOBYTE), 'gzip')).toEqual(tooLarge)
    expect(await told(large(50_000 * KILOBYTE), 'gzip')).toEqual(tooLarge)
    // Members without content are read to no end otherwise.
    const empty = gzipSync('')
    expect(await told(Buffer.concat(Array(20_000).fill(empty)), 'gzip')).toEqual(tooLarge)
  })

  it('has to come in time', async () => {
    const compressed = gzipSync(asked)
    const slow = new ReadableStream({ start: controller => controller.enqueue(compressed.subarray(0, 20)) })
    expect(await told(slow, 'gzip', hasty.handler)).toMatchObject({ reason: 'request_too_slow' })
  })

  it('is refused where it is none, or in another way', async () => {
    const none = { reason: 'bad_parameter', parameter: 'body' }
    expect(await told(asked, 'gzip')).toMatchObject(none)
    expect(await told(gzipSync(asked).subarray(0, 40), 'gzip')).toMatchObject(none)
    for (const encoding of ['br', 'deflate', 'gzip, gzip'])
      expect(await told(gzipSync(asked), encoding)).toEqual({
        reason: 'bad_parameter',
        parameter: 'content-encoding',
        expected: 'gzip or identity',
        came: 'another',
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

  it.each(['--\r\n', '--', '\r\n', ''])('may end in %j behind its last boundary', async end => {
    const whole = `${body}--${BOUNDARY}${end}`
    expect(await world.read('/me', { method: 'POST', headers, body: whole })).toEqual({ id: ADA })
  })

  it('may not end before', async () => {
    const cut = { method: 'POST', headers, body: body.slice(0, -10) }
    expect(await world.reasonOf('/me', cut)).toBe('bad_parameter')
  })
})
