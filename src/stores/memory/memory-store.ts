import { Immer } from 'immer'
import type { Mutation, ReadOptions, Store, StoreSnapshot, Wave, WaveAnswer } from '../../store/contract.ts'
import { heldLines } from '../dump/held-lines.ts'
import { dumpLines } from './dump.ts'
import { Epochs } from './epochs.ts'
import { createGraphTables, forkGraphTables, type GraphTables } from './graph-tables.ts'
import { readWave } from './read-wave.ts'
import { writeBatch } from './write-batch.ts'

/** A snapshot of a memory store; it answers at once. */
export interface MemorySnapshot extends StoreSnapshot {
  /** Answers a wave from the state of when the snapshot was taken. */
  read(wave: Wave, options?: ReadOptions): WaveAnswer
  /** Lets go of what the snapshot alone still holds. Closing it again does nothing. */
  close(): void
}

/** A store in the memory of the process; it answers at once instead of promising. */
export interface MemoryStore extends Store {
  /** Does nothing: there is nothing to open. */
  open(): void
  /** Lets go of all data. */
  close(): void
  /** Answers a wave at once. Records are frozen, and are the very ones that the store keeps. */
  read(wave: Wave, options?: ReadOptions): WaveAnswer
  /** Takes a view of what is there now; what is written later is copied first, as long as the view is open. */
  snapshot(): MemorySnapshot
  /** Writes all of the mutations, or throws and writes none. */
  write(
    mutations: readonly Mutation[],
    options?: { readonly signal: AbortSignal | undefined },
  ): { version: undefined }
  /**
   * All nodes, then all edges, as lines of NDJSON, each with its line break: `{"node":NodeRecord}` or
   * `{"edge":EdgeRecord}`, as `putNode` and `putEdge` take them. Tokens are left out.
   *
   * The lines are of the store as it is when `dump` is called, whatever is written before they are read; each is made
   * when it is asked for. They can be read once. Until they all have been, or reading was broken off, what later
   * writes replace stays in memory.
   */
  dump(): Iterable<string>
}

const CAPABILITIES = Object.freeze({ snapshots: true, durable: false, shared: false, atomicity: 'batch' })

/** What a store or a snapshot works on, until it is closed and lets go of it. */
class Closable<TContent> {
  readonly #kind: string
  #content: TContent | undefined

  constructor(kind: string, content: TContent) {
    this.#kind = kind
    this.#content = content
  }

  /** @throws TypeError once it is closed. */
  get content(): TContent {
    if (this.#content === undefined) throw new TypeError(`expected an open ${this.#kind}, came a closed one`)
    return this.#content
  }

  close(): void {
    this.#content = undefined
  }
}

const createSnapshot = (tables: GraphTables, epochs: Epochs): MemorySnapshot => {
  const epoch = epochs.open()
  const fork = new Closable('snapshot', forkGraphTables(tables, epochs))
  return {
    read: wave => readWave(fork.content, wave),
    close: () => {
      fork.close()
      epochs.close(epoch)
    },
  }
}

const createDump = (tables: GraphTables, epochs: Epochs): Iterable<string> => {
  const epoch = epochs.open()
  return heldLines(dumpLines(forkGraphTables(tables, epochs)), () => epochs.close(epoch))
}

/**
 * Creates an empty store in the memory of the process.
 *
 * It holds ten million edges in about 30 bytes each, with lists of a million as quick to page through as small ones.
 * A write is all or nothing; a snapshot costs nothing until something that it sees is written. Records are copied on
 * the way in and answered frozen. Nothing is left of it after the process.
 *
 * @throws GraphError `invalid_mutation` from `write`, for a changed type, an edge without both ends, or a patch
 * of a missing node; TypeError from anything asked of it after `close`.
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
  const store = new Closable('memory store', createGraphTables(epochs))
  return Object.freeze({
    capabilities: CAPABILITIES,
    open: () => {},
    close: () => store.close(),
    read: (wave: Wave) => readWave(store.content, wave),
    snapshot: () => createSnapshot(store.content, epochs),
    write: (mutations: readonly Mutation[]) => {
      writeBatch(store.content, immer, mutations)
      return { version: undefined }
    },
    dump: () => createDump(store.content, epochs),
  })
}
