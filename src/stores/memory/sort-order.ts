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
