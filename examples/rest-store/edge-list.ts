import type { EdgePosition, EdgeRange, EdgeRecord } from 'kithgraph'

/** Ids have no leading zeros, so that the longer one is the greater. */
const compareIds = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : Number(a > b))

const compare = (a: EdgePosition, b: EdgePosition): number =>
  a.time - b.time || compareIds(a.target, b.target)

/** The edges of one name from one source, in their order: by time, then by target. */
export class EdgeList {
  readonly #byTarget = new Map<string, EdgeRecord>()
  readonly #inOrder: EdgeRecord[] = []

  get size(): number {
    return this.#inOrder.length
  }

  has(target: string): boolean {
    return this.#byTarget.has(target)
  }

  put(edge: EdgeRecord): void {
    this.delete(edge.target)
    this.#byTarget.set(edge.target, edge)
    this.#inOrder.splice(this.#placeOf(edge), 0, edge)
  }

  delete(target: string): void {
    const edge = this.#byTarget.get(target)
    if (edge === undefined) return
    this.#byTarget.delete(target)
    this.#inOrder.splice(this.#placeOf(edge), 1)
  }

  /** As many edges as the range asks for, in walking direction, and whether there are more. */
  walk({ direction, from, minTime, maxTime, limit }: EdgeRange): { edges: EdgeRecord[]; more: boolean } {
    const isNewest = direction === 'newest'
    const start = this.#first(
      edge =>
        (minTime === undefined || edge.time >= minTime) &&
        (isNewest || from === undefined || compare(edge, from) > 0),
    )
    const end = this.#first(
      edge =>
        (maxTime !== undefined && edge.time > maxTime) ||
        (isNewest && from !== undefined && compare(edge, from) >= 0),
    )
    const edges = isNewest
      ? this.#inOrder.slice(Math.max(start, end - limit), end).reverse()
      : this.#inOrder.slice(start, Math.min(end, start + limit))
    return { edges, more: edges.length > 0 && end - start > edges.length }
  }

  #placeOf(position: EdgePosition): number {
    return this.#first(edge => compare(edge, position) >= 0)
  }

  /** The place of the first edge for which something holds that holds for all behind it, too. */
  #first(holds: (edge: EdgeRecord) => boolean): number {
    let low = 0
    let high = this.#inOrder.length
    while (low < high) {
      const middle = (low + high) >> 1
      const edge = this.#inOrder[middle]
      if (edge !== undefined && holds(edge)) high = middle
      else low = middle + 1
    }
    return low
  }
}
