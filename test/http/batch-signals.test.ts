import { EventEmitter, getEventListeners } from 'node:events'
import { createGraph, type Store } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { ADA, createWorldStore, SCOPES } from '../helpers/world.ts'

/**
 * The largest number of statements in one store read. A SQL store adds a listener for each statement while it
 * runs.
 */
const STATEMENTS = 4

/** Creates a store whose reads wait after a call of `hold` until they are released. */
const createHeldStore = async () => {
  const store = await createWorldStore()
  let gate: Promise<void> | undefined
  const reads: AbortSignal[] = []
  const held: Store = {
    capabilities: store.capabilities,
    open: () => store.open(),
    close: () => store.close(),
    snapshot: () => store.snapshot(),
    write: (mutations, options) => store.write(mutations, options),
    read: (request, options) => {
      if (gate === undefined) return store.read(request, options)
      const { signal } = options
      const statements = Array.from({ length: STATEMENTS }, () => () => {})
      for (const end of statements) signal?.addEventListener('abort', end)
      if (signal !== undefined) reads.push(signal)
      return gate.then(() => {
        for (const end of statements) signal?.removeEventListener('abort', end)
        return store.read(request, options)
      })
    },
  }
  /** Makes later reads wait until the returned function is called. */
  const hold = (): (() => void) => {
    let release = (): void => {}
    gate = new Promise<void>(resolve => {
      release = resolve
    })
    return release
  }
  return { held, hold, reads }
}

const requestBatch = async (count: number) => {
  const { held, hold, reads } = await createHeldStore()
  const graph = createGraph(held)
  const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
  const release = hold()
  const aborter = new AbortController()
  // Each item has its own token, because a token of the batch would be read before the items.
  const relativeUrl = `${ADA}?fields=id&access_token=${token}`
  const batch = Array.from({ length: count }, () => ({ method: 'GET', relative_url: relativeUrl }))
  const response = createHandler(graph).respond({
    method: 'POST',
    url: 'http://localhost/',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ batch }),
    signal: aborter.signal,
  })
  await expect.poll(() => reads.length).toBe(count)
  return { response, aborter, release, reads }
}

const countListeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

describe('the signal of a batch', () => {
  it.each([1, 2, 3, 50])(
    'stays within the listener limit of the runtime, and keeps no listener: %i requests',
    async count => {
      const { response, aborter, release, reads } = await requestBatch(count)
      const signals = new Set([aborter.signal, ...reads])
      expect(reads).toHaveLength(count)
      for (const signal of signals)
        expect(countListeners(signal)).toBeLessThanOrEqual(EventEmitter.defaultMaxListeners)
      release()
      expect(JSON.parse((await response).body?.toString() ?? '')).toHaveLength(count)
      for (const signal of signals) expect(countListeners(signal)).toBe(0)
    },
  )

  it.each([2, 50])('aborts all store reads of the batch: %i requests', async count => {
    const { response, aborter, reads } = await requestBatch(count)
    aborter.abort()
    expect(reads.map(({ aborted }) => aborted)).toEqual(Array.from({ length: count }, () => true))
    expect(JSON.parse((await response).body?.toString() ?? '')).toHaveLength(count)
  })
})
