import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { isPromiseLike } from '../../../src/base/awaitable.ts'
import type { GraphEvent } from '../../../src/core/events.ts'
import { engineOf } from '../../../src/execute/engine.ts'
import { createQuery } from '../../../src/execute/query.ts'
import { NODE_READ } from '../../../src/execute/read-nodes.ts'
import { runQuery } from '../../../src/execute/run-query.ts'
import { ObjectFormatter } from '../../../src/format/object-formatter.ts'
import type { Store, StoreReader } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'

/** The name of the method that makes an object a promise. Here it is also the name of an ordinary field. */
const THEN = 'then'

const schema = defineSchema({
  person: node({
    fields: {
      name: field.string({ default: true }),
      [THEN]: field.string(),
      length: field.int({ resolve: records => records.map(({ id }) => id.length) }),
      broken: field.int({
        resolve: async () => {
          throw new Error('resolve')
        },
      }),
    },
    edges: { friends: edge('person') },
  }),
})

/** Creates a store with two friends. */
const createFriendsStore = () => {
  const store = createMemoryStore()
  store.write([
    { op: 'putNode', node: { id: '1', type: 'person', fields: { name: 'Ada', [THEN]: 'later' } } },
    { op: 'putNode', node: { id: '2', type: 'person', fields: { name: 'Grace' } } },
    { op: 'putEdge', edge: { source: '1', name: 'friends', target: '2', time: 0 } },
  ])
  return store
}

const toPromiseStore = (reader: StoreReader): StoreReader['read'] => {
  return async (request, options) => reader.read(request, options)
}

/** Returns a `read` whose results are minimal promises: objects with only the method `then`. */
const toThenableStore = (reader: StoreReader): StoreReader['read'] => {
  return (request, options) => {
    const result = reader.read(request, options)
    return { [THEN]: onResult => Promise.resolve(result).then(onResult) }
  }
}

/** Starts a call without the async method of the graph, which always returns a promise. */
const startCall = (store: Store, fields: string) => {
  const graph = createGraph(store, { schema })
  const session = graph.session({ viewer: '1', app: 'demo', scopes: [] })
  const query = createQuery(
    engineOf('test', graph),
    'getNode',
    session,
    { fields },
    { id: '1', type: undefined },
  )
  return runQuery(query, NODE_READ, ObjectFormatter)
}

describe('runQuery', () => {
  const fields = 'name,then,friends{name}'
  const result = { name: 'Ada', [THEN]: 'later', friends: { data: [{ name: 'Grace', id: '2' }] }, id: '1' }

  it('returns the result synchronously if the store does, even if a field is named `then`', () => {
    const returned = startCall(createFriendsStore(), fields)
    expect(isPromiseLike(returned)).toBe(false)
    expect(returned).toMatchObject(result)
  })

  it('returns a promise if the store or a computed field does', async () => {
    expect(isPromiseLike(startCall(createFriendsStore(), 'length'))).toBe(true)
    for (const slow of [toPromiseStore, toThenableStore]) {
      const store = createFriendsStore()
      const returned = startCall(delegateStore(store, { read: slow(store) }), fields)
      expect(isPromiseLike(returned)).toBe(true)
      expect(await returned).toMatchObject(result)
    }
  })
})

/** The ways in which a store fails. */
const FAILURES = {
  throws: () => {
    throw new Error('store')
  },
  rejects: () => Promise.reject(new Error('store')),
}

/**
 * Creates a graph of friends whose store fails at one of its reads. Also returns the graph's events, and a
 * function that counts its open snapshots.
 */
const createFailingGraph = (at: number, fail: () => Promise<never>, consistency: 'read' | 'snapshot') => {
  const store = createFriendsStore()
  const events: GraphEvent[] = []
  let requests = 0
  let snapshots = 0
  const readOf =
    (reader: StoreReader): StoreReader['read'] =>
    (request, options) =>
      ++requests === at ? fail() : reader.read(request, options)
  const failingStore = delegateStore(store, {
    read: readOf(store),
    snapshot: () => {
      const snapshot = store.snapshot()
      snapshots++
      return {
        read: readOf(snapshot),
        close: () => {
          snapshots--
          return snapshot.close()
        },
      }
    },
  })
  const graph = createGraph(failingStore, { schema, consistency, onEvent: event => void events.push(event) })
  const session = graph.session({ viewer: '1', app: 'demo', scopes: [] })
  return { graph, session, events, openSnapshots: () => snapshots }
}

describe('a query whose store fails', () => {
  const cases = Object.entries(FAILURES).flatMap(([how, fail]) =>
    (['read', 'snapshot'] as const).flatMap(consistency =>
      [1, 2, 3].map(at => ({ how, fail, consistency, at })),
    ),
  )

  it.each(cases)(
    'stops and reports an event for each store read and for the query: store $how at read $at, consistency $consistency',
    async ({ fail, consistency, at }) => {
      const { graph, session, events, openSnapshots } = createFailingGraph(at, fail, consistency)
      const error = await expectGraphError(
        graph.getNode(session, { id: '1', fields: 'friends{friends{name}}' }),
      )
      expect(error.reason).toBe('store_error')
      const requests = Array.from({ length: at }, () => 'read')
      expect(events.map(({ kind }) => kind)).toEqual([...requests, 'query'])
      expect(events.at(-1)).toMatchObject({ reads: at, reason: 'store_error', traceId: error.traceId })
      expect(openSnapshots()).toBe(0)
    },
  )

  it.each(Object.entries(FAILURES))('handles a rejected computed field if the store %s', async (_, fail) => {
    const { graph, session } = createFailingGraph(2, fail, 'read')
    const call = { id: '1', fields: 'broken,friends{broken}' }
    const error = await expectGraphError(graph.getNode(session, call))
    expect(error.reason).toBe('store_error')
    // An unhandled rejection would fail this run.
    await new Promise(resolve => setTimeout(resolve))
  })
})
