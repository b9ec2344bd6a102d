import { getEventListeners } from 'node:events'
import { isGraphError } from 'kithgraph'
import { type ClientOptions, createClient } from 'kithgraph/client'
import { describe, expect, it, vi } from 'vitest'
import { toHttpResult } from '../../src/client/http-result.ts'
import { computeRetryDelay } from '../../src/client/request-sender.ts'
import {
  breakConnection,
  neverRespond,
  respondWithError,
  respondWithHtml,
  respondWithJson,
  type ScriptedServer,
  serveScripts,
} from './scripted-servers.ts'

const token = 'a-token'
const ADA = { name: 'Ada', id: '4' }
const success = respondWithJson(200, ADA)
const busy = respondWithError(503, { code: 2, is_transient: true, error_data: { reason: 'store_error' } })

const QUICK = { baseDelayMs: 1, maxDelayMs: 5 }
const createTestClient = ({ url }: ScriptedServer, options: ClientOptions = {}) =>
  createClient(url, { retry: QUICK, ...options })

const reasonOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: unknown) => (isGraphError(error) ? error.reason : error),
  )

const countAbortListeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

describe('a retried client call', () => {
  it.each([
    ['a transient error', busy],
    [
      'a rate limit',
      respondWithError(403, { code: 4, is_transient: true, error_data: { reason: 'app_rate_limited' } }),
    ],
    ['an internal error of the server', respondWithError(500, { error_data: { reason: 'internal_error' } })],
    ['status 429 of a proxy', respondWithHtml(429)],
    ['status 502 of a proxy', respondWithHtml(502)],
    ['a connection that breaks off', breakConnection],
  ])('succeeds after %s', async (_name, turn) => {
    await using server = await serveScripts(turn, turn, success)
    expect(await createTestClient(server).getMe(token)).toEqual(ADA)
    expect(server.requests).toHaveLength(3)
  })

  it('succeeds after an attempt that timed out', async () => {
    await using server = await serveScripts(neverRespond, success)
    expect(await createTestClient(server, { timeoutMs: 1000 }).getMe(token)).toEqual(ADA)
  })

  it('fails with "cannot be reached" if no server listens', async () => {
    const { url } = await (async () => {
      await using closedServer = await serveScripts(success)
      return closedServer
    })()
    const error = await createTestClient({ url } as ScriptedServer)
      .getMe(token)
      .catch((error: unknown) => error)
    expect(error).toMatchObject({
      message: '(#2) The server cannot be reached',
      reason: 'store_error',
    })
    expect(`${error}`).not.toContain(token)
  })

  it('throws the last error after the configured number of attempts', async () => {
    await using server = await serveScripts(busy)
    const { getMe } = createTestClient(server, { retry: { ...QUICK, attempts: 5 } })
    expect(await reasonOf(getMe(token))).toBe('store_error')
    expect(server.requests).toHaveLength(5)
  })
})

describe('a client call that is not retried', () => {
  it.each([
    ['a permanent error', {}, respondWithError(400, { code: 190, error_data: { reason: 'token_invalid' } })],
    ['any error with `retry: false`', { retry: false }, busy],
    [
      'a Retry-After header that exceeds maxDelayMs',
      {},
      respondWithError(403, { is_transient: true }, { 'retry-after': '60' }),
    ],
    [
      'a retry_after of a rate limit that exceeds maxDelayMs',
      {},
      respondWithError(403, { error_data: { reason: 'user_rate_limited', retry_after: 60 } }),
    ],
  ] as const)('fails at the first attempt after %s', async (_name, options, turn) => {
    await using server = await serveScripts(turn)
    expect(await reasonOf(createTestClient(server, options).getMe(token))).not.toBe('no error')
    expect(server.requests).toHaveLength(1)
  })
})

