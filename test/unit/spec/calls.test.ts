import { describe, expect, it } from 'vitest'
import type { ReadOptions } from '../../../src/store/contract.ts'
import { ADA, createWorld } from '../../helpers/world.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'
import { openWorld } from './replaced-store.ts'

const never = new Promise<never>(() => undefined)

describe('a graph', () => {
  it('is frozen, and its methods are free of this', async () => {
    const { graph } = await createWorld()
    expect(Object.isFrozen(graph) && Object.isFrozen(graph.tokens)).toBe(true)
    const { getMe, session } = graph
    expect(await getMe(session({ viewer: ADA, app: 'demo', scopes: [] }))).toMatchObject({ id: ADA })
  })

  it('opens its store at the first use, once', async () => {
    let opened = 0
    const { graph, ada } = await openWorld(() => ({ open: async () => void opened++ }))
    expect(opened).toBe(0)
    await Promise.all([graph.getMe(ada), graph.getMe(ada)])
    await graph.getMe(ada)
    expect(opened).toBe(1)
  })

  it('answers nothing once it is closed', async () => {
    const { graph, ada } = await createWorld()
    await graph.close()
    await graph.close()
    await expect(graph.getMe(ada)).rejects.toThrow()
    await expect(graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: [] })).rejects.toThrow()
  })

  it('is closed at the end of an `await using`', async () => {
    let closed = 0
    const { graph } = await openWorld(() => ({ close: () => void closed++ }))
    await graph[Symbol.asyncDispose]()
    expect(closed).toBe(1)
  })

  it('answers many calls at once, each as if it were alone', async () => {
    const { graph, ada } = await createWorld()
    const calls = Array.from(
      { length: 50 },
      (_, index) => () =>
        index % 2 === 0
          ? graph.getNode(ada, { id: ADA, fields: 'photos.limit(3){from}' })
          : graph.getEdge(ada, { id: ADA, edge: 'photos', limit: (index % 9) + 1 }),
    )
    const alone: unknown[] = []
    for (const call of calls) alone.push(await call())
    expect(await Promise.all(calls.map(call => call()))).toEqual(alone)
  })
})

describe('a signal', () => {
  it('that is aborted already starts no read', async () => {
    let reads = 0
    const { graph, ada } = await openWorld(memory => ({
      read: (wave, options) => {
        reads++
        return memory.read(wave, options)
      },
    }))
    const fault = await faultOf(graph.getMe(ada, { signal: AbortSignal.abort('enough') }))
    expect(fault).toMatchObject({ code: 2, status: 503, data: { reason: 'aborted' } })
    expect(fault.cause).toBe('enough')
    expect(reads).toBe(0)
  })

  it('ends a read that is under way, and starts no other', async () => {
    let reads = 0
    const abort = new AbortController()
    const { graph, ada } = await openWorld(memory => ({
      read: async (wave, options) => {
        if (++reads === 2) abort.abort()
        return memory.read(wave, options)
      },
    }))
    const call = { id: ADA, fields: 'photos.limit(2){comments{from}}', signal: abort.signal }
    expect((await faultOf(graph.getNode(ada, call))).data.reason).toBe('aborted')
    expect(reads).toBe(2)
  })

  it('does not wait for a store that never answers', async () => {
    const abort = new AbortController()
    const { graph, ada } = await openWorld(() => ({ read: () => never }))
    const asked = faultOf(graph.getMe(ada, { signal: abort.signal }))
    abort.abort()
    expect((await asked).data.reason).toBe('aborted')
  })

  it('is handed to the store, with the deadline', async () => {
    const seen: ReadOptions[] = []
    const { graph, ada } = await openWorld(
      memory => ({
        read: (wave, options) => {
          seen.push(options)
          return memory.read(wave, options)
        },
      }),
      { limits: { deadline: 60_000 } },
    )
    const { signal } = new AbortController()
    const before = Date.now()
    await graph.getMe(ada, { signal })
    expect(seen).toHaveLength(1)
    expect(seen[0]?.signal).toBe(signal)
    expect(seen[0]?.deadline).toBeGreaterThanOrEqual(before + 60_000)
    expect(seen[0]?.deadline).toBeLessThanOrEqual(Date.now() + 60_000)
  })
})

describe('a deadline', () => {
  it('ends a query whose store is slow', async () => {
    const { graph, ada } = await openWorld(() => ({ read: () => never }), { limits: { deadline: 30 } })
    const fault = await faultOf(graph.getMe(ada))
    expect(fault).toMatchObject({
      code: 2,
      status: 503,
      type: 'OAuthException',
      data: { reason: 'deadline' },
    })
    expect(fault.toJSON().error.is_transient).toBe(true)
  })

  it('is one for all reads of a query', async () => {
    let reads = 0
    const { graph, ada } = await openWorld(
      memory => ({
        read: async (wave, options) => {
          reads++
          await new Promise(resolve => setTimeout(resolve, 40))
          return memory.read(wave, options)
        },
      }),
      { limits: { deadline: 100 } },
    )
    const fields = 'photos.limit(1){comments.limit(1){from{likes{feed{to}}}}}'
    expect((await faultOf(loosely(graph.getNode, ada, { id: ADA, fields }))).data.reason).toBe('deadline')
    expect(reads).toBeLessThanOrEqual(3)
  })
})

describe('a store that fails', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('disk on fire at /srv/db')
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('disk on fire at /srv/db')
      },
    ],
    ['answers nonsense', () => Object(undefined)],
  ])('%s: the fault keeps the cause and tells nothing of it', async (_, read) => {
    const { graph, ada } = await openWorld(() => ({ read }))
    const fault = await faultOf(graph.getMe(ada))
    expect(fault).toMatchObject({ code: 2, status: 503, data: { reason: 'store_fault' } })
    expect(fault.cause).toBeInstanceOf(Error)
    expect(JSON.stringify(fault)).not.toMatch(/fire|srv/)
  })

  it('may work again for the next call', async () => {
    let fails = true
    const { graph, ada } = await openWorld(memory => ({
      read: (wave, options) => {
        if (fails) throw new Error('not yet')
        return memory.read(wave, options)
      },
    }))
    expect((await faultOf(graph.getMe(ada))).data.reason).toBe('store_fault')
    fails = false
    expect(await graph.getMe(ada)).toMatchObject({ id: ADA })
  })

  it('may not open, and be opened again by the next call', async () => {
    let attempts = 0
    const { graph, ada } = await openWorld(() => ({
      open: async () => {
        if (++attempts === 1) throw new Error('not yet')
      },
    }))
    expect((await faultOf(graph.getMe(ada))).data.reason).toBe('store_fault')
    expect(await graph.getMe(ada)).toMatchObject({ id: ADA })
  })
})
