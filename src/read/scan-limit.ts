import { GraphError, REDUCE_DATA_MESSAGE } from '../base/errors.ts'
import type { ExaminedEdges } from '../core/events.ts'

/** Returns a new random number in [0, 1) for each call. */
export type DrawUniform = () => number

const UINT32_RANGE = 2 ** 32

/** Returns a cryptographically random number, which no caller can predict. */
export const drawUniform: DrawUniform = () =>
  (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / UINT32_RANGE

/** The maximum number of edges in the `examined` list of an event. */
const MAX_REPORTED_EDGES = 5

/**
 * The error of a call that exceeds its scan limit. The message contains neither the name of a list nor the
 * drawn limit, because both would reveal information about hidden edges. The separate class identifies calls
 * that are charged for the edges that they examined.
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
 * The limit on the number of edges that one call may examine in lists under a policy. The limit is drawn at
 * random for each call, so that a single hidden edge hardly affects whether a call fails.
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

  /** The edges with the most examined entries, in descending order. */
  get examinedByEdge(): readonly ExaminedEdges[] {
    const examined = [...(this.#examinedByEdge?.values() ?? [])]
    return examined.sort((a, b) => b.edges - a.edges).slice(0, MAX_REPORTED_EDGES)
  }

  /**
   * Counts the edges that were examined in the lists of one edge.
   *
   * @throws GraphError `query_too_expensive` if the call exceeds the limit.
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

  /** @throws GraphError `query_too_expensive` if the call may not examine `furtherCount` more edges. */
  assertWithinLimit(furtherCount: number): void {
    if (furtherCount > this.remaining) throw new ScanLimitError(this.#limit)
  }
}
