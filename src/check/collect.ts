import { TurnQueue } from '../base/turn-queue.ts'
import { findListFlags } from '../schema/list-flags.ts'
import type { Schema } from '../schema/schema.ts'
import type { NodeRecord, Store } from '../store/contract.ts'
import { type DerivedEntry, isDerivedList, ROOT_ID } from '../store/derived-entries.ts'
import type { Finding, StoreInspector } from '../store/inspection.ts'
import type { StoreMutation } from '../store/mutations.ts'
import { DeclaredEntries } from './declared-entries.ts'
import { divide } from './divide.ts'
import { pause } from './pause.ts'
import { expectEntries, findStrayEntries } from './record-entries.ts'

/** The numbers of records that were read, and of the entries that their collections and orders have. */
export type CollectedCounts = { nodes: number; edges: number; entries: number }

/** Receives what happens while the lists are built. */
type CollectSink = {
  /** Called after each page. */
  onProgress(counts: CollectedCounts): void
  /** Called with the entry of a record whose value cannot order the list. The list does not contain the record. */
  onUnordered(entry: DerivedEntry): void
  /** Called with a record that cannot be read. No list contains it. */
  onDamaged(finding: Finding): void
}

const MAX_ATTEMPTS = 5
/** The time before a second attempt, in milliseconds. Each further one is twice as long. */
const RETRY_PAUSE_MS = 200
/** The maximum time after a batch in which only other writers write, in milliseconds. */
const MAX_PAUSE_MS = 100

/** Writes entries in batches, between the writes of others. */
class EntryWriter {
  readonly #store: Store
  readonly #signal: AbortSignal | undefined

  constructor(store: Store, signal: AbortSignal | undefined) {
    this.#store = store
    this.#signal = signal
  }

  /**
   * Derives entries. Pauses after each batch for as long as the batch took, because SQLite gives a writer that
   * waits no turn of its own.
   *
   * @throws the error of the store, if a batch failed several times; the reason of the signal, if it aborts.
   */
  async derive(entries: readonly DerivedEntry[]): Promise<void> {
    for (const part of divide(entries)) {
      const startedAt = performance.now()
      await this.write(part.map(entry => ({ op: 'deriveEntry', entry })))
      await pause(Math.min(performance.now() - startedAt, MAX_PAUSE_MS))
      this.#signal?.throwIfAborted()
    }
  }

  /** Writes mutations that may be written twice. */
  async write(mutations: readonly StoreMutation[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#store.write(mutations, { signal: this.#signal })
        return
      } catch (error) {
        this.#signal?.throwIfAborted()
        if (attempt === MAX_ATTEMPTS) throw error
      }
      await pause(RETRY_PAUSE_MS * 2 ** (attempt - 1))
    }
  }
}

/** A node, and the names of all collections in which it may have an entry. */
type CollectedNode = { readonly node: Pick<NodeRecord, 'id' | 'type'>; readonly names: readonly string[] }

/**
 * Derives the entries of nodes in collections. Before the store derives them, a node may be replaced by one of
 * another type, so the types are read again afterwards.
 */
const deriveNodeEntries = async (
  inspector: StoreInspector,
  declared: DeclaredEntries,
  writer: EntryWriter,
  nodes: readonly NodeRecord[],
): Promise<void> => {
  const toCollected = (node: NodeRecord, names: readonly string[]): CollectedNode => ({
    node,
    names: [...new Set([...names, ...declared.ofNode(node).map(({ name }) => name)])],
  })
  let collected = nodes.map(node => toCollected(node, []))
  while (collected.length > 0) {
    await writer.derive(
      collected.flatMap(({ node, names }) => names.flatMap(name => declared.ofCollection(name, node) ?? [])),
    )
    const currentNodes = await inspector.readNodes(collected.map(({ node }) => node.id))
    collected = collected.flatMap(({ node, names }, index) => {
      const current = currentNodes[index]
      return current === undefined || current.type === node.type ? [] : toCollected(current, names)
    })
  }
}

/** Whether a record cannot be read. A damaged entry is derived again. */
const isDamaged = (finding: Finding): boolean =>
  finding.kind === 'damagedNode' || (finding.kind === 'damagedEdge' && !isDerivedList(finding.edge))

/**
 * Builds the collections and further orders of a schema over the records of a store, while others write with the
 * same schema. The store derives each entry from the current record, so no write in between is lost. The caller
 * then sets the completion flags with `completeLists`.
 *
 * @throws the reason of the signal, if it aborts, and errors of the store. The run can be repeated.
 */
export const collectEntries = async (
  inspector: StoreInspector,
  store: Store,
  schema: Schema,
  sink: CollectSink,
  signal?: AbortSignal,
): Promise<CollectedCounts> => {
  const counts: CollectedCounts = { nodes: 0, edges: 0, entries: 0 }
  const declared = new DeclaredEntries(schema.types)
  const writer = new EntryWriter(store, signal)
  const turnQueue = new TurnQueue()
  signal?.throwIfAborted()
  for await (const { nodes, edges, findings } of inspector.scan()) {
    for (const finding of findings) if (isDamaged(finding)) sink.onDamaged(finding)
    const expectedEntries = expectEntries(declared, { nodes, edges })
    const unordered = expectedEntries.filter(({ expected }) => expected === undefined)
    for (const { entry } of unordered) sink.onUnordered(entry)
    // Entries without a record are left by writers without this schema.
    const strayEntries = await findStrayEntries(inspector, declared, edges)
    await deriveNodeEntries(inspector, declared, writer, nodes)
    const entriesOfEdges = expectedEntries.flatMap(({ entry }) => (entry.source === ROOT_ID ? [] : entry))
    await writer.derive([...entriesOfEdges, ...strayEntries])
    counts.nodes += nodes.length
    counts.edges += edges.filter(edge => !isDerivedList(edge)).length
    counts.entries += expectedEntries.length - unordered.length
    sink.onProgress(counts)
    // An embedded store never waits, and a signal handler runs only in between.
    await turnQueue.waitForTurn()
    signal?.throwIfAborted()
  }
  return counts
}

/** Sets the completion flags of a schema. */
export const completeLists = async (store: Store, schema: Schema, signal?: AbortSignal): Promise<void> => {
  const flags = [...findListFlags(schema).values()].flatMap(list => list.flags)
  await new EntryWriter(store, signal).write(flags.map(flag => ({ op: 'putFlag', flag })))
}
