import type { PostgresPool, PostgresPoolClient } from 'kithgraph/postgres'
import { describe, expect, it } from 'vitest'
import { ConnectionQueue } from '../../../src/stores/postgres/connection-queue.ts'

type Callback = Parameters<PostgresPool['connect']>[0]

/** Creates a client that no statement uses, and counts its releases. */
const createClient = () => {
  const releases: (boolean | undefined)[] = []
  const client: PostgresPoolClient = {
    query: async () => ({ rows: [] }),
    on: () => undefined,
    off: () => undefined,
    release: isDestroyed => releases.push(isDestroyed),
  }
  return { client, releases }
}

/** Creates a queue of a pool whose callbacks a test calls. */
const createQueue = () => {
  const requests: Callback[] = []
  const queue = new ConnectionQueue({ connect: callback => void requests.push(callback) })
  return { queue, requests }
}

const inTime = (timeoutMs: number) => ({
  signal: undefined,
  deadline: Date.now() + timeoutMs,
  minRevision: undefined,
})
const LATER = 60_000

describe('the queue for connections of a pool', () => {
  it('returns a connection to the pool if its call has ended', async () => {
    const { queue, requests } = createQueue()
    await expect(queue.acquire(inTime(10))).rejects.toMatchObject({ reason: 'timeout' })
    const { client, releases } = createClient()
    requests[0]?.(undefined, client)
    expect(releases).toEqual([false])
  })

  it('requests at most 32 connections at once, however many calls wait', async () => {
    const { queue, requests } = createQueue()
    const calls = Array.from({ length: 100 }, () => queue.acquire(inTime(20)).catch(() => 'ended'))
    expect(requests).toHaveLength(32)
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['ended']))
  })

  it('rejects no call with the error of a request that is older than the call', async () => {
    const { queue, requests } = createQueue()
    await expect(queue.acquire(inTime(10))).rejects.toMatchObject({ reason: 'timeout' })
    const acquired = queue.acquire(inTime(LATER))
    expect(requests).toHaveLength(2)
    requests[0]?.(new Error('too late'), undefined)
    const { client } = createClient()
    requests[1]?.(undefined, client)
    expect((await acquired).client).toBe(client)
  })

  it('serves an urgent call before the calls that wait already', async () => {
    const { queue, requests } = createQueue()
    const waiting = queue.acquire(inTime(LATER))
    const urgent = queue.acquire(inTime(LATER), true)
    const [first, second] = [createClient(), createClient()]
    requests[0]?.(undefined, first.client)
    requests[1]?.(undefined, second.client)
    expect((await urgent).client).toBe(first.client)
    expect((await waiting).client).toBe(second.client)
  })

  it.each([
    [
      'throws',
      () => () => {
        throw new Error('no certificate')
      },
    ],
    [
      'calls back at once with an error',
      () => (callback: Callback) => callback(new Error('no certificate'), undefined),
    ],
  ] as const)('rejects each call with the error of a pool that %s', async (_, createConnect) => {
    const queue = new ConnectionQueue({ connect: createConnect() })
    const calls = Array.from({ length: 10_000 }, () => queue.acquire(inTime(LATER)).catch(String))
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['Error: no certificate']))
  })

  it('destroys connections that were last used before a failure, and uses a newer one', async () => {
    const { queue, requests } = createQueue()
    const [old, fresh] = [createClient(), createClient()]
    const first = queue.acquire(inTime(LATER))
    requests[0]?.(undefined, old.client)
    ;(await first).release()
    queue.reportFailure(performance.now())
    const second = queue.acquire(inTime(LATER))
    requests[1]?.(undefined, old.client)
    await expect.poll(() => requests.length).toBe(3)
    requests[2]?.(undefined, fresh.client)
    expect((await second).client).toBe(fresh.client)
    expect(old.releases).toEqual([false, true])
  })
})
