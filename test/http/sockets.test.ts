import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { scheduleStore } from '../../src/testing/index.ts'
import { ADA } from '../helpers/world.ts'
import { listenWithHandler, sendRawBytes } from './raw-sockets.ts'
import { createFormRequest, type ServedOptions, serveWorld } from './served-world.ts'

const open: (() => Promise<void>)[] = []
afterAll(() => Promise.all(open.map(close => close())))

const listenForWorld = async (options: ServedOptions = {}) => {
  const world = await serveWorld(options)
  const server = await listenWithHandler(world.handler)
  open.push(server.close)
  return { ...world, ...server }
}

const { port, origin, token, errors } = await listenForWorld()

const auth = `Host: graph.test\r\nAuthorization: Bearer ${token}`
const good = `GET /me?fields=id HTTP/1.1\r\n${auth}\r\n\r\n`
const last = `GET /me?fields=id HTTP/1.1\r\n${auth}\r\nConnection: close\r\n\r\n`
const parseResponses = (text: string): readonly string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => `${code}`)

describe('a connection to the handler', () => {
  it('serves one request after another, even after errors', async () => {
    const bad = `GET /999 HTTP/1.1\r\n${auth}\r\n\r\n`
    const deleted = `DELETE /me HTTP/1.1\r\n${auth}\r\nContent-Length: 3\r\n\r\nabc`
    const get = `GET /me?fields=id HTTP/1.1\r\n${auth}\r\nContent-Length: 2\r\n\r\n{}`
    const text = await sendRawBytes(port, [good + bad + deleted + get + good, last])
    expect(parseResponses(text)).toEqual(['200', '400', '400', '200', '200', '200'])
    expect(text.match(/\{"id":"1"\}/g)).toHaveLength(4)
  })

  it('accepts a body without a length', async () => {
    const chunked = `POST / HTTP/1.1\r\n${auth}\r\nTransfer-Encoding: chunked\r\n\r\n`
    const pieces = [chunked, 'a\r\nmethod=get\r\n', '5\r\n&id=m\r\n', '1\r\ne\r\n', '0\r\n\r\n', last]
    const text = await sendRawBytes(port, pieces, { pause: 5 })
    expect(parseResponses(text)).toEqual(['200', '200'])
  })

  it('rejects a body with both a length and chunks', async () => {
    const smuggled = `POST / HTTP/1.1\r\n${auth}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${last}`
    expect(parseResponses(await sendRawBytes(port, [smuggled]))).toEqual(['400'])
  })

  it('serves HTTP/1.0 without a host, with relative links', async () => {
    const text = await sendRawBytes(port, [
      `GET /me/photos?limit=1 HTTP/1.0\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    ])
    expect(text).toMatch(/"next":"\/1\/photos\?/)
  })

  it('accepts URLs with an origin, and rejects invalid paths', async () => {
    const sendAsAda = (path: string) =>
      sendRawBytes(port, [`GET ${path} HTTP/1.1\r\n${auth}\r\nConnection: close\r\n\r\n`])
    expect(parseResponses(await sendAsAda('http://graph.test/me'))).toEqual(['200'])
    for (const path of ['/../../etc/passwd', '/%00', '/%c0%ae', '/%2e%2e/me', '//../x'])
      expect(parseResponses(await sendAsAda(path))).toEqual(['400'])
    expect(await sendAsAda('/\xff\xfe?\x80')).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('responds with an error to bytes that are not valid UTF-8', async () => {
    const bytes = Uint8Array.from([...Buffer.from('method=get&fields='), 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80])
    const head = `POST /me HTTP/1.1\r\n${auth}\r\nContent-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`
    const text = await sendRawBytes(port, [head, bytes])
    expect(parseResponses(text)).toEqual(['400'])
    expect(text).toContain('"reason":"invalid_syntax"')
  })

  it('does not let a client inject a header', async () => {
    const text = await sendRawBytes(port, [
      `GET /%0d%0aSet-Cookie:%20a=b?access_token=%0d%0aX:y HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    ])
    const [head = ''] = text.split('\r\n\r\n')
    expect(head).not.toMatch(/^(?:set-cookie|x):/im)
  })

  it('rejects headers that are too long', async () => {
    const text = await sendRawBytes(port, [`GET /me HTTP/1.1\r\n${auth}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`])
    expect(parseResponses(text)).toEqual(['431'])
  })
})

