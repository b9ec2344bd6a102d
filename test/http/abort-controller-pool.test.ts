import { once } from 'node:events'
import { connect, createServer } from 'node:http2'
import { afterAll, describe, expect, it } from 'vitest'
import { type Handler, toNodeListener, type WireResponse } from '../../src/http/index.ts'
import { AbortControllerPool } from '../../src/http/node-listener.ts'

describe('AbortControllerPool', () => {
  it('shares a controller among the requests of a connection, but not with other connections', () => {
    const pool = new AbortControllerPool()
    const [socket, other] = [{}, {}]
    expect(pool.acquire(socket)).toBe(pool.acquire(socket))
    expect(pool.acquire(other)).not.toBe(pool.acquire(socket))
  })

  it('replaces a controller that was aborted', () => {
    const pool = new AbortControllerPool()
    const socket = {}
    pool.acquire(socket).abort()
    expect(pool.acquire(socket).signal.aborted).toBe(false)
  })

  it('gives each controller to at most 100 requests of a connection', () => {
    const pool = new AbortControllerPool()
    const socket = {}
    const used = Array.from({ length: 1000 }, () => pool.acquire(socket))
    expect(new Set(used).size).toBe(10)
  })
})

describe('an HTTP/2 stream', () => {
  const signals = new Map<string, AbortSignal | undefined>()
  let sendResponse: (response: WireResponse) => void = () => undefined
  const pendingResponse = new Promise<WireResponse>(resolve => {
    sendResponse = resolve
  })
  const handler: Handler = Object.assign(async () => new Response(), {
    respond({ url, signal }: Parameters<Handler['respond']>[0]) {
      signals.set(new URL(url).pathname, signal)
      return pendingResponse
    },
    respondWithError: (): WireResponse => ({ status: 500, headers: {}, body: undefined }),
    limits: { url: 1, body: 1, bodyTimeMs: 1, batch: 1, response: 1 },
  })
  const server = createServer(toNodeListener(handler))
  afterAll(() => server.close())

  it('aborts only its own signal if its client resets it', async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    const session = connect(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
    const [one, other] = [session.request({ ':path': '/one' }), session.request({ ':path': '/other' })]
    await expect.poll(() => signals.size).toBe(2)
    one.close()
    await expect.poll(() => signals.get('/one')?.aborted).toBe(true)
    expect(signals.get('/other')?.aborted).toBe(false)
    sendResponse({ status: 204, headers: {}, body: undefined })
    const [headers] = await once(other, 'response')
    expect(headers[':status']).toBe(204)
    session.close()
  })
})
