import type { FaultReason } from '../base/faults.ts'
import type { ExaminedEdges } from './scan-limit.ts'

/** The reads of a graph, as an event names them; `getEdgeEntry` is one entry by its target, and
 * `session` a token alone, as a handler reads them. */
export type ReadMethod =
  | 'getNode'
  | 'getNodes'
  | 'getMe'
  | 'getEdge'
  | 'getEdges'
  | 'hasEdge'
  | 'getEdgeEntry'
  | 'session'

/** One read of the store: how much was asked, and how long it took. */
export type WaveEvent = {
  readonly kind: 'wave'
  readonly method: ReadMethod
  readonly nodes: number
  readonly ranges: number
  readonly tests: number
  readonly tokens: number
  /** Milliseconds. */
  readonly duration: number
}

/** What one rule kept from the viewer in one call: records, lists and fields, each time that they were judged. */
export type Denial = {
  /** The name of the rule that denied, or `no rule` where none allowed. */
  readonly rule: string
  readonly count: number
}

/**
 * How many values of one field a call left out, since they are not valid for its type: stored values, and what a `resolve`
 * returned. Of a field of an edge, `type` is the type of the node that the edge leads to.
 */
export type BadValueCount = {
  readonly type: string
  readonly field: string
  readonly count: number
}

/** A rule that threw, and so denied: told once a call. */
export type RuleEvent = {
  readonly kind: 'rule'
  readonly method: ReadMethod
  readonly rule: string
  readonly error: unknown
}

/** One call, answered or failed. */
export type QueryEvent = {
  readonly kind: 'query'
  readonly method: ReadMethod
  readonly waves: number
  /** Milliseconds. */
  readonly duration: number
  /** By the names of rules, in the order of their first denial. */
  readonly denials: readonly Denial[]
  /** The lists under a policy of which the call examined most edges, by type and edge: at most five, the largest first. */
  readonly examined: readonly ExaminedEdges[]
  /** By type and field, in the order of their first bad value. */
  readonly badValues: readonly BadValueCount[]
  /** Why it failed; undefined where it was answered. */
  readonly fault: FaultReason | undefined
  /** For finding the fault again; undefined where it was answered. */
  readonly traceId: string | undefined
}

/** What `onRead` is told: counts and times, no token and no person's id. */
export type ReadEvent = WaveEvent | RuleEvent | QueryEvent
