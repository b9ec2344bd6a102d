import { isPromiseLike } from '../base/awaitable.ts'
import type { Store, StoreReader, StoreSnapshot, Wave, WaveAnswer } from '../store/contract.ts'
import { wholeOf } from '../store/divided-read.ts'
import { delegateStore } from './delegate-store.ts'

/** One read of a store: what was asked and how much came. */
export type CountedRead = {
  readonly wave: Wave
  /** How many of each part were asked. */
  readonly asked: { readonly [part in keyof Wave]: number }
  /** How many records were answered: nodes, entries of slices and tokens; a test answers none. */
  readonly rows: number
}

/** A store that remembers its reads, those of its snapshots included. */
export type CountedStore = Store & {
  /** The reads that were answered, in the order of their answers. */
  readonly reads: readonly CountedRead[]
  /** Forgets the reads so far. */
  clear(): void
}

const present = (records: readonly unknown[]): number => records.filter(record => record !== undefined).length

const countedRead = (wave: Wave, answer: WaveAnswer): CountedRead => ({
  wave,
  asked: {
    nodes: wave.nodes.length,
    ranges: wave.ranges.length,
    tests: wave.tests.length,
    tokens: wave.tokens.length,
  },
  rows: answer.ranges.reduce(
    (rows, slice) => rows + slice.entries.length,
    present(answer.nodes) + present(answer.tokens),
  ),
})

/**
 * Wraps a store so that its reads can be counted: whether a query takes as many waves as it should, and what each of
 * them asks. A store that answers at once still does.
 *
 * @example
 * ```ts
 * import { createGraph } from 'kithgraph'
 * import { createMemoryStore } from 'kithgraph/memory'
 * import { countReads } from 'kithgraph/testing'
 *
 * const store = countReads(createMemoryStore())
 * const graph = createGraph(store)
 * await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
 * const token = await graph.tokens.issue({ viewer: '1', app: 'demo', scopes: [] })
 * store.clear()
 * await graph.getNode(token, { id: '1', fields: 'name' })
 * console.log(store.reads.map(({ asked }) => asked.nodes)) // [ 1 ]
 * ```
 */
export const countReads = (store: Store): CountedStore => {
  const reads: CountedRead[] = []
  /** The parts of a divided read are one, in the place of the first. */
  const add = (read: CountedRead, isPart: boolean): void => {
    const index = isPart ? reads.findLastIndex(({ wave }) => wave === read.wave) : -1
    const first = index < 0 ? undefined : reads[index]
    if (first === undefined) reads.push(read)
    else reads[index] = { ...first, rows: first.rows + read.rows }
  }
  const countedReader =
    (reader: StoreReader): StoreReader['read'] =>
    (wave, options) => {
      const count = (answer: WaveAnswer): WaveAnswer => {
        const whole = wholeOf(wave)
        add(countedRead(whole, answer), whole !== wave)
        return answer
      }
      const answer = reader.read(wave, options)
      return isPromiseLike(answer) ? answer.then(count) : count(answer)
    }
  const countedSnapshot = (snapshot: StoreSnapshot): StoreSnapshot => ({
    read: countedReader(snapshot),
    close: () => snapshot.close(),
  })
  const counted = delegateStore(store, {
    read: countedReader(store),
    snapshot: () => {
      const taken = store.snapshot()
      return isPromiseLike(taken) ? taken.then(countedSnapshot) : countedSnapshot(taken)
    },
  })
  return { ...counted, reads, clear: () => reads.splice(0) }
}
