import type { EdgePosition, EdgeRange, EdgeRecord } from 'kithgraph'

/** Whether an id is a number. A named id, such as `photo-42`, begins with a letter. */
const isNumber = (id: string): boolean => id <= '9~'

/**
 * Compares ids: numbers by their value, named ids by their characters. Numbers have no leading zeros, so the longer
 * one is greater.
 */
const compareIds = (a: string, b: string): number => {
  const byLength = isNumber(a) && isNumber(b) ? a.length - b.length : 0
  return byLength || (a < b ? -1 : Number(a > b))
}

const compare = (a: EdgePosition, b: EdgePosition): number =>
  a.time - b.time || compareIds(a.target, b.target)

/** The edges of one name from one source, sorted by time, then by target. */
export class EdgeList {
  readonly #byTarget = new Map<string, EdgeRecord>()
  readonly #inOrder: EdgeRecord[] = []

  get size(): number {
    return this.#inOrder.length
  }

  get(target: string): EdgeRecord | undefined {
    return this.#byTarget.get(target)
  }

  put(edge: EdgeRecord): void {
    this.delete(edge.target)
    this.#byTarget.set(edge.target, edge)
    this.#inOrder.splice(this.#indexOf(edge), 0, edge)
  }

  delete(target: string): void {
    const edge = this.#byTarget.get(target)
    if (edge === undefined) return
    this.#byTarget.delete(target)
    this.#inOrder.splice(this.#indexOf(edge), 1)
  }

  /** Returns up to `limit` edges in the direction of the range, and whether there are more. */
  walk({ direction, from, minTime, maxTime, limit }: Omit<EdgeRange, 'ahead'>): {
    edges: EdgeRecord[]
    hasMore: boolean
  } {
    const isNewest = direction === 'newest'
    const start = this.#findFirst(
      edge =>
        (minTime === undefined || edge.time >= minTime) &&
        (isNewest || from === undefined || compare(edge, from) > 0),
    )
    const end = this.#findFirst(
      edge =>
        (maxTime !== undefined && edge.time > maxTime) ||
        (isNewest && from !== undefined && compare(edge, from) >= 0),
    )
    const edges = isNewest
      ? this.#inOrder.slice(Math.max(start, end - limit), end).reverse()
      : this.#inOrder.slice(start, Math.min(end, start + limit))
    return { edges, hasMore: edges.length > 0 && end - start > edges.length }
  }

  #indexOf(position: EdgePosition): number {
    return this.#findFirst(edge => compare(edge, position) >= 0)
  }

  /**
   * Returns the index of the first edge that meets a condition. All later edges must also meet the condition.
   */
  #findFirst(meetsCondition: (edge: EdgeRecord) => boolean): number {
    let low = 0
    let high = this.#inOrder.length
    while (low < high) {
      const middle = (low + high) >> 1
      const edge = this.#inOrder[middle]
      if (edge !== undefined && meetsCondition(edge)) high = middle
      else low = middle + 1
    }
    return low
  }
}
