import type { Awaitable } from '../base/awaitable.ts'
import type { ErrorReason } from '../base/error-kinds.ts'
import type { GraphError } from '../base/errors.ts'
import type { StoreReadRequest, StoreReadResult } from '../store/contract.ts'

/** The number of entries that a call examined in the lists of one edge. */
export type ExaminedEdges = { readonly type: string; readonly edge: string; readonly edges: number }

/** The names of reads in events. Only handlers use `session`, which reads only the token. */
export type ReadMethod =
  | 'getNode'
  | 'getNodes'
  | 'getMe'
  | 'getEdge'
  | 'getEdges'
  | 'hasEdge'
  | 'getEdgeEntry'
  | 'callAction'
  | 'session'

/**
 * The event of one store read: the number of requested nodes, ranges, checks and tokens, and the duration.
 */
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

/**
 * The number of denials of one rule in one call. Each denied evaluation of a record, a list or a field
 * counts.
 */
export type Denial = {
  /** The name of the rule that denied, or `no rule` if no rule decided. */
  readonly rule: string
  readonly count: number
}

/**
 * The number of stored or computed values of one field that are not valid for the type of the field. For a
 * field of an edge, `type` is the type of the node that the edge leads to.
 */
export type BadValueCount = {
  readonly type: string
  readonly field: string
  readonly count: number
}

/** The event of a rule that threw an error and therefore denied. It is reported once per rule and call. */
export type RuleEvent = {
  readonly kind: 'rule'
  readonly method: ReadMethod
  readonly rule: string
  readonly error: unknown
}

/**
 * The event of a filter `where` that threw an error, or did not return a boolean, and therefore left out an
 * entry. It is reported once per edge and call.
 */
export type FilterEvent = {
  readonly kind: 'filter'
  readonly method: ReadMethod
  /** The type that has the edge. */
  readonly type: string
  readonly edge: string
  readonly error: unknown
}

/** The event of one call, whether it succeeded or failed. */
export type QueryEvent = {
  readonly kind: 'query'
  readonly method: ReadMethod
  readonly reads: number
  /** Milliseconds. */
  readonly durationMs: number
  /** The denials of each rule, in the order of their first denial. */
  readonly denials: readonly Denial[]
  /** The edges with the most examined entries in lists under a policy: at most five, in descending order. */
  readonly examined: readonly ExaminedEdges[]
  /** The bad values of each field, in the order of their first bad value. */
  readonly badValues: readonly BadValueCount[]
  /** Whether the call skipped policies, because its session has `bypassPolicies`. */
  readonly bypassedPolicies: boolean
  /** The reason of the error, or `undefined` if the call succeeded. */
  readonly reason: ErrorReason | undefined
  /** The trace id of the error, or `undefined` if the call succeeded. */
  readonly traceId: string | undefined
}

/** The event of the call of an action, whether it succeeded or failed. */
export type ActionEvent = {
  readonly kind: 'action'
  /** The type of the source, or `undefined` if the call failed before it was known. */
  readonly type: string | undefined
  /** The name of the action, or `undefined` if there is no such action. */
  readonly action: string | undefined
  /** Milliseconds. */
  readonly durationMs: number
  /** The denials of each rule, in the order of their first denial. */
  readonly denials: readonly Denial[]
  /** Whether the call skipped policies, because its session has `bypassPolicies`. */
  readonly bypassedPolicies: boolean
  /** The reason of the error, or `undefined` if the call succeeded. */
  readonly reason: ErrorReason | undefined
  /** The trace id of the error, or `undefined` if the call succeeded. */
  readonly traceId: string | undefined
}

/**
 * An event that `onEvent` receives. It contains counts and durations, but no tokens and no ids of nodes. The
 * `error` of a `RuleEvent` or a `FilterEvent` is the value that the function threw, and may contain any data.
 */
export type GraphEvent = StoreReadEvent | RuleEvent | FilterEvent | QueryEvent | ActionEvent

/**
 * Reports the events of one call to the graph's `onEvent`. A reporter exists only if the graph has this
 * option.
 */
export class EventReporter {
  readonly #onEvent: (event: GraphEvent) => void
  readonly #method: ReadMethod
  readonly #bypassedPolicies: boolean
  readonly #startedAt = performance.now()
  readonly #badValues = new Map<string, BadValueCount>()
  readonly #reportedFilters = new Set<string>()
  #storeReads = 0

  constructor(onEvent: (event: GraphEvent) => void, method: ReadMethod, bypassedPolicies: boolean) {
    this.#onEvent = onEvent
    this.#method = method
    this.#bypassedPolicies = bypassedPolicies
  }

  async reportRead(
    request: StoreReadRequest,
    read: () => Awaitable<StoreReadResult>,
  ): Promise<StoreReadResult> {
    this.#storeReads++
    const startedAt = performance.now()
    try {
      return await read()
    } finally {
      this.#emit({
        kind: 'read',
        method: this.#method,
        nodes: request.nodes.length,
        ranges: request.ranges.length,
        checks: request.checks.length,
        tokens: request.tokens.length,
        durationMs: performance.now() - startedAt,
      })
    }
  }

  /** Reports a rule that threw an error. The rule denies. */
  reportRule(rule: string, error: unknown): void {
    this.#emit({ kind: 'rule', method: this.#method, rule, error })
  }

  /** Reports a filter that threw an error, once per edge. The entry is left out. */
  reportFilter(type: string, edge: string, error: unknown): void {
    const key = `${type}.${edge}`
    if (this.#reportedFilters.has(key)) return
    this.#reportedFilters.add(key)
    this.#emit({ kind: 'filter', method: this.#method, type, edge, error })
  }

  /** Counts a value that is not valid for its field. */
  countBadValue(type: string, field: string): void {
    // Names in a schema contain no dot, so the key is unambiguous.
    const key = `${type}.${field}`
    const { count } = this.#badValues.get(key) ?? { count: 0 }
    this.#badValues.set(key, { type, field, count: count + 1 })
  }

  reportQuery(
    error: GraphError | undefined,
    denials: readonly Denial[],
    examined: readonly ExaminedEdges[],
  ): void {
    this.#emit({
      kind: 'query',
      method: this.#method,
      reads: this.#storeReads,
      durationMs: performance.now() - this.#startedAt,
      denials,
      examined,
      badValues: [...this.#badValues.values()],
      bypassedPolicies: this.#bypassedPolicies,
      reason: error?.reason,
      traceId: error?.traceId,
    })
  }

  /** Calls the listener. An error that the listener throws must not fail the call. */
  #emit(event: GraphEvent): void {
    try {
      const returned: unknown = this.#onEvent(event)
      if (returned instanceof Promise) returned.catch(() => undefined)
    } catch {}
  }
}
