import { getEventListeners } from 'node:events'
import { isGraphError } from 'kithgraph'
import { type ClientOptions, createClient } from 'kithgraph/client'
import { describe, expect, it, vi } from 'vitest'
import { outcomeOf } from '../../src/client/outcome.ts'
import { waitAfter } from '../../src/client/retry.ts'
import { cut, fault, html, json, type Served, serveTurns, silence } from './client-servers.ts'

const token = 'a-token'
const ADA = { name: 'Ada', id: '4' }
const answer = json(200, ADA)
const busy = fault(503, { code: 2, is_transient: true, error_data: { reason: 'store_fault' } })

const QUICK = { baseDelay: 1, maxDelay: 5 }
const clientOf = ({ url }: Served, options: ClientOptions = {}) =>
  createClient(url, { retry: QUICK, ...options })

const reasonOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no fault',
    (error: unknown) => (isGraphError(error) ? error.data.reason : error),
  )

const ended = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

describe('a call is tried again', () => {
  it.each([
    ['a transient fault', busy],
    ['a rate limit', fault(403, { code: 4, is_transient: true, error_data: { reason: 'rate_limited_app' } })],
    ['a fault of the server', fault(500, { error_data: { reason: 'internal' } })],
    ['a status of a proxy', html(429)],
    ['a page of a proxy', html(502)],
    ['a connection that ends in the middle', cut],
  ])('after %s', async (_name, turn) => {
    await using server = await serveTurns(turn, turn, answer)
    expect(await clientOf(server).getMe(token)).toEqual(ADA)
    expect(server.requests).toHaveLength(3)
  })

  it('after an attempt that took longer than one may', async () => {
    await using server = await serveTurns(silence, answer)
    expect(await clientOf(server, { timeout: 1000 }).getMe(token)).toEqual(ADA)
  })

  it('where nobody listens, and in the end says so', async () => {
    const { url } = await (async () => {
      await using gone = await serveTurns(answer)
      return gone
    })()
    const error = await clientOf({ url } as Served)
      .getMe(token)
      .catch((error: unknown) => error)
    expect(error).toMatchObject({
      message: '(#2) The server cannot be reached',
      data: { reason: 'store_fault' },
    })
    expect(`${error}`).not.toContain(token)
  })

  it('as often as was said, and the last fault is thrown', async () => {
    await using server = await serveTurns(busy)
    const { getMe } = clientOf(server, { retry: { ...QUICK, attempts: 5 } })
    expect(await reasonOf(getMe(token))).toBe('store_fault')
    expect(server.requests).toHaveLength(5)
  })
})

describe('a call is not tried again', () => {
  it.each([
    ['a fault that stays', {}, fault(400, { code: 190, error_data: { reason: 'token_unknown' } })],
    ['any fault, where that was said', { retry: false }, busy],
    [
      'a server that wants longer rest than any wait',
      {},
      fault(403, { is_transient: true }, { 'retry-after': '60' }),
    ],
    [
      'a limiter that wants longer rest',
      {},
      fault(403, { error_data: { reason: 'rate_limited_user', retry_after: 60 } }),
    ],
  ] as const)('after %s', async (_name, options, turn) => {
    await using server = await serveTurns(turn)
    expect(await reasonOf(clientOf(server, options).getMe(token))).not.toBe('no fault')
    expect(server.requests).toHaveLength(1)
  })
})

