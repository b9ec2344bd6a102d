import { EventEmitter, getEventListeners } from 'node:events'
import { isGraphError } from 'kithgraph'
import { createClient, type Fetch } from 'kithgraph/client'
import { afterEach, describe, expect, it, vi } from 'vitest'

const COUNT = 50

const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

const refusal = (reason: string, particulars: object = {}) => ({
  error: { message: 'Too much', code: 1, error_data: { reason, ...particulars } },
})

/** A server that answers batches as told, and single requests once it is let; it heeds no signal. */
const heldServer = (answerBatch: () => Response) => {
  let letGo = (): void => {}
  const open = new Promise<void>(resolve => {
    letGo = resolve
  })
  let alone = 0
  const fetch: Fetch = async (url, { method }) => {
    if (method === 'POST') return answerBatch()
    alone++
    await open
    return json(200, { id: new URL(url).pathname.slice(1) })
  }
  return { fetch, letGo: () => letGo(), alone: () => alone }
}

/** Answers what tells how many listeners the signal has that has most of them, of all that anybody listens to from here on. */
const watchSignals = (): (() => number) => {
  const { mock } = vi.spyOn(EventTarget.prototype, 'addEventListener')
  return () => {
    const signals = mock.contexts.filter(target => target instanceof AbortSignal)
    return Math.max(...signals.map(listenersOf))
  }
}

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

const reasonsOf = async (calls: readonly Promise<unknown>[]): Promise<unknown[]> =>
  (await Promise.allSettled(calls)).map(outcome => {
    if (outcome.status === 'fulfilled') return outcome.value
    return isGraphError(outcome.reason) ? outcome.reason.data.reason : outcome.reason
  })

const ids = Array.from({ length: COUNT }, (_, index) => `${index + 1}`)
const tooCostly = json.bind(
  undefined,
  200,
  // As of a budget that the others of the batch have spent.
  ids.map(() => ({ code: 400, body: JSON.stringify(refusal('too_costly', { cost: 1, limit: 0, fits: 0 })) })),
)

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the signal of calls', () => {
  const open = (batch: boolean) => {
    const server = heldServer(tooCostly)
    const { getNode } = createClient('http://graph.test', { batch, fetch: server.fetch })
    const aborter = new AbortController()
    const { signal } = aborter
    return { ...server, aborter, signal, ask: () => ids.map(id => getNode('t', { id, signal })) }
  }

  it.each([true, false])(
    'has one listener, however many calls, and none in the end (batch: %s)',
    async batch => {
      const { signal, ask, alone, letGo } = open(batch)
      const calls = ask()
      await expect.poll(alone).toBe(COUNT)
      expect(listenersOf(signal)).toBe(1)
      letGo()
      expect(await Promise.all(calls)).toEqual(ids.map(id => ({ id })))
      expect(listenersOf(signal)).toBe(0)
      await Promise.all(ask())
      expect(listenersOf(signal)).toBe(0)
    },
  )

  it.each([true, false])('ends all of them, also those that come later (batch: %s)', async batch => {
    const { aborter, signal, ask, alone } = open(batch)
    const calls = ask()
    await expect.poll(alone).toBe(COUNT)
    aborter.abort()
    expect(await reasonsOf([...calls, ...ask()])).toEqual([...ids, ...ids].map(() => 'aborted'))
    expect(listenersOf(signal)).toBe(0)
  })
})

describe('requests of a batch that are asked alone', () => {
  it.each<readonly [string, () => Response]>([
    ['since it had no budget left for them', tooCostly],
    ['since no batch is taken', () => json(400, refusal('bad_batch'))],
  ])('have so few listeners to a signal that no runtime warns of them: %s', async (_why, answerBatch) => {
    const most = watchSignals()
    const { fetch, alone, letGo } = heldServer(answerBatch)
    const { getNode } = createClient('http://graph.test', { batch: true, fetch })
    const calls = ids.map(id => getNode('t', { id }))
    await expect.poll(alone).toBe(COUNT)
    expect(most()).toBeGreaterThan(0)
    expect(most()).toBeLessThanOrEqual(EventEmitter.defaultMaxListeners)
    letGo()
    expect(await Promise.all(calls)).toEqual(ids.map(id => ({ id })))
  })
})
