import type { Awaitable } from '../base/awaitable.ts'
import type { GraphError } from '../base/faults.ts'
import type { Wave, WaveAnswer } from '../store/contract.ts'
import type { BadValueCount, Denial, ReadEvent, ReadMethod } from './read-event.ts'
import type { ExaminedEdges } from './scan-limit.ts'

/** Tells the author's listener of what one call does; it exists only where there is one. */
export class Reporter {
  readonly #onRead: (event: ReadEvent) => void
  readonly #method: ReadMethod
  readonly #started = performance.now()
  readonly #badValues = new Map<string, BadValueCount>()
  #waves = 0

  constructor(onRead: (event: ReadEvent) => void, method: ReadMethod) {
    this.#onRead = onRead
    this.#method = method
  }

  async read(wave: Wave, read: () => Awaitable<WaveAnswer>): Promise<WaveAnswer> {
    this.#waves++
    const started = performance.now()
    try {
      return await read()
    } finally {
      this.#tell({
        kind: 'wave',
        method: this.#method,
        nodes: wave.nodes.length,
        ranges: wave.ranges.length,
        tests: wave.tests.length,
        tokens: wave.tokens.length,
        duration: performance.now() - started,
      })
    }
  }

  /** A rule threw, and so denied. */
  rule(rule: string, error: unknown): void {
    this.#tell({ kind: 'rule', method: this.#method, rule, error })
  }

  /** A field was left out of a record, since its value is not valid. */
  badValue(type: string, field: string): void {
    // Names of a schema have no dot.
    const key = `${type}.${field}`
    const { count } = this.#badValues.get(key) ?? { count: 0 }
    this.#badValues.set(key, { type, field, count: count + 1 })
  }

  query(fault: GraphError | undefined, denials: readonly Denial[], examined: readonly ExaminedEdges[]): void {
    this.#tell({
      kind: 'query',
      method: this.#method,
      waves: this.#waves,
      duration: performance.now() - this.#started,
      denials,
      examined,
      badValues: [...this.#badValues.values()],
      fault: fault?.data.reason,
      traceId: fault?.traceId,
    })
  }

  /** A listener that throws must not turn an answer into a fault. */
  #tell(event: ReadEvent): void {
    try {
      const told: unknown = this.#onRead(event)
      if (told instanceof Promise) told.catch(() => undefined)
    } catch {}
  }
}
