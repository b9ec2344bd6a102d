import { usageErrorAbout } from '../../base/usage-error.ts'
import type { BatchId } from '../../store/conditional.ts'
import type {
  Store,
  StoreCapabilities,
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
  StoreSnapshot,
  StoreWriteOptions,
} from '../../store/contract.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { withRelease } from '../dump-lines.ts'
import { AppliedBatches } from './applied-batches.ts'
import { dumpLines } from './dump.ts'
import { createGraphTables, forkGraphTables, type GraphTables } from './graph-tables.ts'
import { Epochs } from './paged-tables.ts'
import { executeRead } from './read-request.ts'
import { writeBatch } from './write-batch.ts'

/** A snapshot of a memory store. All methods are synchronous. */
export interface MemorySnapshot extends StoreSnapshot {
  /** Executes a read request on the state at the time of the snapshot. */
  read(request: StoreReadRequest, options?: StoreReadOptions): StoreReadResult
  /** Releases the data that only the snapshot still uses. A second call does nothing. */
  close(): void
}

/** A store in the memory of the process. All methods are synchronous. */
export interface MemoryStore extends Store {
  /** Does nothing. */
  open(): void
  /** Releases all data. */
  close(): void
  /** Executes a read request. The records in the result are the stored records, which are frozen. */
  read(request: StoreReadRequest, options?: StoreReadOptions): StoreReadResult
  /**
   * Returns a view of the current data. While the view is open, writes copy data that the view contains
   * before they change it.
   */
  snapshot(): MemorySnapshot
  /** Writes all of the mutations, or throws and writes none. */
  write(mutations: readonly StoreMutation[], options?: StoreWriteOptions): { revision: undefined }
  /**
   * Returns all nodes, then all edges, as lines of NDJSON, each with its line break: `{"node":NodeRecord}` or
   * `{"edge":EdgeRecord}`, in the form of `putNode` and `putEdge`. Tokens are not included.
   *
   * The lines contain the state of the store when `dump` is called, regardless of later writes. Each line is
   * created when it is read. The lines can be read only once. The store keeps overwritten data in memory
   * until all lines have been read or the reader stops.
   */
  dump(): Iterable<string>
}

const CAPABILITIES: StoreCapabilities = Object.freeze({
  snapshots: true,
  durable: false,
  shared: false,
  atomicity: 'batch',
  conditionalWrites: true,
  collections: true,
  ids: Object.freeze(['digits', 'named'] as const),
})

/** The content of a store or a snapshot, until it is closed. */
class Closable<TContent> {
  readonly #kind: string
  #content: TContent | undefined

  constructor(kind: string, content: TContent) {
    this.#kind = kind
    this.#content = content
  }

  /**
   * Returns the content.
   *
   * @throws TypeError after the store or snapshot is closed.
   */
  get content(): TContent {
    if (this.#content === undefined)
      throw usageErrorAbout(this.#kind, `the ${this.#kind}`, 'open', `a closed ${this.#kind}`)
    return this.#content
  }

  close(): void {
    this.#content = undefined
  }
}

const createSnapshot = (tables: GraphTables, epochs: Epochs): MemorySnapshot => {
  const epoch = epochs.openSnapshot()
  const closableTables = new Closable('snapshot', forkGraphTables(tables, epochs))
  return {
    read: request => executeRead(closableTables.content, request),
    close: () => {
      closableTables.close()
      epochs.closeSnapshot(epoch)
    },
  }
}

/** Everything that a store contains, until it is closed. */
type Content = { readonly tables: GraphTables; readonly appliedBatches: AppliedBatches }

const writeOnce = (
  { tables, appliedBatches }: Content,
  mutations: readonly StoreMutation[],
  batch: BatchId | undefined,
): void => {
  if (batch !== undefined && appliedBatches.has(batch)) return
  writeBatch(tables, mutations)
  if (batch !== undefined) appliedBatches.add(batch)
}

const createDump = (tables: GraphTables, epochs: Epochs): Iterable<string> => {
  const epoch = epochs.openSnapshot()
  return withRelease(dumpLines(forkGraphTables(tables, epochs)), () => epochs.closeSnapshot(epoch))
}

/**
 * Creates an empty store in the memory of the process.
 *
 * An edge takes about 30 bytes in a store of ten million edges. Paging through a list of a million edges is
 * as fast as through a short list. A write is all or nothing. A snapshot copies no data until a write changes
 * data that it contains. Records are copied when they are written, and frozen. All data is lost when the
 * process ends.
 *
 * @throws GraphError `invalid_mutation` from `write` if a mutation would change the type of a node, puts an
 * edge without both ends, patches a missing node, or has an impossible increment; `conflict` if a condition
 * does not hold, or another batch has the same id; TypeError from `read`, `write`, `snapshot` and `dump` after
 * `close`.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const store = createMemoryStore()
 * store.write([
 *   { op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } },
 *   { op: 'putNode', node: { id: '2', type: 'photo', fields: {} } },
 *   { op: 'putEdge', edge: { source: '1', name: 'photos', target: '2', time: 0 } },
 * ])
 * console.log([...store.dump()].length) // 3
 * ```
 */
export const createMemoryStore = (): MemoryStore => {
  const epochs = new Epochs()
  const closable = new Closable<Content>('memory store', {
    tables: createGraphTables(epochs),
    appliedBatches: new AppliedBatches(),
  })
  return Object.freeze({
    capabilities: CAPABILITIES,
    open: () => {},
    close: () => closable.close(),
    read: (request: StoreReadRequest) => executeRead(closable.content.tables, request),
    snapshot: () => createSnapshot(closable.content.tables, epochs),
    write: (mutations: readonly StoreMutation[], { batch }: Partial<StoreWriteOptions> = {}) => {
      writeOnce(closable.content, mutations, batch)
      return { revision: undefined }
    },
    dump: () => createDump(closable.content.tables, epochs),
  })
}
