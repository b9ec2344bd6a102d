import type { Awaitable } from '../base/awaitable.ts'
import type { NodeId } from '../base/ids.ts'
import type { Session } from '../base/session.ts'
import type { StoreCapabilities } from './capabilities.ts'
import type { Condition } from './condition.ts'
import type { BatchId } from './conditional.ts'
import type { StoreMutation } from './mutations.ts'
import type {
  CompletionFlag,
  EdgeCheck,
  EdgePosition,
  EdgeRecord,
  NodeRecord,
  RangeResult,
  TokenRecord,
} from './records.ts'

export type { StoreCapabilities } from './capabilities.ts'
export type { Condition } from './condition.ts'
// The records are a part of the contract. They have their own file, because mutations contain them too.
export type {
  AheadResult,
  CompletionFlag,
  EdgeCheck,
  EdgeEntry,
  EdgeKey,
  EdgePosition,
  EdgeRecord,
  NodeRecord,
  RangeResult,
  TokenRecord,
} from './records.ts'

/** A range of one edge list. */
export type EdgeRange = {
  readonly source: NodeId
  readonly name: string
  /** `newest` returns the latest edges first; `oldest` returns the exact reverse. */
  readonly direction: 'newest' | 'oldest'
  /**
   * The range begins after this position, in the direction of the range. No edge needs to exist at the
   * position. Undefined means that the range begins at the start of the list in that direction.
   */
  readonly from: EdgePosition | undefined
  /** The parameter of the call whose cursor contains `from`, for the error if no edge can have this position. */
  readonly cursorParameter?: 'after' | 'before' | undefined
  /** The earliest time of the edges, in milliseconds; inclusive. */
  readonly minTime: number | undefined
  /** The latest time of the edges, in milliseconds; inclusive. */
  readonly maxTime: number | undefined
  /**
   * The maximum number of entries. With 0, only `total` is read: the result has no entries, `hasMore` is
   * false and `lastExamined` is undefined.
   */
  readonly limit: number
  /**
   * Whether to return `total`, the size of the whole list regardless of `from`, `minTime` and `maxTime`. The
   * store must return it in O(1), unless the schema declares that its lists are counted in another way.
   */
  readonly count: boolean
  /**
   * The maximum number of rows to count, for a list that the schema declares as counted row by row. The `total` of a
   * longer list is undefined.
   */
  readonly maxCounted?: number | undefined
  /** The next levels below the nodes of the entries. Only for stores with `capabilities.readsAhead`. */
  readonly ahead?: ReadAhead | undefined
  /**
   * What the store may filter by. An entry passes if one of the conditions holds, and none passes an empty list.
   * Without conditions, every entry passes. Only for stores with `capabilities.conditions`.
   */
  readonly conditions?: readonly Condition[] | undefined
  /** The maximum number of rows to examine under the conditions. The result then ends with `hasMore`. */
  readonly maxExamined?: number | undefined
}

/**
 * A list that is read ahead: a range of the list of each record, from its start. Its conditions and its
 * `maxExamined` are those of each of these ranges.
 */
export type AheadList = Pick<
  EdgeRange,
  'name' | 'direction' | 'limit' | 'count' | 'ahead' | 'conditions' | 'maxExamined'
> & {
  readonly kind: 'list'
  /**
   * The number of entries that a page shows. An entry after these only shows that the list continues, so a store that
   * applied all conditions exactly may leave out what is read ahead below it. If absent, a page shows all entries.
   */
  readonly pageLimit?: number | undefined
  /** The fields that are needed of the nodes of the entries. */
  readonly fields?: WantedFields | undefined
}

/** The fields that a read needs, by type. A type that is absent needs no field; `undefined` needs all. */
export type WantedFields = ReadonlyMap<string, ReadonlySet<string> | undefined>

/** A ref that is read ahead: the node whose id a field of each record contains. */
export type AheadRef = {
  readonly kind: 'ref'
  /** The stored name of the field. Its value may be any JSON value. */
  readonly field: string
  /** The fields that are needed of the node. */
  readonly fields?: WantedFields | undefined
  readonly ahead?: ReadAhead | undefined
  /**
   * What the policy of the node may allow. The node is returned even if none of the conditions holds: they are sent
   * for its `heldCondition`. Only for stores with `capabilities.conditions`.
   */
  readonly conditions?: readonly Condition[] | undefined
}

/** The next read of the engine below each record of a type. */
export type AheadStep = AheadList | AheadRef

/**
 * The next levels of a query below records, by the type of the record: a hint that a store may ignore. The store
 * may execute the steps in the same read, and attach their results to its records. The whole hint of a read has
 * at most 2,000 results.
 */
export type ReadAhead = ReadonlyMap<string, readonly AheadStep[]>

