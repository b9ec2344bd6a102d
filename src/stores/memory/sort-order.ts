import { compareIds, type NodeId } from '../../base/ids.ts'

/** An order of numbers: by a key, then by an id. */
export type SortOrder = {
  readonly keyOf: (number: number) => number
  readonly idOf: (number: number) => NodeId
}

/**
 * A boundary between sorted numbers: numbers with a lower key are before it, and some of those with its own
 * key.
 */
export type SortBoundary = {
  readonly key: number
  readonly id: NodeId
  /**
   * The ids of numbers with this key that are before it: those below `id`, those through `id`, all, or none.
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
 * The boundary directly before a number. It reads the id only for an equal key, since reading ids is slow.
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

/** The maximum number of interpolations before bisection, for any keys. */
const MAX_INTERPOLATIONS = 8

/** A range of sorted numbers, and bounds of their keys. */
export type SearchRange = {
  readonly numbers: Uint32Array
  readonly startIndex: number
  readonly endIndex: number
  readonly minKey: number
  readonly maxKey: number
}

/** Returns the index of a key if the keys of a range were evenly distributed. */
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
 * Returns the index of the first number of a range that is not before a boundary, its end if all are. The
 * keys of the numbers are elsewhere in memory, so indexes are interpolated: among 500 keys distributed as
 * evenly as times usually are, it reads four, and bisection nine.
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
