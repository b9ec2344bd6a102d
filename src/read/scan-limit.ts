import { GraphError, REDUCE_DATA_MESSAGE } from '../base/errors.ts'
import type { ExaminedEdges } from '../core/events.ts'

/** Returns a new random number in [0, 1) for each call. */
export type DrawUniform = () => number

const UINT32_RANGE = 2 ** 32

/** Returns a cryptographically random number, which no caller can predict. */
export const drawUniform: DrawUniform = () =>
  (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / UINT32_RANGE

/** The maximum number of edges that `examined` of an event lists. */
const MAX_REPORTED_EDGES = 5

/**
 * The error of a call that exceeds its scan limit. The message names neither a list nor the drawn limit,
 * because both would reveal something about hidden edges. The separate class marks a call that is charged for
 * what it examined.
 */
export class ScanLimitError extends GraphError {
  constructor(limit: number) {
    const hint = 'Request fewer lists, a shorter time window or no summary, or read the edge alone'
    super(
      'query_too_expensive',
      `(#1) ${REDUCE_DATA_MESSAGE}: one call may examine about ${limit} edges of lists under a policy. ${hint}`,
      { limit },
    )
  }
}

/**
 * The limit on the edges that one call may examine in lists under a policy. It is drawn for each call, so
 * that one hidden edge more or less hardly changes whether a call fails.
 */
export class ScanLimit {
  readonly #limit: number
  readonly #drawUniform: DrawUniform
  #drawnLimit: number | undefined
  #examinedByEdge: Map<string, ExaminedEdges> | undefined
  #examinedCount = 0

  constructor(limit: number, drawUniform: DrawUniform) {
    this.#limit = limit
    this.#drawUniform = drawUniform
  }

  get examinedCount(): number {
    return this.#examinedCount
  }

  /** The number of edges that may still be examined. The limit is drawn when it is first needed. */
  get remaining(): number {
    this.#drawnLimit ??= Math.floor(this.#limit * (1 + (this.#drawUniform() + this.#drawUniform()) / 2))
    return this.#drawnLimit - this.#examinedCount
  }

  /** The edges whose lists the call examined most, the largest number first. */
  get examinedByEdge(): readonly ExaminedEdges[] {
    const examined = [...(this.#examinedByEdge?.values() ?? [])]
    return examined.sort((a, b) => b.edges - a.edges).slice(0, MAX_REPORTED_EDGES)
  }

  /**
   * Counts the edges that were examined in the lists of one edge.
   *
   * @throws GraphError `query_too_expensive` beyond the limit.
   */
  addExamined(type: string, edge: string, edgeCount: number): void {
    if (edgeCount === 0) return
    const key = `${type}.${edge}`
    this.#examinedCount += edgeCount
    this.#examinedByEdge ??= new Map()
    this.#examinedByEdge.set(key, {
      type,
      edge,
      edges: edgeCount + (this.#examinedByEdge.get(key)?.edges ?? 0),
    })
    this.assertWithinLimit(0)
  }

  /** @throws GraphError `query_too_expensive` if the call may not examine so many further edges. */
  assertWithinLimit(furtherCount: number): void {
    if (furtherCount > this.remaining) throw new ScanLimitError(this.#limit)
  }
}
