import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { scheduleStore } from '../../src/testing/index.ts'
import { ADA } from '../helpers/world.ts'
import { exchangeRaw, listen } from './listening.ts'
import { form, type ServedOptions, serveWorld } from './served-world.ts'

const open: (() => Promise<void>)[] = []
afterAll(() => Promise.all(open.map(close => close())))

const serve = async (options: ServedOptions = {}) => {
  const world = await serveWorld(options)
  const server = await listen(world.handler)
  open.push(server.close)
  return { ...world, ...server }
}

const { port, origin, token, faults } = await serve()

const auth = `Host: graph.test\r\nAuthorization: Bearer ${token}`
const good = `GET /me?fields=id HTTP/1.1\r\n${auth}\r\n\r\n`
const last = `GET /me?fields=id HTTP/1.1\r\n${auth}\r\nConnection: close\r\n\r\n`
const answersIn = (text: string): readonly string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => `${code}`)

describe('a connection', () => {
  it('answers one request after another, also behind faults', async () => {
    const bad = `GET /999 HTTP/1.1\r\n${auth}\r\n\r\n`
    const deleted = `DELETE /me HTTP/1.1\r\n${auth}\r\nContent-Length: 3\r\n\r\nabc`
    const get = `GET /me?fields=id HTTP/1.1\r\n${auth}\r\nContent-Length: 2\r\n\r\n{}`
    const text = await exchangeRaw(port, [good + bad + deleted + get + good, last])
    expect(answersIn(text)).toEqual(['200', '400', '400', '200', '200', '200'])
    expect(text.match(/\{"id":"1"\}/g)).toHaveLength(4)
  })

  it('takes bodies without a length', async () => {
    const chunked = `POST / HTTP/1.1\r\n${auth}\r\nTransfer-Encoding: chunked\r\n\r\n`
    const pieces = [chunked, 'a\r\nmethod=get\r\n', '5\r\n&id=m\r\n', '1\r\ne\r\n', '0\r\n\r\n', last]
    const text = await exchangeRaw(port, pieces, { pause: 5 })
    expect(answersIn(text)).toEqual(['200', '200'])
  })

  it('takes no body twice told of', async () => {
    const smuggled = `POST / HTTP/1.1\r\n${auth}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${last}`
    expect(answersIn(await exchangeRaw(port, [smuggled]))).toEqual(['400'])
  })

  it('answers HTTP/1.0 without a host, whose links are relative then', async () => {
    const text = await exchangeRaw(port, [
      `GET /me/photos?limit=1 HTTP/1.0\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    ])
    expect(text).toMatch(/"next":"\/1\/photos\?/)
  })

  it('takes URLs with an origin, and paths that lead nowhere', async () => {
    const ask = (path: string) =>
      exchangeRaw(port, [`GET ${path} HTTP/1.1\r\n${auth}\r\nConnection: close\r\n\r\n`])
    expect(answersIn(await ask('http://graph.test/me'))).toEqual(['200'])
    for (const path of ['/../../etc/passwd', '/%00', '/%c0%ae', '/%2e%2e/me', '//../x'])
      expect(answersIn(await ask(path))).toEqual(['400'])
    expect(await ask('/\xff\xfe?\x80')).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('takes bytes that are no UTF-8', async () => {
    const bytes = Uint8Array.from([...Buffer.from('method=get&fields='), 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80])
    const head = `POST /me HTTP/1.1\r\n${auth}\r\nContent-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`
    const text = await exchangeRaw(port, [head, bytes])
    expect(answersIn(text)).toEqual(['400'])
    expect(text).toContain('"reason":"syntax"')
  })

  it('splits no header by what a client sends', async () => {
    const text = await exchangeRaw(port, [
      `GET /%0d%0aSet-Cookie:%20a=b?access_token=%0d%0aX:y HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    ])
    const [head = ''] = text.split('\r\n\r\n')
    expect(head).not.toMatch(/^(?:set-cookie|x):/im)
  })

  it('refuses headers without end', async () => {
    const text = await exchangeRaw(port, [`GET /me HTTP/1.1\r\n${auth}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`])
    expect(answersIn(text)).toEqual(['431'])
  })
})

