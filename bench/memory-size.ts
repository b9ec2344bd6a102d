/**
 * Measures the cost of a large memory store. Loads a skewed graph in batches. Prints the rate, the memory,
 * the time of the garbage collector, and the times of a page from a list of a million edges and from a list
 * of 25.
 *
 *     node --import tsx bench/memory-size.ts [nodes = 1000000] [edges = 10000000] [ascending]
 *
 * Four hubs share two fifths of the edges. The other edges connect random nodes, more often nodes with low
 * numbers. Times are random, which is the slowest order of inserts, unless `ascending` is given. Seconds are
 * processor time, so that other load on the machine has little effect.
 */
import { createMemoryStore, type MemoryStore } from 'kithgraph/memory'
import type { EdgeRange } from '../src/store/contract.ts'
import type { StoreMutation } from '../src/store/mutations.ts'
import { createRandom } from './data/random.ts'
import { measureCollectorShare, measureHeldBytes } from './heap/collector.ts'

const [nodes = 1_000_000, edges = 10_000_000] = process.argv.slice(2, 4).map(Number)
const isAscending = process.argv.includes('ascending')
const BATCH = 1000
const HUBS = 4
const PAGE = 25
const ROUNDS = 20_000

const random = createRandom(1)

const FIRST_ID = 100_000_000_000
const idOf = (index: number): string => `${FIRST_ID + index}`
const skewed = (): number => Math.floor(nodes * random() ** 2)

const nodeMutation = (index: number): StoreMutation => ({
  op: 'putNode',
  node: {
    id: idOf(index),
    type: 'user',
    fields: { name: `Person ${index}`, created_time: index, verified: true },
  },
})

const SPREAD = 7919

const edgeMutation = (index: number): StoreMutation => {
  const time = isAscending ? index * 1000 : Math.floor(random() * 1e12)
  if (index % 5 > 1) {
    const name = index % 2 === 0 ? 'photos' : 'likes'
    return { op: 'putEdge', edge: { source: idOf(skewed()), name, target: idOf(skewed()), time } }
  }
  const turn = Math.floor(index / 5) * 2 + (index % 5)
  const target = idOf((Math.floor(turn / HUBS) * SPREAD) % nodes)
  return { op: 'putEdge', edge: { source: idOf(turn % HUBS), name: 'followers', target, time } }
}

/** Returns the processor time so far, in milliseconds. */
const processorTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Writes records in batches, and returns the records per second. The time to create the records is not
 * included.
 */
const load = (store: MemoryStore, count: number, mutation: (index: number) => StoreMutation): number => {
  let spent = 0
  for (let start = 0; start < count; start += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - start) }, (_, offset) =>
      mutation(start + offset),
    )
    const began = processorTime()
    store.write(batch)
    spent += processorTime() - began
  }
  return (count / spent) * 1000
}

const rangeOf = (source: string, name: string, from?: EdgeRange['from']): EdgeRange => ({
  source,
  name,
  direction: 'newest',
  from,
  minTime: undefined,
  maxTime: undefined,
  limit: PAGE,
  count: true,
})

const readRanges = (store: MemoryStore, ranges: readonly EdgeRange[]) =>
  store.read({ nodes: [], ranges, checks: [], tokens: [] }).ranges

/** Returns the average time of a range in microseconds, from the fastest of five runs. */
const timeRanges = (store: MemoryStore, ranges: readonly EdgeRange[]): number => {
  const goes = Array.from({ length: 5 }, () => {
    const began = processorTime()
    for (let round = 0; round < ROUNDS; round++) {
      const range = ranges[round % ranges.length]
      if (range !== undefined) readRanges(store, [range])
    }
    return ((processorTime() - began) / ROUNDS) * 1000
  })
  return Math.min(...goes)
}

const countEdges = (store: MemoryStore): number => {
  let total = 0
  for (let index = 0; index < nodes; index++) {
    for (const name of ['followers', 'photos', 'likes']) {
      total += readRanges(store, [{ ...rangeOf(idOf(index), name), limit: 0 }])[0]?.total ?? 0
    }
  }
  return total
}

/** Adds a separate list with one page of edges. */
const addSmallList = (store: MemoryStore): void => {
  load(store, PAGE, index => ({
    op: 'putEdge',
    edge: { source: idOf(0), name: 'small', target: idOf(Math.floor(random() * nodes)), time: index },
  }))
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`
const print = (label: string, text: string): void => console.log(`${label.padEnd(36)}${text}`)

const store = createMemoryStore()
const empty = measureHeldBytes()
const nodeRate = load(store, nodes, nodeMutation)
const withNodes = measureHeldBytes()
let edgeRate = 0
const collected = await measureCollectorShare(() => {
  edgeRate = load(store, edges, edgeMutation)
})
const withEdges = measureHeldBytes()
const stored = countEdges(store)
addSmallList(store)

const hub = idOf(0)
const positions = Array.from({ length: 64 }, () => ({ time: Math.floor(random() * 1e12), target: idOf(0) }))
const small = timeRanges(store, [rangeOf(hub, 'small')])
const large = timeRanges(store, [rangeOf(hub, 'followers')])
const inside = timeRanges(
  store,
  positions.map(position => rangeOf(hub, 'followers', position)),
)
const hubSize = readRanges(store, [rangeOf(hub, 'followers')])[0]?.total ?? 0

print('nodes, edges', `${nodes}, ${stored}`)
print('records a second, nodes', nodeRate.toFixed(0))
print('records a second, edges', edgeRate.toFixed(0))
print('records a second, all', ((nodes + edges) / (nodes / nodeRate + edges / edgeRate)).toFixed(0))
print('collector, while edges are loaded', `${(100 * collected).toFixed(1)} % of the time`)
print('bytes a node', ((withNodes - empty) / nodes).toFixed(1))
print('bytes an edge', ((withEdges - withNodes) / stored).toFixed(1))
print('resident', megabytes(process.memoryUsage().rss))
print(`page of ${PAGE}, list of ${PAGE}`, `${small.toFixed(2)} µs`)
print(`page of ${PAGE}, list of ${hubSize}`, `${large.toFixed(2)} µs, ${(large / small).toFixed(2)} times`)
print(`page of ${PAGE}, anywhere in it`, `${inside.toFixed(2)} µs`)
