/**
 * A store that wraps another store: it delegates every call to the other store, and counts the reads. A store
 * that keeps data itself implements the same five methods. To test such a store, use `describeStore` of
 * `kithgraph/testing`.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { createGraph, type Store } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'

type Counts = { reads: number; nodes: number; ranges: number; writes: number }

const createCountingStore = (store: Store) => {
  const counts: Counts = { reads: 0, nodes: 0, ranges: 0, writes: 0 }
  const counting: Store = {
    capabilities: store.capabilities,
    open: () => store.open(),
    close: () => store.close(),
    snapshot: () => store.snapshot(),
    read(request, options) {
      counts.reads++
      counts.nodes += request.nodes.length
      counts.ranges += request.ranges.length
      return store.read(request, options)
    },
    write(mutations, options) {
      counts.writes += mutations.length
      return store.write(mutations, options)
    },
  }
  return {
    counts,
    store: counting,
    clear: () => Object.assign(counts, { reads: 0, nodes: 0, ranges: 0, writes: 0 }),
  }
}

const { store, counts, clear } = createCountingStore(createMemoryStore())
await using graph = createGraph(store)
const friends = ['2', '3', '4']
await graph.load([
  { node: { id: '1', type: 'user', fields: { name: 'Alan' } } },
  ...friends.map(id => ({ node: { id, type: 'user' as const, fields: { name: `Friend ${id}` } } })),
  ...friends.map(id => ({ edge: { source: '1', name: 'friends' as const, target: id, time: '2026-01-01' } })),
])
console.log('loaded:', counts)
deepStrictEqual(counts.writes, 4 + 3, 'four people and three friendships, each with both sides')

clear()
const alan = graph.session({ viewer: '1', app: 'book', scopes: ['user_friends'] })
await graph.getMe(alan, { fields: 'name,friends{name,friends{name}}' })
console.log('three levels:', counts)
deepStrictEqual(counts, { reads: 3, nodes: 1, ranges: 4, writes: 0 }, 'one read per level')