describe('the wait before an attempt', () => {
  const busyUntil = (retryAfter: string | null) =>
    outcomeOf({ status: 503, contentType: null, retryAfter, text: '' })

  it('doubles up to the longest, is a random part of that, and comes to an end', () => {
    const retry = { attempts: 6, baseDelay: 2, maxDelay: 10 }
    const waits = (share: number) =>
      [1, 2, 3, 4, 5, 6].map(attempt => waitAfter(retry, busyUntil(null), attempt, share))
    expect(waits(1)).toEqual([2, 4, 8, 10, 10, undefined])
    expect(waits(0.5)).toEqual([1, 2, 4, 5, 5, undefined])
  })

  it('is at least what the server asks for, in seconds or until a date', () => {
    const retry = { attempts: 2, baseDelay: 100, maxDelay: 2500 }
    const wait = (retryAfter: string) => waitAfter(retry, busyUntil(retryAfter), 1, 0.5)
    expect(wait('1')).toBe(1050)
    expect(wait('0')).toBe(50)
    expect(wait('3')).toBeUndefined()
    expect(wait('soon')).toBe(50)
    expect(wait(new Date(0).toUTCString())).toBe(50)
    const date = wait(new Date(Date.now() + 2000).toUTCString())
    expect(date).toBeGreaterThan(900)
    expect(date).toBeLessThanOrEqual(2050)
  })

  it('is waited', async () => {
    await using server = await serveTurns(fault(429, {}, { 'retry-after': '1' }), answer)
    const started = performance.now()
    await createClient(server.url).getMe(token)
    expect(performance.now() - started).toBeGreaterThanOrEqual(990)
  })
})

describe('a signal', () => {
  it('that was aborted before sends nothing', async () => {
    await using server = await serveTurns(answer)
    const error: unknown = await clientOf(server)
      .getMe(token, { signal: AbortSignal.abort('enough') })
      .catch((error: unknown) => error)
    expect(error).toMatchObject({ data: { reason: 'aborted' }, code: 2, cause: 'enough' })
    expect(server.requests).toEqual([])
  })

  it('ends the request that is under way', async () => {
    const closed = vi.fn()
    await using server = await serveTurns(response => {
      response.on('close', closed)
    })
    const aborter = new AbortController()
    const call = reasonOf(clientOf(server).getMe(token, { signal: aborter.signal }))
    await expect.poll(() => server.requests).toHaveLength(1)
    aborter.abort()
    expect(await call).toBe('aborted')
    await expect.poll(() => closed).toHaveBeenCalledOnce()
    expect(server.requests).toHaveLength(1)
  })

  it('ends the wait before an attempt', async () => {
    await using server = await serveTurns(busy, answer)
    const aborter = new AbortController()
    const retry = { baseDelay: 100_000, maxDelay: 100_000 }
    const call = reasonOf(clientOf(server, { retry }).getMe(token, { signal: aborter.signal }))
    await expect.poll(() => server.requests).toHaveLength(1)
    setTimeout(() => aborter.abort(), 20)
    expect(await call).toBe('aborted')
    expect(server.requests).toHaveLength(1)
  })

  it('ends the waiting even where `fetch` does not heed it, and so does the time of an attempt', async () => {
    const deaf = { fetch: () => new Promise<Response>(() => {}), retry: false } as const
    const { getMe } = createClient('http://a.example', { ...deaf, timeout: 20 })
    expect(await reasonOf(getMe(token))).toBe('deadline')
    expect(
      await reasonOf(
        createClient('http://a.example', deaf).getMe(token, { signal: AbortSignal.timeout(20) }),
      ),
    ).toBe('aborted')
  })

  it('is left alone once the call has ended', async () => {
    await using server = await serveTurns(busy, answer)
    const { signal } = new AbortController()
    await clientOf(server).getMe(token, { signal })
    expect(ended(signal)).toBe(0)
  })
})

describe('whatever stands for fetch', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error(`cannot send ${token}`)
      },
    ],
    ['rejects', () => Promise.reject(new Error(`cannot send ${token}`))],
    ['answers no response', () => Promise.resolve({} as Response)],
  ])('%s: its text stays in the cause', async (_name, fetch) => {
    const error: unknown = await createClient('http://a.example', { fetch, retry: false })
      .getMe(token)
      .catch((error: unknown) => error)
    expect(error).toMatchObject({ message: '(#2) The server cannot be reached', cause: expect.any(Error) })
  })
})
