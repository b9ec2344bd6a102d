import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { isPromiseLike } from '../../../src/base/awaitable.ts'
import { engineOf } from '../../../src/execute/engine.ts'
import { Projector } from '../../../src/execute/project.ts'
import { Query } from '../../../src/execute/query.ts'
import type { ReadEvent } from '../../../src/execute/read-event.ts'
import { readNode } from '../../../src/execute/read-nodes.ts'
import type { Store, StoreReader } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { faultOf } from '../abuse/fault-of.ts'

/** The name of a method that makes a promise of an object, and of a field like others here. */
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

/** Two friends. */
const friends = () => {
  const store = createMemoryStore()
  store.write([
    { op: 'putNode', node: { id: '1', type: 'person', fields: { name: 'Ada', [THEN]: 'later' } } },
    { op: 'putNode', node: { id: '2', type: 'person', fields: { name: 'Grace' } } },
    { op: 'putEdge', edge: { source: '1', name: 'friends', target: '2', time: 0 } },
  ])
  return store
}

const asPromised = (reader: StoreReader): StoreReader['read'] => {
  return async (wave, options) => reader.read(wave, options)
}

/** The least that is a promise: it knows no more than to call back. */
const asThenable = (reader: StoreReader): StoreReader['read'] => {
  return (wave, options) => {
    const answer = reader.read(wave, options)
    return { [THEN]: onAnswer => Promise.resolve(answer).then(onAnswer) }
  }
}

/** A call on its own, before a method makes a promise of it. */
const lead = (store: Store, fields: string) => {
  const graph = createGraph(store, { schema })
  const session = graph.session({ viewer: '1', app: 'demo', scopes: [] })
  const query = new Query(engineOf('test', graph), 'getNode', session, { fields })
  return query.run(readNode(query, { id: '1', type: undefined }, Projector), node => node)
}

describe('a call', () => {
  const fields = 'name,then,friends{name}'
  const answer = { name: 'Ada', [THEN]: 'later', friends: { data: [{ name: 'Grace', id: '2' }] }, id: '1' }

  it('is answered at once where nothing is promised, also with a field named then', () => {
    const led = lead(friends(), fields)
    expect(isPromiseLike(led)).toBe(false)
    expect(led).toMatchObject(answer)
  })

  it('is promised from the first thing on that is', async () => {
    expect(isPromiseLike(lead(friends(), 'length'))).toBe(true)
    for (const slow of [asPromised, asThenable]) {
      const store = friends()
      const led = lead(delegateStore(store, { read: slow(store) }), fields)
      expect(isPromiseLike(led)).toBe(true)
      expect(await led).toMatchObject(answer)
    }
  })
})

/** How a store fails: at once or in time. */
const FAILURES = {
  'throws at once': () => {
    throw new Error('store')
  },
  'rejects in time': () => Promise.reject(new Error('store')),
}

/** Friends whose store fails at one of its waves, and what was told of the call and its snapshots. */
const failing = (at: number, fail: () => Promise<never>, consistency: 'wave' | 'snapshot') => {
  const store = friends()
  const events: ReadEvent[] = []
  let waves = 0
  let snapshots = 0
  const readOf =
    (reader: StoreReader): StoreReader['read'] =>
    (wave, options) =>
      ++waves === at ? fail() : reader.read(wave, options)
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
  const graph = createGraph(failingStore, { schema, consistency, onRead: event => void events.push(event) })
  const session = graph.session({ viewer: '1', app: 'demo', scopes: [] })
  return { graph, session, events, openSnapshots: () => snapshots }
}

describe('a call whose store fails', () => {
  const cases = Object.entries(FAILURES).flatMap(([how, fail]) =>
    (['wave', 'snapshot'] as const).flatMap(consistency =>
      [1, 2, 3].map(at => ({ how, fail, consistency, at })),
    ),
  )

  it.each(cases)(
    'asks nothing more, tells of each wave and then once of the call: $how at wave $at, consistency $consistency',
    async ({ fail, consistency, at }) => {
      const { graph, session, events, openSnapshots } = failing(at, fail, consistency)
      const fault = await faultOf(graph.getNode(session, { id: '1', fields: 'friends{friends{name}}' }))
      expect(fault.data.reason).toBe('store_fault')
      const waves = Array.from({ length: at }, () => 'wave')
      expect(events.map(({ kind }) => kind)).toEqual([...waves, 'query'])
      expect(events.at(-1)).toMatchObject({ waves: at, fault: 'store_fault', traceId: fault.traceId })
      expect(openSnapshots()).toBe(0)
    },
  )

  it.each(Object.entries(FAILURES))('leaves nothing rejected that nobody meets: %s', async (_, fail) => {
    const { graph, session } = failing(2, fail, 'wave')
    const call = { id: '1', fields: 'broken,friends{broken}' }
    const fault = await faultOf(graph.getNode(session, call))
    expect(fault.data.reason).toBe('store_fault')
    // An unhandled rejection would fail this run.
    await new Promise(resolve => setTimeout(resolve))
  })
})