describe('a body over a connection', () => {
  it('is rejected as soon as it is known to be too large, and the connection ends', async () => {
    const small = await listenForWorld({ limits: { body: 1000 } })
    const chunk = `3e8\r\n${'x'.repeat(1000)}\r\n`
    const head = `POST / HTTP/1.1\r\n${auth}\r\nTransfer-Encoding: chunked\r\n\r\n`
    const text = await sendRawBytes(small.port, [head, chunk, chunk])
    expect(parseResponses(text)).toEqual(['413'])
    expect(text).toMatch(/Connection: close/i)
  })

  it('is rejected if it is too large, even if the client keeps sending', async () => {
    const body = 'x'.repeat(1_500_000)
    const response = await fetch(`${origin}/me`, { method: 'POST', body })
    expect(response.status).toBe(413)
    expect(await response.json()).toHaveProperty('error.error_data.reason', 'request_too_large')
  })

  it('is rejected after its time limit if it arrives slowly', async () => {
    const hasty = await listenForWorld({ limits: { bodyTimeMs: 100 } })
    const head = `POST / HTTP/1.1\r\n${auth}\r\nContent-Length: 1000\r\n\r\n`
    const text = await sendRawBytes(hasty.port, [head, ...Array<string>(8).fill('x')], { pause: 30 })
    expect(parseResponses(text)).toEqual(['408'])
    expect(text).toContain('request_too_slow')
  })

  it('is reported as an error with status 400 if it breaks off', async () => {
    const before = errors.length
    const socket = connect(port, '127.0.0.1')
    socket.write(`POST / HTTP/1.1\r\n${auth}\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\nabc`)
    const [going] = await once(socket, 'data')
    expect(`${going}`).toContain('100 Continue')
    socket.destroy()
    await expect.poll(() => errors.length).toBeGreaterThan(before)
    expect(errors.slice(before).map(({ status }) => status)).toEqual([400])
    expect(await (await fetch(`${origin}/me?fields=id&access_token=${token}`)).json()).toEqual({ id: ADA })
  })
})

describe('a client that disconnects', () => {
  it('aborts the store reads of its request', async () => {
    const signals: (AbortSignal | undefined)[] = []
    let isHeld = false
    let release = (): void => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    const slow = await listenForWorld({
      wrap: store => {
        const scheduled = scheduleStore(store, async (_, run) => {
          if (isHeld) await released
          return run()
        })
        return {
          ...scheduled,
          read: (request, options) => {
            signals.push(options.signal)
            return scheduled.read(request, options)
          },
        }
      },
    })
    isHeld = true
    signals.length = 0
    const aborter = new AbortController()
    const response = fetch(`${slow.origin}/me?fields=friends{likes{likes}}&access_token=${slow.token}`, {
      signal: aborter.signal,
    })
    await expect.poll(() => signals.length).toBe(1)
    expect(signals[0]?.aborted).toBe(false)
    aborter.abort()
    await expect(response).rejects.toThrow()
    await expect.poll(() => signals[0]?.aborted).toBe(true)
    release()
    await sleep(50)
    expect(signals).toHaveLength(1)
    expect(slow.errors.map(({ reason }) => reason)).toEqual(['aborted'])
  })

  it('ends its batch with the error aborted, if the signal of its Request aborts', async () => {
    const aborter = new AbortController()
    let isRequested = false
    const { sendAsAda } = await serveWorld({
      wrap: store =>
        scheduleStore(store, async (_, run) => {
          if (isRequested) aborter.abort()
          return run()
        }),
    })
    isRequested = true
    const batch = JSON.stringify([{ relative_url: 'me?fields=friends' }])
    const { text } = await sendAsAda('/', { ...createFormRequest({ batch }), signal: aborter.signal })
    expect(text).toContain('aborted')
  })
})
