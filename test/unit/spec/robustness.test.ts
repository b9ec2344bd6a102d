import { createGraph, type GraphEvent, type Store } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { isGraphError } from '../../../src/base/errors.ts'

const ada = { op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } } as const

const createStoreWith = (changes: Partial<Store>): Store => {
  const store = createMemoryStore()
  store.write([ada])
  return { ...store, ...changes }
}

const reasonOf = async (result: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await result.catch((error: unknown) => error)
  return isGraphError(error) ? error.reason : error
}

describe('an event listener that returns a rejected promise', () => {
  it('does not make the call fail', async () => {
    const onEvent = async () => {
      throw new Error('listener')
    }
    const graph = createGraph(createStoreWith({}), { onEvent })
    const session = graph.session({ viewer: '1', app: 'demo', scopes: [] })
    // An unhandled rejection would fail this run.
    expect(await graph.getMe(session)).toEqual({ name: 'Ada', id: '1' })
  })
})

describe('a snapshot', () => {
  const limits = { timeoutMs: 500 }
  const consistency = 'snapshot'

  it('does not make the call fail if it cannot be closed', async () => {
    const memory = createMemoryStore()
    memory.write([ada])
    const rejecting = {
      ...memory,
      snapshot: () => ({ ...memory.snapshot(), close: () => Promise.reject(new Error('no')) }),
    }
    const hanging = {
      ...memory,
      snapshot: () => ({ ...memory.snapshot(), close: () => new Promise<void>(() => undefined) }),
    }
    for (const store of [rejecting, hanging]) {
      const graph = createGraph(store, { consistency, limits })
      const session = graph.session({ viewer: '1', app: 'demo', scopes: [] })
      expect(await graph.getMe(session)).toEqual({ name: 'Ada', id: '1' })
    }
  })

  it('does not make a call with a large result fail if it is never closed', async () => {
    const memory = createMemoryStore()
    const people = Array.from({ length: 100 }, (_, index) => `${index + 1}`)
    memory.write([
      ...people.map(id => ({ op: 'putNode' as const, node: { id, type: 'user', fields: { name: id } } })),
      ...people.slice(1).flatMap(id => [
        { op: 'putEdge' as const, edge: { source: '1', name: 'friends', target: id, time: 0 } },
        { op: 'putEdge' as const, edge: { source: id, name: 'friends', target: '1', time: 0 } },
      ]),
    ])
    const snapshot = () => ({ ...memory.snapshot(), close: () => new Promise<void>(() => undefined) })
    const graph = createGraph({ ...memory, snapshot }, { consistency, limits })
    const session = graph.session({ viewer: '1', app: 'demo', scopes: ['user_friends'] })
    const fields = 'name,friends.limit(100){name,gender,friends.limit(100){name,gender}}'
    const { friends } = await graph.getMe(session, { fields })
    expect(friends?.data).toHaveLength(99)
  })

  it('is not taken for a call without a token or an aborted call', async () => {
    let taken = 0
    const snapshot = () => {
      taken++
      return new Promise<never>(() => undefined)
    }
    const graph = createGraph(createStoreWith({ snapshot }), { consistency, limits })
    const session = graph.session({ viewer: '1', app: 'demo', scopes: [] })
    expect(await reasonOf(graph.getMe(''))).toBe('token_missing')
    expect(await reasonOf(graph.getMe(session, { signal: AbortSignal.abort() }))).toBe('aborted')
    expect(taken).toBe(0)
  })
})

