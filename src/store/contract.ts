import type { Awaitable } from '../base/awaitable.ts'
import type { NodeId } from '../base/ids.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import type { BatchId, Increment, WriteCondition } from './conditional.ts'

/**
 * A stored node. A store returns a copy of the record, or the stored record itself if it is deeply frozen.
 */
export type NodeRecord = {
  readonly id: NodeId
  readonly type: string
  readonly fields: { readonly [name: string]: JsonValue }
}

/**
 * A stored edge, unique by (source, name, target). `time` is an integer: milliseconds since the epoch, from
 * -8.64e15 to 8.64e15.
 */
export type EdgeRecord = {
  readonly source: NodeId
  readonly name: string
  readonly target: NodeId
  readonly time: number
  readonly data?: JsonObject | undefined
}

/**
 * A stored token; its key is the digest of the token. Times are integer milliseconds since the epoch. A store
 * keeps every JSON member of the record, including those that this type does not name.
 */
export type TokenRecord = {
  readonly viewer: NodeId | undefined
  readonly app: string
  readonly scopes: readonly string[]
  readonly issuedAt: number
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
  /**
   * The generation of the viewer's tokens when this token was issued: random text, or `''` if the viewer's
   * tokens have never been revoked together. The token is valid only while this is the current generation.
   */
  readonly generation: string
  /** The type of the viewer's node when the token was issued. */
  readonly viewerType?: string
}

/** A position in an edge list. Positions are sorted by time, then by target as a number. */
export type EdgePosition = { readonly time: number; readonly target: NodeId }

/** The key of an edge. */
export type EdgeKey = { readonly source: NodeId; readonly name: string; readonly target: NodeId }

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
   * store must return it in O(1).
   */
  readonly count: boolean
}

/** One entry of a result: the edge and its target node. */
export type EdgeEntry = {
  readonly target: NodeId
  readonly time: number
  readonly data: JsonObject | undefined
  readonly node: NodeRecord
}

/** The result of a range. An unknown source or name has no entries and a total of 0. */
export type RangeResult = {
  readonly entries: readonly EdgeEntry[]
  /** Whether the range has an edge after the last examined edge; false if the limit is 0. */
  readonly hasMore: boolean
  /**
   * The position of the last examined edge, to use as `from` of the next range. Undefined if no edge was
   * examined.
   */
  readonly lastExamined: EdgePosition | undefined
  /** The size of the list if the range sets `count`, otherwise undefined. */
  readonly total: number | undefined
}

/** One store read: everything that one level of a query needs. */
export type StoreReadRequest = {
  readonly nodes: readonly NodeId[]
  readonly ranges: readonly EdgeRange[]
  /** The edges to check. The result contains whether each edge exists. */
  readonly checks: readonly EdgeKey[]
  /** The digests of tokens. */
  readonly tokens: readonly string[]
}

/**
 * Results by position: `nodes[i]` is the result of `request.nodes[i]`. The result of a missing record is
 * undefined. A key that occurs twice has two results.
 */
export type StoreReadResult = {
  readonly nodes: readonly (NodeRecord | undefined)[]
  readonly ranges: readonly RangeResult[]
  readonly checks: readonly boolean[]
  readonly tokens: readonly (TokenRecord | undefined)[]
}

/** Options of a read. Every member is present, but may be undefined. */
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
}

/**
 * One change. `patchNode` merges `fields` into the fields of a node; null removes a field.
 *
 * `mirror` is the other side of a mirrored edge: the edge from the target to the source, under the name of the
 * mirror. A mutation with a mirror is equivalent to two mutations, one directly after the other: `putEdge`
 * also writes the mirror, with the time and data of the edge, and `deleteEdge` also deletes it. Both sides
 * are in one mutation, so that every store can keep them equal when writers race or fail. An edge that is its
 * own mirror is written once.
 *
 * `when` is evaluated atomically with the write, after the mutations before it. `increment` adds a number to a
 * value after `fields` is merged; a missing value counts as 0.
 */
export type StoreMutation =
  | { readonly op: 'putNode'; readonly node: NodeRecord; readonly when?: WriteCondition | undefined }
  | {
      readonly op: 'patchNode'
      readonly id: NodeId
      readonly fields: JsonObject
      readonly increment?: { readonly [name: string]: Increment } | undefined
      readonly when?: WriteCondition | undefined
    }
  | { readonly op: 'deleteNode'; readonly id: NodeId; readonly when?: WriteCondition | undefined }
  | {
      readonly op: 'putEdge'
      readonly edge: EdgeRecord
      readonly mirror?: EdgeKey | undefined
      readonly when?: WriteCondition | undefined
    }
  | {
      readonly op: 'deleteEdge'
      readonly edge: EdgeKey
      readonly mirror?: EdgeKey | undefined
      readonly when?: WriteCondition | undefined
    }
  | { readonly op: 'putToken'; readonly digest: string; readonly token: TokenRecord }
  | { readonly op: 'deleteToken'; readonly digest: string }

/** The capabilities of a store, as data for the engine and the conformance suite. */
export type StoreCapabilities = {
  /** Whether `snapshot()` returns a view that later writes do not change. */
  readonly snapshots: boolean
  /** Whether written data survives the end of the process. */
  readonly durable: boolean
  /** Whether other processes see the same data. */
  readonly shared: boolean
  /**
   * `batch`: a write is all or nothing. `source`: the changes of each source id are all or nothing, and
   * writing the same batch again completes it.
   */
  readonly atomicity: 'batch' | 'source'
  /** Whether `write` supports `when`, `increment` and batch ids. */
  readonly conditionalWrites: boolean
}

/** Options of a write. */
export type StoreWriteOptions = {
  readonly signal: AbortSignal | undefined
  /** The id of the batch. A batch whose id the store remembers is not written again. */
  readonly batch?: BatchId | undefined
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
  snapshot(): Awaitable<StoreSnapshot>
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
