import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { ADA } from '../helpers/world.ts'
import { settings } from '../property/settings.ts'
import { exchangeRaw, listen } from './listening.ts'
import { requestsWith } from './request-arbitraries.ts'
import { serveWorld } from './served-world.ts'

const { handler, token } = await serveWorld({ limits: { bodyTime: 200 } })
const { port, origin, close } = await listen(handler)
afterAll(close)

/** A request as it goes over the wire; its length is that of its body, or it has none. */
const bytes = requestsWith(token).map(({ method, url, headers, body }) => {
  const text = typeof body === 'string' ? body : ''
  const lines = Object.entries({ host: 'graph.test', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const length = text === '' ? '' : `Content-Length: ${Buffer.byteLength(text)}\r\n`
  return `${method} ${url} HTTP/1.1\r\n${lines.join('')}${length}Connection: close\r\n\r\n${text}`
})

describe('any bytes that are meant for a request', () => {
  it('are answered, and the next client is', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, async request => {
        // What is no request at all is answered by the server itself, or by the end of the connection.
        const text = await exchangeRaw(port, [request], { done: came => came.includes('\r\n\r\n') })
        expect(text).toMatch(/^(?:HTTP\/1\.1 [1-4]\d\d |$)/)
        const next = await fetch(`${origin}/me?fields=id&access_token=${token}`)
        expect(await next.json()).toEqual({ id: ADA })
      }),
      settings(200, 5000),
    )
  })
})
