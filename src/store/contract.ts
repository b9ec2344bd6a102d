import type { Awaitable } from '../base/awaitable.ts'
import type { NodeId } from '../base/ids.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'

/** A stored node. A store returns copies, or its own record if that is deeply frozen. */
export type NodeRecord = {
  readonly id: NodeId
  readonly type: string
  readonly fields: { readonly [name: string]: JsonValue }
}

/** A stored edge: one for each (source, name, target). `time` is integer milliseconds, |time| ≤ 8.64e15. */
export type EdgeRecord = {
  readonly source: NodeId
  readonly name: string
  readonly target: NodeId
  readonly time: number
  readonly data?: JsonObject | undefined
}

/**
 * A stored token, under the token's digest. Times are integer milliseconds. A store keeps every JSON member
 * of the record, including those that this type does not name.
 */
export type TokenRecord = {
  readonly viewer: NodeId | undefined
  readonly app: string
  readonly scopes: readonly string[]
  readonly issuedAt: number
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
  /**
   * The generation of the viewer's tokens in which the token was issued: random text, or `''` if the viewer's
   * tokens have never been revoked together. A token is valid only if the viewer's tokens are still in this
   * generation.
   */
  readonly generation: string
  /** The type of the viewer's node when the token was issued. */
  readonly viewerType?: string
}

/** A position in an edge list. The order is total: time, then target by numeric value. */
export type EdgePosition = { readonly time: number; readonly target: NodeId }

/** The key of an edge. */
export type EdgeKey = { readonly source: NodeId; readonly name: string; readonly target: NodeId }

/** A range of one edge list. */
export type EdgeRange = {
  readonly source: NodeId
  readonly name: string
  /** `newest` returns the latest edges first; `oldest` is its exact reverse. */
  readonly direction: 'newest' | 'oldest'
  /**
   * The position after which the range begins, in its direction; exclusive. An edge at this position need not
   * exist. Undefined means the start of the list in that direction.
   */
  readonly from: EdgePosition | undefined
  /** The earliest time of the edges, in milliseconds; inclusive. */
  readonly minTime: number | undefined
  /** The latest time of the edges, in milliseconds; inclusive. */
  readonly maxTime: number | undefined
  /**
   * The maximum number of entries; 0 requests only the count: no entries, `hasMore` false, no `lastExamined`.
   */
  readonly limit: number
  /**
   * Whether to return `total`, the size of the whole list, independent of `from`, `minTime` and `maxTime`;
   * O(1).
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
  /** Whether the walk has an edge after the last one examined; false if the limit is 0. */
  readonly hasMore: boolean
  /** The last position examined, from which to continue; undefined if no edge was examined. */
  readonly lastExamined: EdgePosition | undefined
  /** Present if the range requests the count, else undefined. */
  readonly total: number | undefined
}

/** One store read: everything that one level of a query needs. */
export type StoreReadRequest = {
  readonly nodes: readonly NodeId[]
  readonly ranges: readonly EdgeRange[]
  /** Edges; the result says whether each exists. */
  readonly checks: readonly EdgeKey[]
  /** Digests, not tokens. */
  readonly tokens: readonly string[]
}

/**
 * Results by position: `nodes[i]` is the result of `request.nodes[i]`. A missing record is undefined. Each
 * duplicate has its own result.
 */
export type StoreReadResult = {
  readonly nodes: readonly (NodeRecord | undefined)[]
  readonly ranges: readonly RangeResult[]
  readonly checks: readonly boolean[]
  readonly tokens: readonly (TokenRecord | undefined)[]
}

/** Options of a read. Every member is present. */
export type StoreReadOptions = {
  readonly signal: AbortSignal | undefined
  /** The time after which the result is no longer used, in milliseconds since the epoch. */
  readonly deadline: number | undefined
  /**
   * A revision that a write returned: the read must see that write. `newest`, which is never a revision: the
   * read must see every write of any writer that had completed before it began. The engine requests it for
   * everything that a write depends on.
   */
  readonly minRevision: string | undefined
}

/** One change. `patchNode` merges into a node's fields, and null removes a field. */
export type StoreMutation =
  | { readonly op: 'putNode'; readonly node: NodeRecord }
  | { readonly op: 'patchNode'; readonly id: NodeId; readonly fields: JsonObject }
  | { readonly op: 'deleteNode'; readonly id: NodeId }
  | { readonly op: 'putEdge'; readonly edge: EdgeRecord }
  | { readonly op: 'deleteEdge'; readonly edge: EdgeKey }
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
   * `batch`: a write is all or nothing. `source`: it is so for each source id, and sending the same batch
   * again completes it.
   */
  readonly atomicity: 'batch' | 'source'
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
 * The whole contract between the engine and a store. A store knows no schema.
 *
 * - Both ends of an edge exist when it is written; `deleteNode` also deletes the node's edges in both
 *   directions. A dangling edge is never returned.
 * - The last write wins for each node and each (source, name, target); `putNode` replaces.
 * - A changed type, an edge without both ends and a patch of a missing node throw, and nothing of the batch
 *   is written. Deleting a missing record does not throw.
 * - Records are not shared: a store copies its inputs, and returns copies or frozen records, so that changing
 *   either changes neither stored data nor other results.
 *
 * `describeStore` of `kithgraph/testing` tests all of this.
 */
export interface Store extends StoreReader {
  readonly capabilities: StoreCapabilities
  /** Called once, before the first use. */
  open(): Awaitable<void>
  /** Called once, after the last use. */
  close(): Awaitable<void>
  /** Takes a view of the current data; rejects if `capabilities.snapshots` is false. */
  snapshot(): Awaitable<StoreSnapshot>
  /**
   * Writes a batch. Returns a revision that a later read may name as `minRevision`, or undefined if every
   * read sees every write.
   */
  write(
    mutations: readonly StoreMutation[],
    options: { readonly signal: AbortSignal | undefined },
  ): Awaitable<{ revision: string | undefined }>
}