/** One store read: everything that one level of a query needs. */
export type StoreReadRequest = {
  readonly nodes: readonly NodeId[]
  /**
   * The next levels below each node, by position. Absent, or shorter than `nodes`, if nothing is known. Only for
   * stores with `capabilities.readsAhead`.
   */
  readonly nodesAhead?: readonly (ReadAhead | undefined)[] | undefined
  readonly ranges: readonly EdgeRange[]
  /** The edges to check. The result contains whether each edge exists, or its record with `data`. */
  readonly checks: readonly EdgeCheck[]
  /** The digests of tokens. */
  readonly tokens: readonly string[]
  /** Completion flags. Only for stores with `capabilities.collections`. */
  readonly flags?: readonly CompletionFlag[] | undefined
  /**
   * The fields that the read needs of its nodes and of the nodes of its entries, by their stored names. Without
   * it, the read needs all fields. A store may return more fields, and must return every needed field that a
   * record has. The data of edges is always needed as a whole.
   */
  readonly fields?: WantedFields | undefined
}

/**
 * Results by position: `nodes[i]` is the result of `request.nodes[i]`. The result of a missing record is
 * undefined. A key that occurs twice has two results.
 */
export type StoreReadResult = {
  readonly nodes: readonly (NodeRecord | undefined)[]
  readonly ranges: readonly RangeResult[]
  /**
   * `false` if the edge does not exist. Otherwise `true`, or the record of the edge if the check sets `data`. Any
   * other value fails the call, because a missing result would let blocked viewers in.
   */
  readonly checks: readonly (boolean | EdgeRecord)[]
  readonly tokens: readonly (TokenRecord | undefined)[]
  /** Whether each flag has its value or the store has no node; absent if the request has no flags. */
  readonly flags?: readonly boolean[] | undefined
}

/** Options of a read. Every member except `session` is present, but may be undefined. */
export type StoreReadOptions = {
  readonly signal: AbortSignal | undefined
  /** The time after which the result is no longer used, in milliseconds since the epoch. */
  readonly deadline: number | undefined
  /**
   * The writes that the read must see. With a revision that a write returned, the read must see that write.
   * With `newest`, which is never a revision, the read must see every write of every writer that completed
   * before the read began. The engine uses `newest` for all data that a write depends on.
   */
  readonly minRevision: string | undefined
  /** The session of the call. Only for stores with `capabilities.bySession`. */
  readonly session?: Session | undefined
}

/** Options of a snapshot. */
export type StoreSnapshotOptions = {
  /** The session of the call. Only for stores with `capabilities.bySession`. */
  readonly session?: Session | undefined
}

/** Options of a write. */
export type StoreWriteOptions = {
  readonly signal: AbortSignal | undefined
  /** The id of the batch. A batch whose id the store remembers is not written again. */
  readonly batch?: BatchId | undefined
  /** The session that `graph.write` received. Only for stores with `capabilities.bySession`. */
  readonly session?: Session | undefined
}

/** The reading part of a store or snapshot. */
export interface StoreReader {
  /**
   * Executes a read request, and returns its results by position, synchronously or as a promise. Throws or
   * rejects on failure.
   */
  read(request: StoreReadRequest, options: StoreReadOptions): Awaitable<StoreReadResult>
}

/** A view that later writes do not change. */
export interface StoreSnapshot extends StoreReader {
  /** Releases the view. */
  close(): Awaitable<void>
}

/**
 * The whole contract between the engine and a store. A store does not depend on a schema.
 *
 * - Both ends of an edge must exist when it is written. `deleteNode` also deletes the node's edges in both
 * directions. A store never returns an edge without both ends.
 * - The last write wins for each node and each (source, name, target). `putNode` replaces the whole node.
 * - `write` throws, and writes nothing of the batch, if a mutation would change the type of a node, puts an
 * edge without both ends, or patches a missing node. It does not throw if a deleted record is missing.
 * - `write` throws a TypeError, and writes nothing, if a `mirror` is not from the target to the source.
 * - `write` throws `conflict`, and writes nothing of the batch, if a condition does not hold (`cause`:
 * `{ found }`), or if it remembers the id of the batch with another digest. With the same digest, it writes
 * nothing, and returns a revision that includes the first write, even if the batch would now be invalid. A batch
 * that failed is not remembered. An increment that is not possible is `invalid_mutation` with its `index` and
 * the `path` `increment.NAME`. If several mutations fail, the error is that of any of them. With atomicity
 * `source`, a batch with a condition or an increment must change one source only, and a conditional write of a
 * mirrored edge must be the only mutation. Otherwise, the error is `invalid_mutation`.
 * - A store copies its inputs, and returns copies or frozen records. If a caller later changes an input or a
 * result, stored data and other results do not change.
 *
 * `describeStore` of `kithgraph/testing` tests this whole contract.
 */
export interface Store extends StoreReader {
  readonly capabilities: StoreCapabilities
  /** Called once, before the first use. */
  open(): Awaitable<void>
  /** Called once, after the last use. */
  close(): Awaitable<void>
  /** Returns a view of the current data. Rejects if `capabilities.snapshots` is false. */
  snapshot(options?: StoreSnapshotOptions): Awaitable<StoreSnapshot>
  /**
   * Writes a batch. The engine uses `when`, `increment` and `options.batch` only if
   * `capabilities.conditionalWrites` is true. Returns a revision for the `minRevision` of later reads, or
   * undefined if every read sees every completed write.
   */
  write(
    mutations: readonly StoreMutation[],
    options: StoreWriteOptions,
  ): Awaitable<{ revision: string | undefined }>
}
