import type { Awaitable } from '../base/awaitable.ts'
import type { NodeId } from '../base/ids.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'

/** What a store holds of a node. A store hands out copies, or what it keeps where that is frozen through and through. */
export type NodeRecord = {
  readonly id: NodeId
  readonly type: string
  readonly fields: { readonly [name: string]: JsonValue }
}

/** What a store holds of an edge: one for each (source, name, target). `time` is integer milliseconds, |time| ≤ 8.64e15. */
export type EdgeRecord = {
  readonly source: NodeId
  readonly name: string
  readonly target: NodeId
  readonly time: number
  readonly data?: JsonObject | undefined
}

/**
 * What a store holds of a token, under the token's digest. Times are integer milliseconds. A store keeps every JSON member
 * of the record, also those that this type does not name.
 */
export type TokenRecord = {
  readonly viewer: NodeId | undefined
  readonly app: string
  readonly scopes: readonly string[]
  readonly issuedAt: number
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
  /**
   * The generation of the viewer's tokens in which the token was issued: random text, or `''` if the viewer's tokens have
   * never been revoked together. A token is valid only if the viewer's tokens are still in this generation.
   */
  readonly generation: string
  /** The type of the viewer's node when the token was issued. */
  readonly viewerType?: string
}

/** A place in an edge list, whose order is total: time, then target by numeric value. */
export type EdgePosition = { readonly time: number; readonly target: NodeId }

/** A question whether an edge exists. */
export type EdgeTest = { readonly source: NodeId; readonly name: string; readonly target: NodeId }

/** A walk along one edge list. */
export type EdgeRange = {
  readonly source: NodeId
  readonly name: string
  /** `newest` walks from the latest position down, `oldest` is its exact mirror. */
  readonly direction: 'newest' | 'oldest'
  /** Exclusive, in walking direction; the edge at this position need not exist. */
  readonly from: EdgePosition | undefined
  /** Inclusive, milliseconds. */
  readonly minTime: number | undefined
  /** Inclusive, milliseconds. */
  readonly maxTime: number | undefined
  /** The most entries to answer; 0 asks for the count alone: no entries, no `more`, no `end`. */
  readonly limit: number
  /** Whether to answer `total`, the size of the whole edge, whatever `from`, `minTime` and `maxTime` say; O(1). */
  readonly count: boolean
}

/** One entry of a slice: the edge and the node it leads to. */
export type EdgeEntry = {
  readonly target: NodeId
  readonly time: number
  readonly data: JsonObject | undefined
  readonly node: NodeRecord
}

/** The answer to a range. An unknown source or name answers no entries and a total of 0. */
export type EdgeSlice = {
  readonly entries: readonly EdgeEntry[]
  /** Whether the walk has an edge after the last one examined; false where the limit is 0. */
  readonly more: boolean
  /** The last position examined, from which to go on; undefined where none was. */
  readonly end: EdgePosition | undefined
  /** Present where the range asked for the count, else undefined. */
  readonly total: number | undefined
}

/** All that one level of a query asks, in one read. */
export type Wave = {
  readonly nodes: readonly NodeId[]
  readonly ranges: readonly EdgeRange[]
  readonly tests: readonly EdgeTest[]
  /** Digests, not tokens. */
  readonly tokens: readonly string[]
}

/** Answers by position: `nodes[i]` answers `wave.nodes[i]`. Absence is undefined. Duplicates are answered in each place. */
export type WaveAnswer = {
  readonly nodes: readonly (NodeRecord | undefined)[]
  readonly ranges: readonly EdgeSlice[]
  readonly tests: readonly boolean[]
  readonly tokens: readonly (TokenRecord | undefined)[]
}

/** How a read is to be done. Every member is present. */
export type ReadOptions = {
  readonly signal: AbortSignal | undefined
  /** When the answer stops being of use: milliseconds since the epoch. */
  readonly deadline: number | undefined
  /**
   * A version that a write answered: the read must see that write. `newest`, which is never a version: it must see every
   * write that was answered before it began, whoever wrote. The engine asks for it wherever it decides what to write.
   */
  readonly atLeast: string | undefined
}

/** One change. `patchNode` merges into a node's fields, and null removes one. */
export type Mutation =
  | { readonly op: 'putNode'; readonly node: NodeRecord }
  | { readonly op: 'patchNode'; readonly id: NodeId; readonly fields: JsonObject }
  | { readonly op: 'deleteNode'; readonly id: NodeId }
  | { readonly op: 'putEdge'; readonly edge: EdgeRecord }
  | { readonly op: 'deleteEdge'; readonly edge: EdgeTest }
  | { readonly op: 'putToken'; readonly digest: string; readonly token: TokenRecord }
  | { readonly op: 'deleteToken'; readonly digest: string }

/** What a store can do, as data that the engine and the conformance suite both read. */
export type StoreCapabilities = {
  /** Whether `snapshot()` answers a view that later writes do not change. */
  readonly snapshots: boolean
  /** Whether what was written is there after the process ended. */
  readonly durable: boolean
  /** Whether other processes see the same data. */
  readonly shared: boolean
  /** `batch`: a write is all or nothing. `source`: it is so for each source id, and the same batch sent again completes it. */
  readonly atomicity: 'batch' | 'source'
}

/** What reads are asked of. */
export interface StoreReader {
  /** Answers a wave by position; at once, or with a promise. Throws, or rejects, where it cannot. */
  read(wave: Wave, options: ReadOptions): Awaitable<WaveAnswer>
}

/** A view that later writes do not change. */
export interface StoreSnapshot extends StoreReader {
  /** Lets go of the view. */
  close(): Awaitable<void>
}

/**
 * The whole contract between the engine and a store. A store knows no schema.
 *
 * - Both ends of an edge exist when it is written; `deleteNode` takes a node's edges in both directions along.
 *   A dangling edge is never answered.
 * - The last write wins for each node and each (source, name, target); `putNode` replaces.
 * - A changed type, an edge without both ends and a patch of a missing node throw, and nothing of the batch is written.
 *   Deleting what is not there does not throw.
 * - Records are nobody's: what is handed in is copied, and what is handed out is a copy or frozen, so that a change of
 *   either changes nothing that is kept and no other answer.
 *
 * `describeStore` of `kithgraph/testing` tests all of it.
 */
export interface Store extends StoreReader {
  readonly capabilities: StoreCapabilities
  /** Called once, before the first use. */
  open(): Awaitable<void>
  /** Called once, after the last use. */
  close(): Awaitable<void>
  /** A view of what is there now; refused where `capabilities.snapshots` is false. */
  snapshot(): Awaitable<StoreSnapshot>
  /** Answers a version that a later read may name as `atLeast`, or undefined where every read sees every write. */
  write(
    mutations: readonly Mutation[],
    options: { readonly signal: AbortSignal | undefined },
  ): Awaitable<{ version: string | undefined }>
}
