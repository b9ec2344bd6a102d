import { GraphError, REDUCE_DATA_MESSAGE } from '../base/errors.ts'
import type { ExaminedEdges } from '../core/events.ts'
import type { Selection } from '../plan/plan.ts'

/** Returns a new random number in [0, 1) for each call. */
export type DrawUniform = () => number

/** The number of rows that a store examines under conditions that count as one edge. */
export const ROWS_PER_EDGE = 32

const UINT32_RANGE = 2 ** 32
/** Drawing one number takes about as long as drawing so many. */
const NUMBERS_PER_DRAW = 256

/** Creates a function that returns cryptographically random numbers, which no caller can predict. */
export const createDrawUniform = (): DrawUniform => {
  const numbers = new Uint32Array(NUMBERS_PER_DRAW)
  let next = NUMBERS_PER_DRAW
  return () => {
    if (next === NUMBERS_PER_DRAW) {
      crypto.getRandomValues(numbers)
      next = 0
    }
    return (numbers[next++] ?? 0) / UINT32_RANGE
  }
}

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
 * Returns how much each edge of a list counts against the scan limit. Under `canSee`, the nodes that the policy
 * of a target may read count too.
 */
export const scanWeightOf = ({ inheritedDepth }: Pick<Selection, 'inheritedDepth'>): number =>
  1 + inheritedDepth

/**
 * The limit on the number of edges that one call may examine in lists under a policy. The limit is drawn at
 * random for each call, so that a single hidden edge hardly affects whether a call fails.
 */
export class ScanLimit {
  readonly #limit: number
  readonly #drawUniform: DrawUniform
  #drawnLimit: number | undefined
  #examinedByEdge: Map<string, ExaminedEdges> | undefined
  /** The number of examined rows. An edge that the engine examined counts as many rows. */
  #examinedRows = 0

  constructor(limit: number, drawUniform: DrawUniform) {
    this.#limit = limit
    this.#drawUniform = drawUniform
  }

  get examinedCount(): number {
    return this.#examinedRows / ROWS_PER_EDGE
  }

  /** Returns the number of edges of the given weight that may still be examined. */
  remaining(weight: number): number {
    return Math.floor(this.remainingRows() / (ROWS_PER_EDGE * weight))
  }

  /** Returns the number of rows that a store may still examine. The limit is drawn when it is first needed. */
  remainingRows(): number {
    this.#drawnLimit ??= Math.floor(this.#limit * (1 + (this.#drawUniform() + this.#drawUniform()) / 2))
    return ROWS_PER_EDGE * this.#drawnLimit - this.#examinedRows
  }

  /** The edges with the most examined entries, in descending order. Parts of an edge are rounded up. */
  get examinedByEdge(): readonly ExaminedEdges[] {
    const examined = [...(this.#examinedByEdge?.values() ?? [])]
    return examined
      .sort((a, b) => b.edges - a.edges)
      .slice(0, MAX_REPORTED_EDGES)
      .map(one => ({ ...one, edges: Math.ceil(one.edges) }))
  }

  /**
   * Counts the edges that were examined in the lists of one edge. Each of them counts `weight` against the
   * limit. A row that the store examined under conditions is a 32nd of an edge.
   *
   * @throws GraphError `query_too_expensive` if the call exceeds the limit.
   */
  addExamined(type: string, edge: string, edgeCount: number, weight: number): void {
    if (edgeCount === 0) return
    const key = `${type}.${edge}`
    this.#examinedRows += edgeCount * weight * ROWS_PER_EDGE
    this.#examinedByEdge ??= new Map()
    this.#examinedByEdge.set(key, {
      type,
      edge,
      edges: edgeCount + (this.#examinedByEdge.get(key)?.edges ?? 0),
    })
    this.assertWithinLimit(0, weight)
  }

  /**
   * @throws GraphError `query_too_expensive` if the call may not examine `furtherCount` more edges of the given
   * weight.
   */
  assertWithinLimit(furtherCount: number, weight: number): void {
    if (furtherCount * weight * ROWS_PER_EDGE > this.remainingRows()) this.fail()
  }

  /** @throws GraphError `query_too_expensive`. */
  fail(): never {
    throw new ScanLimitError(this.#limit)
  }
}

/**
 * Returns how many rows a store may examine under conditions. If none are left, the call may examine one more row,
 * and fails.
 */
export const maxExaminedBy = (scanLimit: ScanLimit): number => Math.max(1, scanLimit.remainingRows())
