import type { ErrorReason } from '../base/errors.ts'
import type { ExaminedEdges } from './scan-limit.ts'

/**
 * The reads of a graph as events name them. Only a handler runs `getEdgeEntry`, which reads one entry by its
 * target, and `session`, which reads only the token.
 */
export type ReadMethod =
  | 'getNode'
  | 'getNodes'
  | 'getMe'
  | 'getEdge'
  | 'getEdges'
  | 'hasEdge'
  | 'getEdgeEntry'
  | 'session'

/** The event of one read of the store: how much was requested, and how long it took. */
export type StoreReadEvent = {
  readonly kind: 'read'
  readonly method: ReadMethod
  readonly nodes: number
  readonly ranges: number
  readonly checks: number
  readonly tokens: number
  /** Milliseconds. */
  readonly durationMs: number
}

/** The number of denials of one rule in one call: each evaluation of a record, a list or a field counts. */
export type Denial = {
  /** The name of the rule that denied, or `no rule` if no rule decided. */
  readonly rule: string
  readonly count: number
}

/**
 * The number of values of one field that a call left out as not valid for its type: stored values, and
 * values that a `resolve` returned. For a field of an edge, `type` is the type of the node that the edge
 * leads to.
 */
export type BadValueCount = {
  readonly type: string
  readonly field: string
  readonly count: number
}

/** The event of a rule that threw, and therefore denied. It is reported once per rule and call. */
export type RuleEvent = {
  readonly kind: 'rule'
  readonly method: ReadMethod
  readonly rule: string
  readonly error: unknown
}

/** The event of one call, which succeeded or failed. */
export type QueryEvent = {
  readonly kind: 'query'
  readonly method: ReadMethod
  readonly reads: number
  /** Milliseconds. */
  readonly durationMs: number
  /** The denials of each rule, in the order of their first denial. */
  readonly denials: readonly Denial[]
  /** The edges under a policy whose lists the call examined most: at most five, the largest number first. */
  readonly examined: readonly ExaminedEdges[]
  /** The bad values of each field, in the order of the first one. */
  readonly badValues: readonly BadValueCount[]
  /** The reason of the error; undefined if the call succeeded. */
  readonly reason: ErrorReason | undefined
  /** The trace id of the error; undefined if the call succeeded. */
  readonly traceId: string | undefined
}

/** An event that `onEvent` receives: counts and times, without tokens and without ids of people. */
export type GraphEvent = StoreReadEvent | RuleEvent | QueryEvent
