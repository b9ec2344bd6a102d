import { createGraph, type GraphOptions } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { ReadEvent } from '../../../src/execute/read-event.ts'
import type { ReadOptions, Store } from '../../../src/store/contract.ts'
import { ADA, ALAN, createWorld, GRACE, NEWEST_PHOTO, SCOPES, worldStore } from '../../helpers/world.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'

/** A store like another, but with some methods replaced. */
const storeWith = (store: Store, replaced: Partial<Store>): Store => ({
  capabilities: store.capabilities,
  open: () => store.open(),
  close: () => store.close(),
  read: (wave, options) => store.read(wave, options),
  write: (mutations, options) => store.write(mutations, options),
  snapshot: () => store.snapshot(),
  ...replaced,
})

const openWorld = async (replaced: (store: Store) => Partial<Store>, options: GraphOptions = {}) => {
  const memory = await worldStore()
  const graph = createGraph(storeWith(memory, replaced(memory)), options)
  return { memory, graph, ada: graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES }) }
}

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

describe('onRead', () => {
  const listen = async () => {
    const events: ReadEvent[] = []
    const world = await openWorld(() => ({}), { onRead: event => void events.push(event) })
    return { ...world, events }
  }

  it('is told of every wave and of every query', async () => {
    const { graph, ada, events } = await listen()
    await graph.getNode(ada, { id: ADA, fields: 'photos.limit(3){from}' })
    const duration = expect.any(Number)
    const wave = { kind: 'wave', method: 'getNode', nodes: 0, ranges: 0, tests: 0, tokens: 0, duration }
    expect(events).toEqual([
      { ...wave, nodes: 1 },
      { ...wave, ranges: 1 },
      { ...wave, nodes: 3 },
      { kind: 'query', method: 'getNode', waves: 3, duration, fault: undefined, traceId: undefined },
    ])
  })

  it('is told why a query failed, and by which trace id it is found', async () => {
    const { graph, ada, events } = await listen()
    const fault = await faultOf(graph.getNode(ada, { id: '999' }))
    expect(events.at(-1)).toMatchObject({
      kind: 'query',
      waves: 1,
      fault: 'node_missing',
      traceId: fault.traceId,
    })
  })

  it('is told nothing of a token or of whom it is about', async () => {
    const { graph, events } = await listen()
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
    await graph.getMe(token, { fields: 'name,email,friends,photos.limit(2){viewer_likes}' })
    await faultOf(graph.getNode('no such token', { id: GRACE }))
    const text = JSON.stringify(events.map(({ duration, ...event }) => event))
    expect(text).not.toContain(token)
    for (const word of ['Ada', 'example.org', 'no such token', NEWEST_PHOTO]) expect(text).not.toContain(word)
    for (const event of events) {
      for (const value of Object.values(event))
        expect(['number', 'string', 'undefined']).toContain(typeof value)
    }
  })

  it('may throw without harm', async () => {
    const { graph, ada } = await openWorld(() => ({}), {
      onRead: () => {
        throw new Error('the log is full')
      },
    })
    expect(await graph.getMe(ada)).toMatchObject({ id: ADA })
  })
})

describe("consistency: 'snapshot'", () => {
  it('shows all waves of a call one state of the store', async () => {
    const memory = await worldStore()
    const asked = { id: ADA, fields: 'friends.limit(1){name}' }
    const askWith = async (consistency: 'wave' | 'snapshot'): Promise<unknown> => {
      const rename = (): void => {
        memory.write([{ op: 'patchNode', id: ALAN, fields: { name: 'A. M. Turing' } }])
      }
      memory.write([{ op: 'patchNode', id: ALAN, fields: { name: 'Alan Turing' } }])
      const store = storeWith(memory, {
        read: (wave, options) => {
          const answer = memory.read(wave, options)
          rename()
          return answer
        },
        snapshot: () => {
          const snapshot = memory.snapshot()
          return {
            read: (wave, options) => {
              const answer = snapshot.read(wave, options)
              rename()
              return answer
            },
            close: () => snapshot.close(),
          }
        },
      })
      const { getNode, session } = createGraph(store, { consistency })
      return getNode(session({ viewer: ADA, app: 'demo', scopes: SCOPES }), asked)
    }
    expect(await askWith('snapshot')).toMatchObject({ friends: { data: [{ name: 'Alan Turing' }] } })
    expect(await askWith('wave')).toMatchObject({ friends: { data: [{ name: 'A. M. Turing' }] } })
  })

  it('closes every snapshot it took, also where the query fails', async () => {
    let open = 0
    const { graph, ada } = await openWorld(
      memory => ({
        snapshot: async () => {
          const snapshot = await memory.snapshot()
          open++
          return {
            read: (wave, options) => snapshot.read(wave, options),
            close: async () => {
              open--
              await snapshot.close()
            },
          }
        },
      }),
      { consistency: 'snapshot' },
    )
    await graph.getNode(ada, { id: ADA, fields: 'friends' })
    await faultOf(graph.getNode(ada, { id: '999' }))
    expect(open).toBe(0)
  })

  it('is refused for a store that has none', () => {
    const memory = createMemoryStore()
    const store = storeWith(memory, { capabilities: { ...memory.capabilities, snapshots: false } })
    expect(() => createGraph(store, { consistency: 'snapshot' })).toThrow(
      new TypeError(
        "createGraph: consistency 'snapshot' needs a store with snapshots, and this one has none",
      ),
    )
  })
})
