import type { Awaitable } from '../base/awaitable.ts'
import type { GraphError } from '../base/errors.ts'
import type { StoreReadRequest, StoreReadResult } from '../store/contract.ts'
import type { BadValueCount, Denial, GraphEvent, ReadMethod } from './graph-event.ts'
import type { ExaminedEdges } from './scan-limit.ts'

/** Reports the events of one call to the graph's `onEvent`. It exists only if the graph has that option. */
export class EventReporter {
  readonly #onEvent: (event: GraphEvent) => void
  readonly #method: ReadMethod
  readonly #startedAt = performance.now()
  readonly #badValues = new Map<string, BadValueCount>()
  #storeReads = 0

  constructor(onEvent: (event: GraphEvent) => void, method: ReadMethod) {
    this.#onEvent = onEvent
    this.#method = method
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

  /** Reports that a rule threw. Such a rule denies. */
  reportRule(rule: string, error: unknown): void {
    this.#emit({ kind: 'rule', method: this.#method, rule, error })
  }

  /** Counts a field that was left out because its value is not valid. */
  countBadValue(type: string, field: string): void {
    // Names in a schema have no dot.
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
      reason: error?.reason,
      traceId: error?.traceId,
    })
  }

  /** Calls the listener. An error that it throws must not fail the call. */
  #emit(event: GraphEvent): void {
    try {
      const returned: unknown = this.#onEvent(event)
      if (returned instanceof Promise) returned.catch(() => undefined)
    } catch {}
  }
}
