import type { FaultReason } from '../base/faults.ts'

/** The reads of a graph, as an event names them. */
export type ReadMethod = 'getNode' | 'getNodes' | 'getMe' | 'getEdge' | 'getEdges' | 'hasEdge'

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

/** One call, answered or failed. */
export type QueryEvent = {
  readonly kind: 'query'
  readonly method: ReadMethod
  readonly waves: number
  /** Milliseconds. */
  readonly duration: number
  /** Why it failed; undefined where it was answered. */
  readonly fault: FaultReason | undefined
  /** For finding the fault again; undefined where it was answered. */
  readonly traceId: string | undefined
}

/** What `onRead` is told: counts and times, no token and no person's id. */
export type ReadEvent = WaveEvent | QueryEvent
