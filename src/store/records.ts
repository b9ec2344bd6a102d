import type { NodeId } from '../base/ids.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'

/**
 * A stored node. A store returns a copy of the record, or the stored record itself if it is deeply frozen.
 */
export type NodeRecord = {
  readonly id: NodeId
  readonly type: string
  readonly fields: { readonly [name: string]: JsonValue }
  /**
   * The results that the store read ahead: `ahead[i]` is the result of the step `i` for the type of the record.
   * Absent if the store read nothing ahead.
   */
  readonly ahead?: readonly AheadResult[] | undefined
  /**
   * The index of the first condition that holds for the node, among those of its range or ref, or -1 if none holds.
   * The engine learns from it which edges exist, and does not check them again. Absent unless the store evaluated all
   * conditions up to this one exactly.
   */
  readonly heldCondition?: number | undefined
}

/**
 * The result of a step that was read ahead: the range of a list, the node that a ref leads to, or `undefined` or
 * `null` if the store did not execute the step.
 */
export type AheadResult = RangeResult | { readonly node: NodeRecord | undefined } | null | undefined

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
  /** The scopes that the viewer declined. */
  readonly declined?: readonly string[]
  /** The claims of the sessions of the token. */
  readonly claims?: JsonObject
}

/**
 * A position in an edge list. Positions without a `key` are sorted by time, then by target. The store alone orders
 * positions with a `key`.
 */
export type EdgePosition = {
  /** Integer milliseconds since the epoch. With a `key`, its value rounded down to milliseconds, or 0. */
  readonly time: number
  readonly target: NodeId
  /**
   * The value that orders the list, if milliseconds do not hold it: well-formed text of at most 500 bytes in UTF-8.
   * Its form is up to the store, which receives it back unchanged in `from` of a range. There, callers can make up any
   * key, unless the cursors of the list are encrypted. Only for lists of edges with `positionKey`, whose positions all
   * have a key.
   */
  readonly key?: string | undefined
}

/** The key of an edge. */
export type EdgeKey = { readonly source: NodeId; readonly name: string; readonly target: NodeId }

/** The key of an edge to check. With `data`, the result is the record of the edge instead of `true`. */
export type EdgeCheck = EdgeKey & { readonly data?: boolean | undefined }

/** One entry of a result: the edge and its target node. */
export type EdgeEntry = {
  readonly target: NodeId
  readonly time: number
  readonly data: JsonObject | undefined
  readonly node: NodeRecord
  /** The `key` of the entry's position, if the positions of the list have one. */
  readonly key?: string | undefined
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
  /**
   * The size of the list if the range sets `count`, otherwise undefined. Conditions do not change it. It is also
   * undefined for a long list if the schema declares that its lists are counted up to a number of rows.
   */
  readonly total: number | undefined
  /**
   * The number of rows from the start of the range to `lastExamined`, with those that do not pass. If the result has
   * `limit` entries, the last of them is the last examined row. Present only if the store applied the conditions of the
   * range.
   */
  readonly examined?: number | undefined
  /**
   * The number of entries of the whole list that pass the conditions, if the range sets `count`. The engine returns
   * it without evaluating policies. So a store may return it only if all nodes of the list have one type, and if the
   * fields that the conditions name can only contain values of their types. Otherwise the engine counts. A store
   * must not count a list of more than `maxExamined` rows.
   */
  readonly passing?: number | undefined
}

/**
 * Says that a list of derived entries is complete. Its value names what the entries were derived from, so that a
 * list that was built for another field is not complete. A flag has one value.
 */
export type CompletionFlag = { readonly name: string; readonly value: string }