describe('the delay before a retry', () => {
  const busyUntil = (retryAfter: string | null) =>
    toHttpResult({ status: 503, contentType: null, retryAfter, text: '' })

  it('doubles up to maxDelayMs, is a random share of that, and is undefined after the last attempt', () => {
    const retry = { attempts: 6, baseDelayMs: 2, maxDelayMs: 10 }
    const waits = (share: number) =>
      [1, 2, 3, 4, 5, 6].map(attempt => computeRetryDelay(retry, busyUntil(null), attempt, share))
    expect(waits(1)).toEqual([2, 4, 8, 10, 10, undefined])
    expect(waits(0.5)).toEqual([1, 2, 4, 5, 5, undefined])
  })

  it('is at least the Retry-After of the server, in seconds or as a date', () => {
    const retry = { attempts: 2, baseDelayMs: 100, maxDelayMs: 2500 }
    const wait = (retryAfter: string) => computeRetryDelay(retry, busyUntil(retryAfter), 1, 0.5)
    expect(wait('1')).toBe(1050)
    expect(wait('0')).toBe(50)
    expect(wait('3')).toBeUndefined()
    expect(wait('soon')).toBe(50)
    expect(wait(new Date(0).toUTCString())).toBe(50)
    const date = wait(new Date(Date.now() + 2000).toUTCString())
    expect(date).toBeGreaterThan(900)
    expect(date).toBeLessThanOrEqual(2050)
  })

  it('passes before the next attempt', async () => {
    await using server = await serveScripts(respondWithError(429, {}, { 'retry-after': '1' }), success)
    const started = performance.now()
    await createClient(server.url).getMe(token)
    expect(performance.now() - started).toBeGreaterThanOrEqual(990)
  })
})

describe('the signal of a client call', () => {
  it('prevents the request if it is already aborted', async () => {
    await using server = await serveScripts(success)
    const error: unknown = await createTestClient(server)
      .getMe(token, { signal: AbortSignal.abort('enough') })
      .catch((error: unknown) => error)
    expect(error).toMatchObject({ reason: 'aborted', code: 2, cause: 'enough' })
    expect(server.requests).toEqual([])
  })

  it('ends the request in progress', async () => {
    const closed = vi.fn()
    await using server = await serveScripts(response => {
      response.on('close', closed)
    })
    const aborter = new AbortController()
    const call = reasonOf(createTestClient(server).getMe(token, { signal: aborter.signal }))
    await expect.poll(() => server.requests).toHaveLength(1)
    aborter.abort()
    expect(await call).toBe('aborted')
    await expect.poll(() => closed).toHaveBeenCalledOnce()
    expect(server.requests).toHaveLength(1)
  })

  it('ends the delay before a retry', async () => {
    await using server = await serveScripts(busy, success)
    const aborter = new AbortController()
    const retry = { baseDelayMs: 100_000, maxDelayMs: 100_000 }
    const call = reasonOf(createTestClient(server, { retry }).getMe(token, { signal: aborter.signal }))
    await expect.poll(() => server.requests).toHaveLength(1)
    setTimeout(() => aborter.abort(), 20)
    expect(await call).toBe('aborted')
    expect(server.requests).toHaveLength(1)
  })

  it('ends the call even if `fetch` ignores signals, and so does the option timeoutMs', async () => {
    const deaf = { fetch: () => new Promise<Response>(() => {}), retry: false } as const
    const { getMe } = createClient('http://a.example', { ...deaf, timeoutMs: 20 })
    expect(await reasonOf(getMe(token))).toBe('timeout')
    expect(
      await reasonOf(
        createClient('http://a.example', deaf).getMe(token, { signal: AbortSignal.timeout(20) }),
      ),
    ).toBe('aborted')
  })

  it('has no listener after the call', async () => {
    await using server = await serveScripts(busy, success)
    const { signal } = new AbortController()
    await createTestClient(server).getMe(token, { signal })
    expect(countAbortListeners(signal)).toBe(0)
  })
})

describe('a custom fetch of the client', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error(`cannot send ${token}`)
      },
    ],
    ['rejects', () => Promise.reject(new Error(`cannot send ${token}`))],
    ['resolves to something else than a Response', () => Promise.resolve({} as Response)],
  ])('causes an error with a cause if it %s', async (_name, fetch) => {
    const error: unknown = await createClient('http://a.example', { fetch, retry: false })
      .getMe(token)
      .catch((error: unknown) => error)
    expect(error).toMatchObject({ message: '(#2) The server cannot be reached', cause: expect.any(Error) })
  })
})
