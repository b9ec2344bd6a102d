import { EventEmitter, getEventListeners } from 'node:events'
import { isGraphError } from 'kithgraph'
import { createClient, type Fetch } from 'kithgraph/client'
import { afterEach, describe, expect, it, vi } from 'vitest'

const COUNT = 50

const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

const createRejection = (reason: string, particulars: object = {}) => ({
  error: { message: 'Too much', code: 1, error_data: { reason, ...particulars } },
})

/**
 * Creates a server that ignores signals, and delays the responses to single requests until `release` is
 * called.
 */
const createHeldServer = (respondToBatch: () => Response) => {
  let release = (): void => {}
  const open = new Promise<void>(resolve => {
    release = resolve
  })
  let singleRequests = 0
  const fetch: Fetch = async (url, { method }) => {
    if (method === 'POST') return respondToBatch()
    singleRequests++
    await open
    return json(200, { id: new URL(url).pathname.slice(1) })
  }
  return { fetch, release: () => release(), singleRequests: () => singleRequests }
}

/**
 * Watches all signals from now on. Returns a function that returns the largest number of listeners of one
 * signal.
 */
const watchSignals = (): (() => number) => {
  const { mock } = vi.spyOn(EventTarget.prototype, 'addEventListener')
  return () => {
    const signals = mock.contexts.filter(target => target instanceof AbortSignal)
    return Math.max(...signals.map(countListeners))
  }
}

const countListeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

const reasonsOf = async (calls: readonly Promise<unknown>[]): Promise<unknown[]> =>
  (await Promise.allSettled(calls)).map(outcome => {
    if (outcome.status === 'fulfilled') return outcome.value
    return isGraphError(outcome.reason) ? outcome.reason.reason : outcome.reason
  })

const ids = Array.from({ length: COUNT }, (_, index) => `${index + 1}`)
const tooExpensive = json.bind(
  undefined,
  200,
  // The error of a request if the other requests of the batch have used up its budget.
  ids.map(() => ({
    code: 400,
    body: JSON.stringify(createRejection('query_too_expensive', { cost: 1, limit: 0, fits: 0 })),
  })),
)

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a signal of several client calls', () => {
  const open = (batch: boolean) => {
    const server = createHeldServer(tooExpensive)
    const { getNode } = createClient('http://graph.test', { batch, fetch: server.fetch })
    const aborter = new AbortController()
    const { signal } = aborter
    return { ...server, aborter, signal, startCalls: () => ids.map(id => getNode('t', { id, signal })) }
  }

  it.each([true, false])(
    'has one listener during all calls, and none after them (batch: %s)',
    async batch => {
      const { signal, startCalls, singleRequests, release } = open(batch)
      const calls = startCalls()
      await expect.poll(singleRequests).toBe(COUNT)
      expect(countListeners(signal)).toBe(1)
      release()
      expect(await Promise.all(calls)).toEqual(ids.map(id => ({ id })))
      expect(countListeners(signal)).toBe(0)
      await Promise.all(startCalls())
      expect(countListeners(signal)).toBe(0)
    },
  )

  it.each([true, false])('ends all of them, and all later ones (batch: %s)', async batch => {
    const { aborter, signal, startCalls, singleRequests } = open(batch)
    const calls = startCalls()
    await expect.poll(singleRequests).toBe(COUNT)
    aborter.abort()
    expect(await reasonsOf([...calls, ...startCalls()])).toEqual([...ids, ...ids].map(() => 'aborted'))
    expect(countListeners(signal)).toBe(0)
  })
})

describe('client calls that are sent again without their batch', () => {
  it.each<readonly [string, () => Response]>([
    ['the budget of the batch was used up', tooExpensive],
    ['the server rejects batches', () => json(400, createRejection('invalid_batch'))],
  ])('stay within the listener limit of the runtime: %s', async (_why, respondToBatch) => {
    const maxListeners = watchSignals()
    const { fetch, singleRequests, release } = createHeldServer(respondToBatch)
    const { getNode } = createClient('http://graph.test', { batch: true, fetch })
    const calls = ids.map(id => getNode('t', { id }))
    await expect.poll(singleRequests).toBe(COUNT)
    expect(maxListeners()).toBeGreaterThan(0)
    expect(maxListeners()).toBeLessThanOrEqual(EventEmitter.defaultMaxListeners)
    release()
    expect(await Promise.all(calls)).toEqual(ids.map(id => ({ id })))
  })
})
