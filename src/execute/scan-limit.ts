import { ScanLimitError } from './scan-limit-error.ts'

/** Returns a new random number in [0, 1) for each call. */
export type DrawUniform = () => number

const UINT32_RANGE = 2 ** 32

/** Returns a cryptographically random number, which no caller can predict. */
export const drawUniform: DrawUniform = () =>
  (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / UINT32_RANGE

/** The number of edges that a call examined in the lists of one edge. */
export type ExaminedEdges = { readonly type: string; readonly edge: string; readonly edges: number }

/** The maximum number of edges in an event. */
const MAX_REPORTED_EDGES = 5

/**
 * The limit on the edges that one call may examine in lists under a policy. It is drawn for each call, so
 * that one hidden edge more or less hardly changes whether a call fails.
 */
export class ScanLimit {
  readonly #limit: number
  readonly #drawnLimit: number
  readonly #examinedByEdge = new Map<string, ExaminedEdges>()
  #examinedCount = 0

  constructor(limit: number, drawNumber: DrawUniform) {
    this.#limit = limit
    this.#drawnLimit = Math.floor(limit * (1 + (drawNumber() + drawNumber()) / 2))
  }

  get examinedCount(): number {
    return this.#examinedCount
  }

  /** The number of edges that may still be examined. */
  get remaining(): number {
    return this.#drawnLimit - this.#examinedCount
  }

  /** The edges whose lists the call examined most, the largest number first. */
  get examinedByEdge(): readonly ExaminedEdges[] {
    return [...this.#examinedByEdge.values()].sort((a, b) => b.edges - a.edges).slice(0, MAX_REPORTED_EDGES)
  }

  /**
   * Counts what was examined of the lists of one edge.
   *
   * @throws GraphError `query_too_expensive` beyond the limit.
   */
  addExamined(type: string, edge: string, edgeCount: number): void {
    if (edgeCount === 0) return
    const key = `${type}.${edge}`
    this.#examinedCount += edgeCount
    this.#examinedByEdge.set(key, {
      type,
      edge,
      edges: edgeCount + (this.#examinedByEdge.get(key)?.edges ?? 0),
    })
    this.assertWithinLimit(0)
  }

  /** @throws GraphError `query_too_expensive` if so many further edges are more than may be examined. */
  assertWithinLimit(furtherCount: number): void {
    if (furtherCount > this.remaining) throw new ScanLimitError(this.#limit)
  }
}
