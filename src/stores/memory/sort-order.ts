import { compareIds, type NodeId } from '../../base/ids.ts'

/** The order of a list of numbers: by the key of a number, then by its id. */
export type SortOrder = {
  readonly keyOf: (number: number) => number
  readonly idOf: (number: number) => NodeId
}

/**
 * A boundary between sorted numbers. Numbers with a lower key are before it. `ids` defines which numbers with
 * the same key are before it.
 */
export type SortBoundary = {
  readonly key: number
  readonly id: NodeId
  /**
   * Which numbers with this key are before the boundary: those with an id below `id`, with an id up to `id`,
   * all, or none.
   */
  readonly ids: 'below' | 'through' | 'all' | 'none'
}

/** Whether a number is before a boundary in an order. */
export const isBefore = (order: SortOrder, number: number, boundary: SortBoundary): boolean => {
  const key = order.keyOf(number)
  if (key !== boundary.key) return key < boundary.key
  const { id, ids } = boundary
  if (ids === 'all' || ids === 'none') return ids === 'all'
  return compareIds(order.idOf(number), id) < (ids === 'through' ? 1 : 0)
}

/**
 * The boundary directly before a number. It reads the id only for an equal key, because reading ids is slow.
 */
export class BoundaryBefore implements SortBoundary {
  readonly key: number
  readonly ids = 'below'
  readonly #order: SortOrder
  readonly #number: number

  constructor(order: SortOrder, number: number) {
    this.key = order.keyOf(number)
    this.#order = order
    this.#number = number
  }

  get id(): NodeId {
    return this.#order.idOf(this.#number)
  }
}

/**
 * The maximum number of interpolations in a search. After that, the search uses bisection, which is also fast
 * for unevenly distributed keys.
 */
const MAX_INTERPOLATIONS = 8

/** A range of sorted numbers, and bounds of their keys. */
export type SearchRange = {
  readonly numbers: Uint32Array
  readonly startIndex: number
  readonly endIndex: number
  readonly minKey: number
  readonly maxKey: number
}

/** Estimates the index of a key, as if the keys of the range were evenly distributed. */
const interpolateIndex = (
  startIndex: number,
  endIndex: number,
  minKey: number,
  maxKey: number,
  key: number,
): number => {
  const fraction = minKey < maxKey ? Math.min(1, Math.max(0, (key - minKey) / (maxKey - minKey))) : 0.5
  return Math.min(endIndex - 1, startIndex + Math.floor((endIndex - startIndex) * fraction))
}

/** Returns the index that `interpolationSearch` examines first. */
export const computeFirstProbeIndex = (
  { startIndex, endIndex, minKey, maxKey }: SearchRange,
  key: number,
): number => interpolateIndex(startIndex, endIndex, minKey, maxKey, key)

/**
 * Returns the index of the first number of a range that is not before a boundary, or `endIndex` if all are
 * before it. Reading the key of a number is a cache miss, so the search interpolates: with 500 keys that are
 * distributed as evenly as times usually are, it reads four keys, while bisection would read nine.
 */
export const interpolationSearch = (order: SortOrder, range: SearchRange, boundary: SortBoundary): number => {
  const { numbers } = range
  let { startIndex, endIndex, minKey, maxKey } = range
  for (let interpolationsLeft = MAX_INTERPOLATIONS; startIndex < endIndex; interpolationsLeft--) {
    const index =
      interpolationsLeft > 0
        ? interpolateIndex(startIndex, endIndex, minKey, maxKey, boundary.key)
        : (startIndex + endIndex) >>> 1
    const number = numbers[index] ?? 0
    if (isBefore(order, number, boundary)) {
      startIndex = index + 1
      minKey = order.keyOf(number)
    } else {
      endIndex = index
      maxKey = order.keyOf(number)
    }
  }
  return startIndex
}
