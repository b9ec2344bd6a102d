import { ScanLimitError } from './scan-limit-error.ts'

/** A number in [0, 1), new for each call of the function. */
export type DrawUniform = () => number

const VALUES = 2 ** 32

/** A number that no caller can foresee. */
export const drawUniform: DrawUniform = () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / VALUES

/** How many edges a call examined of the lists of one edge. */
export type ExaminedEdges = { readonly type: string; readonly edge: string; readonly edges: number }

/** How many edges an event names at most. */
const NAMED = 5

/**
 * How many edges of lists under a policy one call may examine. The limit is drawn anew for each call, so that one hidden
 * edge more or less hardly changes whether a call fails.
 */
export class ScanLimit {
  readonly #limit: number
  readonly #drawn: number
  readonly #byEdge = new Map<string, ExaminedEdges>()
  #examined = 0

  constructor(limit: number, draw: DrawUniform) {
    this.#limit = limit
    this.#drawn = Math.floor(limit * (1 + (draw() + draw()) / 2))
  }

  get examined(): number {
    return this.#examined
  }

  /** How many edges may still be examined. */
  get left(): number {
    return this.#drawn - this.#examined
  }

  /** The edges whose lists the call examined most, the largest number first. */
  get byEdge(): readonly ExaminedEdges[] {
    return [...this.#byEdge.values()].sort((a, b) => b.edges - a.edges).slice(0, NAMED)
  }

  /** Counts what was examined of the lists of one edge. @throws GraphError `too_costly` beyond the limit. */
  count(type: string, edge: string, edges: number): void {
    if (edges === 0) return
    const key = `${type}.${edge}`
    this.#examined += edges
    this.#byEdge.set(key, { type, edge, edges: edges + (this.#byEdge.get(key)?.edges ?? 0) })
    this.assertFits(0)
  }

  /** @throws GraphError `too_costly` if so many further edges are more than may be examined. */
  assertFits(further: number): void {
    if (further > this.left) throw new ScanLimitError(this.#limit)
  }
}
