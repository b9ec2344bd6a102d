import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { ADA } from '../helpers/world.ts'
import { propertySettings } from '../property/property-settings.ts'
import { listenWithHandler, sendRawBytes } from './raw-sockets.ts'
import { requestsWithToken } from './request-arbitraries.ts'
import { serveWorld } from './served-world.ts'

const { handler, token } = await serveWorld({ limits: { bodyTimeMs: 200 } })
const { port, origin, close } = await listenWithHandler(handler)
afterAll(close)

/** A request as bytes on the wire, with a Content-Length if it has a body. */
const bytes = requestsWithToken(token).map(({ method, url, headers, body }) => {
  const text = typeof body === 'string' ? body : ''
  const lines = Object.entries({ host: 'graph.test', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const length = text === '' ? '' : `Content-Length: ${Buffer.byteLength(text)}\r\n`
  return `${method} ${url} HTTP/1.1\r\n${lines.join('')}${length}Connection: close\r\n\r\n${text}`
})

describe('a server with arbitrary bytes as a request', () => {
  it('responds or closes the connection, and then serves the next client', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, async request => {
        // For bytes that are not a request, the server of Node responds itself or closes the connection.
        const text = await sendRawBytes(port, [request], { done: received => received.includes('\r\n\r\n') })
        expect(text).toMatch(/^(?:HTTP\/1\.1 [1-4]\d\d |$)/)
        const next = await fetch(`${origin}/me?fields=id&access_token=${token}`)
        expect(await next.json()).toEqual({ id: ADA })
      }),
      propertySettings(200, 5000),
    )
  })
})
