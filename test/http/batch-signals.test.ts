import { EventEmitter, getEventListeners } from 'node:events'
import { createGraph, type Store } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { ADA, SCOPES, worldStore } from '../helpers/world.ts'

/** As many statements as a wave has at most: a SQL store listens while each of them runs. */
const STATEMENTS = 4

/** A store that answers no read from when it is shut until it is let. */
const heldStore = async () => {
  const store = await worldStore()
  let shut: Promise<void> | undefined
  const reads: AbortSignal[] = []
  const held: Store = {
    capabilities: store.capabilities,
    open: () => store.open(),
    close: () => store.close(),
    snapshot: () => store.snapshot(),
    write: (mutations, options) => store.write(mutations, options),
    read: (wave, options) => {
      if (shut === undefined) return store.read(wave, options)
      const { signal } = options
      const statements = Array.from({ length: STATEMENTS }, () => () => {})
      for (const end of statements) signal?.addEventListener('abort', end)
      if (signal !== undefined) reads.push(signal)
      return shut.then(() => {
        for (const end of statements) signal?.removeEventListener('abort', end)
        return store.read(wave, options)
      })
    },
  }
  /** Answers what lets the reads go. */
  const hold = (): (() => void) => {
    let letGo = (): void => {}
    shut = new Promise<void>(resolve => {
      letGo = resolve
    })
    return letGo
  }
  return { held, hold, reads }
}

const ask = async (count: number) => {
  const { held, hold, reads } = await heldStore()
  const graph = createGraph(held)
  const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
  const letGo = hold()
  const aborter = new AbortController()
  // Each item has a token of its own: that of a batch is read before its items.
  const relativeUrl = `${ADA}?fields=id&access_token=${token}`
  const batch = Array.from({ length: count }, () => ({ method: 'GET', relative_url: relativeUrl }))
  const answer = createHandler(graph).answer({
    method: 'POST',
    url: 'http://localhost/',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ batch }),
    signal: aborter.signal,
  })
  await new Promise(resolve => setTimeout(resolve, 20))
  return { answer, aborter, letGo, reads }
}

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

describe('the signal of a batch', () => {
  it.each([1, 2, 3, 50])(
    'has so few listeners that no runtime warns of them, and none in the end: %i requests',
    async count => {
      const { answer, aborter, letGo, reads } = await ask(count)
      const signals = new Set([aborter.signal, ...reads])
      expect(reads).toHaveLength(count)
      for (const signal of signals)
        expect(listenersOf(signal)).toBeLessThanOrEqual(EventEmitter.defaultMaxListeners)
      letGo()
      expect(JSON.parse((await answer).body?.toString() ?? '')).toHaveLength(count)
      for (const signal of signals) expect(listenersOf(signal)).toBe(0)
    },
  )

  it.each([2, 50])('ends all that is read for it: %i requests', async count => {
    const { answer, aborter, reads } = await ask(count)
    aborter.abort()
    expect(reads.map(({ aborted }) => aborted)).toEqual(Array.from({ length: count }, () => true))
    expect(JSON.parse((await answer).body?.toString() ?? '')).toHaveLength(count)
  })
})
