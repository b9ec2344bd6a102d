import type { Awaitable } from '../base/awaitable.ts'
import type { NodeId } from '../base/ids.ts'
import { TurnQueue } from '../base/turn-queue.ts'
import type { Schema } from '../schema/schema.ts'
import type { EdgeKey, NodeRecord } from '../store/contract.ts'
import { isDerivedList } from '../store/derived-entries.ts'
import { type Finding, type InspectedEdge, isDangling, type StoreInspector } from '../store/inspection.ts'
import { EntryChecker } from './check-entries.ts'
import { DeclaredEntries } from './declared-entries.ts'
import { divide } from './divide.ts'
import { findMirrorError, findMirrorKey } from './mirrors.ts'
import { findEdgeErrors, findNodeErrors, type SchemaError } from './schema-errors.ts'

/** Receives the results of a check, one by one, so that a check needs little memory. */
type CheckSink = {
  /** Called with each error in the store, after it was read again, or by one statement. */
  onFinding(finding: Finding): Awaitable<void>
  /** Called with each contradiction to the schema, and the id of its node or of the source of its edge. */
  onSchemaError(error: SchemaError, id: NodeId): void
  /** Called with each leftover of normal operation. It is no error. */
  onLeftover(leftover: Finding): Awaitable<void>
}

/** The schema that a check uses. */
export type CheckedSchema = {
  readonly schema: Schema
  /** The keys of the collections and orders that the store keeps completely, whose entries are checked. */
  readonly completeLists: ReadonlySet<string>
}

/** The numbers of records that a check has read. `entries`: those of collections and further orders. */
export type CheckedCounts = { nodes: number; edges: number; entries: number }

const toKey = ({ source, name, target }: EdgeKey): EdgeKey => ({ source, name, target })

/** An edge with the key of the mirror that the schema declares for it. */
type MirroredEdge = { readonly edge: InspectedEdge; readonly mirror: EdgeKey }

/** Checks the pages of one store. */
class PageChecker {
  readonly #inspector: StoreInspector
  readonly #schema: Schema | undefined
  readonly #sink: CheckSink

  constructor(inspector: StoreInspector, schema: Schema | undefined, sink: CheckSink) {
    this.#inspector = inspector
    this.#schema = schema
    this.#sink = sink
  }

  async checkNodes(schema: Schema, nodes: readonly NodeRecord[]): Promise<void> {
    const suspects = nodes.filter(node => findNodeErrors(schema, node).length > 0)
    for (const part of divide(suspects.map(({ id }) => id))) {
      for (const node of await this.#inspector.readNodes(part))
        if (node !== undefined)
          for (const error of findNodeErrors(schema, node)) this.#sink.onSchemaError(error, node.id)
    }
  }

  async checkEdges(edges: readonly InspectedEdge[]): Promise<void> {
    await this.#reread(edges.filter(isDangling), async edge => {
      if (isDangling(edge)) await this.#sink.onFinding({ kind: 'danglingEdge', edge: toKey(edge) })
    })
    const records = edges.filter(edge => !isDerivedList(edge))
    if (this.#schema !== undefined) await this.#checkRecords(this.#schema, records)
  }

  /** Checks edges, but no entries of collections and further orders. */
  async #checkRecords(schema: Schema, edges: readonly InspectedEdge[]): Promise<void> {
    await this.#reread(
      edges.filter(edge => findEdgeErrors(schema, edge).length > 0),
      edge => {
        for (const error of findEdgeErrors(schema, edge)) this.#sink.onSchemaError(error, edge.source)
      },
    )
    const mirrored = edges.flatMap((edge): MirroredEdge[] => {
      const mirror = findMirrorKey(schema, edge)
      return mirror === undefined ? [] : [{ edge, mirror }]
    })
    for (const part of divide(mirrored)) await this.#checkMirrors(schema, part)
  }

  async #reread(
    edges: readonly InspectedEdge[],
    check: (edge: InspectedEdge) => Awaitable<void>,
  ): Promise<void> {
    for (const part of divide(edges.map(toKey)))
      for (const edge of await this.#inspector.readEdges(part)) if (edge !== undefined) await check(edge)
  }

  /** Reads the mirrors of edges, and both sides of a pair again if they seem to differ. */
  async #checkMirrors(schema: Schema, mirrored: readonly MirroredEdge[]): Promise<void> {
    const mirrors = await this.#inspector.readEdges(mirrored.map(({ mirror }) => mirror))
    for (const [index, { edge, mirror }] of mirrored.entries()) {
      const key = toKey(edge)
      const firstState = { edge, mirror: mirrors[index], isDeleted: false }
      if (findMirrorError(key, mirror, firstState) === undefined) continue
      const state = await this.#inspector.readMirror(key, mirror)
      // The ends may have been replaced by nodes of other types.
      if (state?.edge === undefined || findMirrorKey(schema, state.edge) === undefined) continue
      const error = findMirrorError(key, mirror, state)
      if (error !== undefined) await this.#sink.onFinding(error)
    }
  }
}

/**
 * Reads a whole store, page by page, while other processes may write to it, and reports its errors. What does
 * not come from one statement is read again first, so that no write in between is reported. With a schema, it also
 * checks both sides of mirrored edges, all values, and the entries of collections and further orders.
 *
 * @throws the reason of the signal, if it aborts.
 */
export const checkStore = async (
  inspector: StoreInspector,
  checked: CheckedSchema | undefined,
  sink: CheckSink,
  signal: AbortSignal | undefined,
): Promise<CheckedCounts> => {
  const counts: CheckedCounts = { nodes: 0, edges: 0, entries: 0 }
  const checker = new PageChecker(inspector, checked?.schema, sink)
  const entryChecker =
    checked &&
    new EntryChecker(inspector, new DeclaredEntries(checked.schema.types), checked.completeLists, sink)
  const turnQueue = new TurnQueue()
  signal?.throwIfAborted()
  for await (const { nodes, edges, findings, leftovers } of inspector.scan()) {
    for (const finding of findings) await sink.onFinding(finding)
    for (const leftover of leftovers) await sink.onLeftover(leftover)
    if (checked !== undefined) await checker.checkNodes(checked.schema, nodes)
    await checker.checkEdges(edges)
    await entryChecker?.checkPage(nodes, edges)
    const entryCount = edges.filter(isDerivedList).length
    counts.nodes += nodes.length
    counts.edges += edges.length - entryCount
    counts.entries += entryCount
    // An embedded store never waits, and a signal handler runs only in between.
    await turnQueue.waitForTurn()
    signal?.throwIfAborted()
  }
  return counts
}
