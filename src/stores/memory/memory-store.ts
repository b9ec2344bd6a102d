import { Immer } from 'immer'
import { usageErrorAbout } from '../../base/usage-error.ts'
import type {
  Store,
  StoreMutation,
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
  StoreSnapshot,
} from '../../store/contract.ts'
import { withRelease } from '../dump-lines.ts'
import { dumpLines } from './dump.ts'
import { createGraphTables, forkGraphTables, type GraphTables } from './graph-tables.ts'
import { Epochs } from './paged-tables.ts'
import { executeRead } from './read-request.ts'
import { writeBatch } from './write-batch.ts'

/** A snapshot of a memory store; it is synchronous. */
export interface MemorySnapshot extends StoreSnapshot {
  /** Executes a read request on the state at the time of the snapshot. */
  read(request: StoreReadRequest, options?: StoreReadOptions): StoreReadResult
  /** Releases the data that only the snapshot still uses. Closing it again does nothing. */
  close(): void
}

/** A store in the memory of the process; it returns results instead of promises. */
export interface MemoryStore extends Store {
  /** Does nothing. */
  open(): void
  /** Releases all data. */
  close(): void
  /** Executes a read request synchronously. Records are frozen, and are those of the store itself. */
  read(request: StoreReadRequest, options?: StoreReadOptions): StoreReadResult
  /** Takes a view of the current data. While it is open, later writes copy what they change. */
  snapshot(): MemorySnapshot
  /** Writes all of the mutations, or throws and writes none. */
  write(
    mutations: readonly StoreMutation[],
    options?: { readonly signal: AbortSignal | undefined },
  ): { revision: undefined }
  /**
   * Returns all nodes, then all edges, as lines of NDJSON, each with its line break: `{"node":NodeRecord}` or
   * `{"edge":EdgeRecord}`, in the form of `putNode` and `putEdge`. Tokens are not included.
   *
   * The lines contain the state of the store when `dump` is called, regardless of later writes. Each line is
   * created when it is read. They can be read once. Until all have been read, or reading stops, data that
   * later writes replace stays in memory.
   */
  dump(): Iterable<string>
}

const CAPABILITIES = Object.freeze({ snapshots: true, durable: false, shared: false, atomicity: 'batch' })

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
   * @throws TypeError after it is closed.
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

const createDump = (tables: GraphTables, epochs: Epochs): Iterable<string> => {
  const epoch = epochs.openSnapshot()
  return withRelease(dumpLines(forkGraphTables(tables, epochs)), () => epochs.closeSnapshot(epoch))
}

/**
 * Creates an empty store in the memory of the process.
 *
 * It stores ten million edges in about 30 bytes each. Lists of a million edges are as fast to page through as
 * small ones. A write is all or nothing. A snapshot costs nothing until something that it sees is written.
 * Records are copied when they are written, and frozen. Nothing is kept after the process ends.
 *
 * @throws GraphError `invalid_mutation` from `write`, for a changed type, an edge without both ends, or a
 * patch of a missing node; TypeError from any call after `close`.
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
  const immer = new Immer()
  const closableTables = new Closable('memory store', createGraphTables(epochs))
  return Object.freeze({
    capabilities: CAPABILITIES,
    open: () => {},
    close: () => closableTables.close(),
    read: (request: StoreReadRequest) => executeRead(closableTables.content, request),
    snapshot: () => createSnapshot(closableTables.content, epochs),
    write: (mutations: readonly StoreMutation[]) => {
      writeBatch(closableTables.content, immer, mutations)
      return { revision: undefined }
    },
    dump: () => createDump(closableTables.content, epochs),
  })
}