describe('a body', () => {
  it('that is too large is refused when that is known, and the connection ends', async () => {
    const small = await serve({ limits: { body: 1000 } })
    const chunk = `3e8\r\n${'x'.repeat(1000)}\r\n`
    const head = `POST / HTTP/1.1\r\n${auth}\r\nTransfer-Encoding: chunked\r\n\r\n`
    const text = await exchangeRaw(small.port, [head, chunk, chunk])
    expect(answersIn(text)).toEqual(['413'])
    expect(text).toMatch(/Connection: close/i)
  })

  it('that is too large is refused to clients that send on regardless', async () => {
    const body = 'x'.repeat(1_500_000)
    const response = await fetch(`${origin}/me`, { method: 'POST', body })
    expect(response.status).toBe(413)
    expect(await response.json()).toHaveProperty('error.error_data.reason', 'request_too_large')
  })

  it('that drips is refused after its time', async () => {
    const hasty = await serve({ limits: { bodyTime: 100 } })
    const head = `POST / HTTP/1.1\r\n${auth}\r\nContent-Length: 1000\r\n\r\n`
    const text = await exchangeRaw(hasty.port, [head, ...Array<string>(8).fill('x')], { pause: 30 })
    expect(answersIn(text)).toEqual(['408'])
    expect(text).toContain('request_too_slow')
  })

  it('that breaks off is no fault of the service', async () => {
    const before = faults.length
    const socket = connect(port, '127.0.0.1')
    socket.write(`POST / HTTP/1.1\r\n${auth}\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\nabc`)
    const [going] = await once(socket, 'data')
    expect(`${going}`).toContain('100 Continue')
    socket.destroy()
    await expect.poll(() => faults.length).toBeGreaterThan(before)
    expect(faults.slice(before).map(({ status }) => status)).toEqual([400])
    expect(await (await fetch(`${origin}/me?fields=id&access_token=${token}`)).json()).toEqual({ id: ADA })
  })
})

describe('a client that goes away', () => {
  it('ends what is read for it', async () => {
    const signals: (AbortSignal | undefined)[] = []
    let isHeld = false
    let release = (): void => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    const slow = await serve({
      wrap: store => {
        const scheduled = scheduleStore(store, async (_, run) => {
          if (isHeld) await released
          return run()
        })
        return {
          ...scheduled,
          read: (wave, options) => {
            signals.push(options.signal)
            return scheduled.read(wave, options)
          },
        }
      },
    })
    isHeld = true
    signals.length = 0
    const aborter = new AbortController()
    const answer = fetch(`${slow.origin}/me?fields=friends{likes{likes}}&access_token=${slow.token}`, {
      signal: aborter.signal,
    })
    await expect.poll(() => signals.length).toBe(1)
    expect(signals[0]?.aborted).toBe(false)
    aborter.abort()
    await expect(answer).rejects.toThrow()
    await expect.poll(() => signals[0]?.aborted).toBe(true)
    release()
    await sleep(50)
    expect(signals).toHaveLength(1)
    expect(slow.faults.map(({ data }) => data.reason)).toEqual(['aborted'])
  })

  it('ends what is read for its batch, too', async () => {
    const aborter = new AbortController()
    let isAsked = false
    const { ask } = await serveWorld({
      wrap: store =>
        scheduleStore(store, async (_, run) => {
          if (isAsked) aborter.abort()
          return run()
        }),
    })
    isAsked = true
    const batch = JSON.stringify([{ relative_url: 'me?fields=friends' }])
    const { text } = await ask('/', { ...form({ batch }), signal: aborter.signal })
    expect(text).toContain('aborted')
  })
})
