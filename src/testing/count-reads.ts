import { isPromiseLike } from '../base/awaitable.ts'
import type {
  Store,
  StoreReader,
  StoreReadRequest,
  StoreReadResult,
  StoreSnapshot,
} from '../store/contract.ts'
import { wholeRequestOf } from '../store/requests.ts'
import { delegateStore } from './delegate-store.ts'

/** One read of a store: the request, and the size of its result. */
export type CountedRead = {
  readonly request: StoreReadRequest
  /** The number of items in each part of the request. */
  readonly requested: { readonly [part in keyof StoreReadRequest]: number }
  /** The number of returned records: nodes, entries and tokens. Checks return no records. */
  readonly rows: number
}

/** A store that records its reads, including those of its snapshots. */
export type CountedStore = Store & {
  /** The completed reads, in the order of completion. */
  readonly reads: readonly CountedRead[]
  /** Clears the recorded reads. */
  clear(): void
}

const countPresent = (records: readonly unknown[]): number =>
  records.filter(record => record !== undefined).length

const createCountedRead = (request: StoreReadRequest, result: StoreReadResult): CountedRead => ({
  request,
  requested: {
    nodes: request.nodes.length,
    ranges: request.ranges.length,
    checks: request.checks.length,
    tokens: request.tokens.length,
  },
  rows: result.ranges.reduce(
    (rows, rangeResult) => rows + rangeResult.entries.length,
    countPresent(result.nodes) + countPresent(result.tokens),
  ),
})

/**
 * Wraps a store and records its reads, so that a test can check how many reads a query makes and what each of
 * them requests. A synchronous store stays synchronous.
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
 * console.log(store.reads.map(({ requested }) => requested.nodes)) // [ 1 ]
 * ```
 */
export const countReads = (store: Store): CountedStore => {
  const reads: CountedRead[] = []
  /** Counts the parts of a divided read as one read, at the position of the first part. */
  const addRead = (read: CountedRead, isPart: boolean): void => {
    const index = isPart ? reads.findLastIndex(({ request }) => request === read.request) : -1
    const existingRead = index < 0 ? undefined : reads[index]
    if (existingRead === undefined) reads.push(read)
    else reads[index] = { ...existingRead, rows: existingRead.rows + read.rows }
  }
  const createCountingRead =
    (reader: StoreReader): StoreReader['read'] =>
    (request, options) => {
      const countResult = (result: StoreReadResult): StoreReadResult => {
        const wholeRequest = wholeRequestOf(request)
        addRead(createCountedRead(wholeRequest, result), wholeRequest !== request)
        return result
      }
      const result = reader.read(request, options)
      return isPromiseLike(result) ? result.then(countResult) : countResult(result)
    }
  const createCountedSnapshot = (snapshot: StoreSnapshot): StoreSnapshot => ({
    read: createCountingRead(snapshot),
    close: () => snapshot.close(),
  })
  const countedStore = delegateStore(store, {
    read: createCountingRead(store),
    snapshot: options => {
      const snapshot = store.snapshot(options)
      return isPromiseLike(snapshot) ? snapshot.then(createCountedSnapshot) : createCountedSnapshot(snapshot)
    },
  })
  return { ...countedStore, reads, clear: () => reads.splice(0) }
}
