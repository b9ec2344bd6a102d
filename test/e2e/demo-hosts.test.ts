import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rejectOtherHosts } from '../../examples/demo/local-hosts.ts'
import { readAddress, sendRawBytes } from '../http/raw-sockets.ts'

describe('the demo with --actions', () => {
  let server: Server
  let port = 0
  beforeAll(async () => {
    server = createServer(rejectOtherHosts((_request, response) => response.end('served')))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    port = readAddress(server).port
  })
  afterAll(() => server.close())

  /** Sends a request with these lines, in which PORT is the port of the server, and returns its status. */
  const request = async (...lines: readonly string[]): Promise<number> => {
    const text = [...lines, 'Connection: close', '', ''].join('\r\n').replaceAll('PORT', `${port}`)
    const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(await sendRawBytes(port, [text])) ?? []
    return Number(status)
  }

  it.each(['127.0.0.1:PORT', 'localhost:PORT', 'LOCALHOST:PORT'])('serves the host %s', async host => {
    expect(await request('GET /me HTTP/1.1', `Host: ${host}`)).toBe(200)
  })

  it.each([
    'attacker.example:PORT',
    'localhost.attacker.example:PORT',
    'attacker.example',
    'localhost',
    'localhost:1',
    'localhost.:PORT',
    'localhost:PORT.attacker.example',
    'localhost@attacker.example:PORT',
    'localhost:PORT, attacker.example',
    '',
  ])('rejects the host "%s"', async host => {
    expect(await request('POST /me/feed HTTP/1.1', `Host: ${host}`, 'Content-Length: 0')).toBe(403)
  })

  it('rejects a request without a host', async () => {
    expect(await request('GET /me HTTP/1.0')).toBe(403)
    expect(await request('GET /me HTTP/1.1')).toBe(400)
  })

  it('rejects an absolute URL, which names a host of its own', async () => {
    expect(await request('GET http://attacker.example/me HTTP/1.1', 'Host: localhost:PORT')).toBe(403)
    expect(await request('GET http://localhost:PORT/me HTTP/1.1', 'Host: attacker.example')).toBe(403)
  })

  it('uses the first of two hosts, and rejects another one', async () => {
    expect(await request('GET /me HTTP/1.1', 'Host: attacker.example', 'Host: localhost:PORT')).not.toBe(200)
  })
})