describe('a Date in the options of a call', () => {
  const DAY = 86_400_000

  it('is read when the call is made, even if it changes later', async () => {
    const memory = createMemoryStore()
    memory.write([
      ada,
      ...[2, 3, 4, 5].flatMap(day => [
        { op: 'putNode', node: { id: `${day}`, type: 'post', fields: {} } } as const,
        { op: 'putEdge', edge: { source: '1', name: 'posts', target: `${day}`, time: day * DAY } } as const,
      ]),
    ])
    const graph = createGraph({ ...memory, read: async (request, options) => memory.read(request, options) })
    const token = await graph.tokens.issue({ viewer: '1', app: 'demo', scopes: ['user_posts'] })
    const until = new Date(2 * DAY)
    const pages: Promise<{ data: { id?: string }[]; paging?: { next?: string } }>[] = []
    for (; until.getTime() <= 4 * DAY; until.setTime(until.getTime() + DAY))
      pages.push(graph.getEdge(token, { id: 'me', edge: 'posts', fields: 'id', until, limit: 1 }))
    const results = await Promise.all(pages)
    expect(results.map(({ data }) => data)).toEqual([[{ id: '2' }], [{ id: '3' }], [{ id: '4' }]])
    const links = results.map(({ paging }) => new URLSearchParams(paging?.next?.split('?')[1]).get('until'))
    expect(links).toEqual([null, new Date(3 * DAY).toISOString(), new Date(4 * DAY).toISOString()])
  })
})

describe('a list of fields in the options of a call', () => {
  it('is read when the call is made, even if it changes while a snapshot is taken', async () => {
    const memory = createMemoryStore()
    memory.write([ada])
    const graph = createGraph(
      { ...memory, snapshot: async () => memory.snapshot() },
      { consistency: 'snapshot' },
    )
    const fields = ['name']
    const pending = graph.getMe(graph.session({ viewer: '1', app: 'demo' }), { fields })
    fields[0] = 'about'
    expect(Object.keys(await pending)).toEqual(['name', 'id'])
  })
})

describe('getEdges', () => {
  it.each([[['11', '999']], [['999', '11']]])(
    'reports a missing node before an unknown edge: %j',
    async ids => {
      const graph = createGraph(createStoreWith({}))
      await graph.write([{ op: 'putNode', node: { id: '11', type: 'page', fields: { name: 'Page' } } }])
      const session = graph.session({ app: 'demo', scopes: [] })
      expect(await reasonOf(graph.getEdges(session, { ids, edge: 'comments' }))).toBe('node_not_found')
    },
  )
})

describe('a store that makes no progress in a list', () => {
  it('fails the call with store_error at once', async () => {
    const memory = createMemoryStore()
    memory.write([ada])
    const end = { time: 0, target: '5' }
    const read: Store['read'] = (request, options) => ({
      ...memory.read(request, options),
      ranges: request.ranges.map(() => ({ entries: [], hasMore: true, lastExamined: end, total: undefined })),
    })
    const graph = createGraph({ ...memory, read })
    const session = graph.session({ viewer: '1', app: 'demo', scopes: ['user_photos'] })
    expect(await reasonOf(graph.getEdge(session, { id: '1', type: 'user', edge: 'photos' }))).toBe(
      'store_error',
    )
  })
})

describe('getNodes with partial', () => {
  it('leaves out an invalid id with a message', async () => {
    const graph = createGraph(createStoreWith({}))
    const session = graph.session({ app: 'demo', scopes: [] })
    const results = await graph.getNodes(session, { ids: ['1', 'abc'], partial: true })
    expect(Object.keys(results)).toEqual(['1', '__debug__'])
    expect(JSON.stringify(results)).toContain(
      '{"1":{"name":"Ada","id":"1"},"__debug__":{"messages":[{"message":"(#100) Invalid parameter \\"id\\": must be a string of at most 19 digits, or \\"me\\"; received \\"abc\\"","type":"warning"}]}}',
    )
    expect(await reasonOf(graph.getNodes(session, { ids: ['1', 'abc'] }))).toBe('invalid_parameter')
  })
})

describe('a clock that throws', () => {
  it('fails a call with a session as an internal error', async () => {
    let isBroken = false
    const now = () => {
      if (isBroken) throw new Error('the clock stopped')
      return 0
    }
    const events: GraphEvent[] = []
    const graph = createGraph(createStoreWith({}), { now, onEvent: event => void events.push(event) })
    const session = graph.session({ viewer: '1', app: 'demo', scopes: [] })
    isBroken = true
    expect(await reasonOf(graph.getMe(session))).toBe('internal_error')
    expect(events).toMatchObject([{ kind: 'query', reason: 'internal_error' }])
  })
})
