import { describe, expect, it } from 'vitest'
import type { StoreReadOptions } from '../../../src/store/contract.ts'
import { ADA, createWorld } from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'
import { openWorldWithStore } from './open-world-with-store.ts'

const never = new Promise<never>(() => undefined)

describe('a graph', () => {
  it('is frozen, and its methods work without `this`', async () => {
    const { graph } = await createWorld()
    expect(Object.isFrozen(graph) && Object.isFrozen(graph.tokens)).toBe(true)
    const { getMe, session } = graph
    expect(await getMe(session({ viewer: ADA, app: 'demo', scopes: [] }))).toMatchObject({ id: ADA })
  })

  it('opens its store once, at the first use', async () => {
    let opened = 0
    const { graph, ada } = await openWorldWithStore(() => ({ open: async () => void opened++ }))
    expect(opened).toBe(0)
    await Promise.all([graph.getMe(ada), graph.getMe(ada)])
    await graph.getMe(ada)
    expect(opened).toBe(1)
  })

  it('rejects reads and tokens.issue after it is closed', async () => {
    const { graph, ada } = await createWorld()
    await graph.close()
    await graph.close()
    await expect(graph.getMe(ada)).rejects.toThrow()
    await expect(graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: [] })).rejects.toThrow()
  })

  it('closes its store in Symbol.asyncDispose, which `await using` calls', async () => {
    let closed = 0
    const { graph } = await openWorldWithStore(() => ({ close: () => void closed++ }))
    await graph[Symbol.asyncDispose]()
    expect(closed).toBe(1)
  })

  it('gives parallel calls the same results as sequential calls', async () => {
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

describe('the AbortSignal of a call', () => {
  it('prevents all store reads if it is already aborted', async () => {
    let reads = 0
    const { graph, ada } = await openWorldWithStore(memory => ({
      read: (request, options) => {
        reads++
        return memory.read(request, options)
      },
    }))
    const error = await expectGraphError(graph.getMe(ada, { signal: AbortSignal.abort('enough') }))
    expect(error).toMatchObject({ code: 2, status: 503, reason: 'aborted' })
    expect(error.cause).toBe('enough')
    expect(reads).toBe(0)
  })

  it('ends the call if it is aborted during a store read, and prevents further reads', async () => {
    let reads = 0
    const abort = new AbortController()
    const { graph, ada } = await openWorldWithStore(memory => ({
      read: async (request, options) => {
        if (++reads === 2) abort.abort()
        return memory.read(request, options)
      },
    }))
    const call = { id: ADA, fields: 'photos.limit(2){comments{from}}', signal: abort.signal }
    expect((await expectGraphError(graph.getNode(ada, call))).reason).toBe('aborted')
    expect(reads).toBe(2)
  })

  it('ends the call even if the store never responds', async () => {
    const abort = new AbortController()
    const { graph, ada } = await openWorldWithStore(() => ({ read: () => never }))
    const promise = expectGraphError(graph.getMe(ada, { signal: abort.signal }))
    abort.abort()
    expect((await promise).reason).toBe('aborted')
  })

  it('is passed to the store together with the deadline that limits.timeoutMs gives', async () => {
    const seen: StoreReadOptions[] = []
    const { graph, ada } = await openWorldWithStore(
      memory => ({
        read: (request, options) => {
          seen.push(options)
          return memory.read(request, options)
        },
      }),
      { limits: { timeoutMs: 60_000 } },
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

describe('the timeout of a call', () => {
  it('ends a call whose store does not respond', async () => {
    const { graph, ada } = await openWorldWithStore(() => ({ read: () => never }), {
      limits: { timeoutMs: 30 },
    })
    const error = await expectGraphError(graph.getMe(ada))
    expect(error).toMatchObject({
      code: 2,
      status: 503,
      type: 'OAuthException',
      reason: 'timeout',
    })
    expect(error.toJSON().error.is_transient).toBe(true)
  })

  it('limits the time of all store reads of a call together', async () => {
    let reads = 0
    const { graph, ada } = await openWorldWithStore(
      memory => ({
        read: async (request, options) => {
          reads++
          await new Promise(resolve => setTimeout(resolve, 40))
          return memory.read(request, options)
        },
      }),
      { limits: { timeoutMs: 100 } },
    )
    const fields = 'photos.limit(1){comments.limit(1){from{likes{feed{to}}}}}'
    expect((await expectGraphError(callUntyped(graph.getNode, ada, { id: ADA, fields }))).reason).toBe(
      'timeout',
    )
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
    ['returns undefined', () => Object(undefined)],
  ])('causes an error whose JSON does not show the cause if its read %s', async (_, read) => {
    const { graph, ada } = await openWorldWithStore(() => ({ read }))
    const error = await expectGraphError(graph.getMe(ada))
    expect(error).toMatchObject({ code: 2, status: 503, reason: 'store_error' })
    expect(error.cause).toBeInstanceOf(Error)
    expect(JSON.stringify(error)).not.toMatch(/fire|srv/)
  })

  it('is read again by the next call', async () => {
    let fails = true
    const { graph, ada } = await openWorldWithStore(memory => ({
      read: (request, options) => {
        if (fails) throw new Error('not yet')
        return memory.read(request, options)
      },
    }))
    expect((await expectGraphError(graph.getMe(ada))).reason).toBe('store_error')
    fails = false
    expect(await graph.getMe(ada)).toMatchObject({ id: ADA })
  })

  it('is opened again by the next call if it failed to open', async () => {
    let attempts = 0
    const { graph, ada } = await openWorldWithStore(() => ({
      open: async () => {
        if (++attempts === 1) throw new Error('not yet')
      },
    }))
    expect((await expectGraphError(graph.getMe(ada))).reason).toBe('store_error')
    expect(await graph.getMe(ada)).toMatchObject({ id: ADA })
  })
})
