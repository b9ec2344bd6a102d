import type { NodeId } from '../base/ids.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'

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
  /** The scopes that the viewer declined. */
  readonly declined?: readonly string[]
  /** The claims of the sessions of the token. */
  readonly claims?: JsonObject
}

/** A position in an edge list. Positions are sorted by time, then by target as a number. */
export type EdgePosition = { readonly time: number; readonly target: NodeId }

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
}

/**
 * Says that a list of derived entries is complete. Its value names what the entries were derived from, so that a
 * list that was built for another field is not complete. A flag has one value.
 */
export type CompletionFlag = { readonly name: string; readonly value: string }
