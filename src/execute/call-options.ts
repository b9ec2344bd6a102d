import type { Session } from '../base/session.ts'
import type { EdgeOrder } from '../schema/edge.ts'
import type { FieldsInput } from '../schema/inference/expression.ts'
import type { DateInput } from '../schema/inference/input.ts'

/** Whom a call is made for: the text of a token, or what `graph.session` made. */
export type Token = string | Session

/** What every read takes; every member may be undefined. */
export type CallOptions = {
  /** The version of the interface, such as `v1.0`. Default: the graph's. */
  readonly version?: string | undefined
  /** Aborts the call: no read of the store starts after it. */
  readonly signal?: AbortSignal | undefined
  /** The version that a write answered: the call sees that write, also where it is answered by a replica of the store. */
  readonly atLeast?: string | undefined
  /** The HMAC-SHA256 of the token under the secret of its app, in hexadecimal. */
  readonly proof?: string | undefined
}

/** What of a node, or of the entries of an edge, is asked. `TFields` is the literal, or the text of what is wrong with it. */
export type Selection<TFields = FieldsInput> = {
  /** An expression such as `id,name,photos.limit(2){picture}`, or a list of them. Default: the default fields. */
  readonly fields?: TFields
}

/** What an answer is to say of itself. */
export type Remarks<TDebug = 'all' | undefined, TPartial = boolean | undefined> = {
  /** Adds `__debug__`: fields left out for want of a scope, fields that are deprecated. */
  readonly debug?: TDebug
  /** Makes messages in `__debug__` of unknown fields, and of what is wrong with one of several ids. */
  readonly partial?: TPartial
}

/** Whether a node is to tell of its type. */
export type Description<TMetadata = boolean | undefined> = {
  /** Adds `metadata`: the node's type, its fields, and where its edges are. */
  readonly metadata?: TMetadata
}

/** How an edge is walked. */
export type WalkOptions = {
  /** The size of a page: from 1, lowered to the largest that the graph allows. Default 25. With `summary`, 0 reads the count alone. */
  readonly limit?: number | undefined
  /** The cursor that the page comes after. */
  readonly after?: string | undefined
  /** The earliest time, inclusive: unix seconds, ISO 8601 or a `Date`. */
  readonly since?: DateInput | undefined
  /** The latest time, inclusive to the end of its second: unix seconds, ISO 8601 or a `Date`. */
  readonly until?: DateInput | undefined
  /** Default: the edge's own order. */
  readonly order?: EdgeOrder | undefined
}

/** Which page of an edge is asked. */
export type PageOptions<TSummary = boolean | undefined> = WalkOptions & {
  /** The cursor that the page comes before; not together with `after`. */
  readonly before?: string | undefined
  /** Adds `summary`: the order, and how many entries the viewer may see, whatever the page. */
  readonly summary?: TSummary
}
