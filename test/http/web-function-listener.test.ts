import { createServer } from 'node:http'
import { toNodeListener } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { startServer } from '../helpers/start-server.ts'

describe('toNodeListener of a function from Request to Response', () => {
  it('sends one content-length, and each cookie as a header of its own', async () => {
    const listener = toNodeListener(async () => {
      const headers = new Headers({ 'content-type': 'text/plain', 'content-length': '2' })
      headers.append('set-cookie', 'a=1; Path=/')
      headers.append('set-cookie', 'b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT')
      return new Response('ok', { headers })
    })
    const server = await startServer(createServer(listener))
    const response = await fetch(server.origin)
    expect(await response.text()).toBe('ok')
    expect(response.headers.get('content-length')).toBe('2')
    expect(response.headers.getSetCookie()).toEqual([
      'a=1; Path=/',
      'b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT',
    ])
    await server.stop()
  })
})
