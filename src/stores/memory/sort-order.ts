import { compareIds, type NodeId } from '../../base/ids.ts'

/** An order of numbers: by a key, and where keys are equal by an id. */
export type SortOrder = {
  readonly keyOf: (number: number) => number
  readonly idOf: (number: number) => NodeId
}

/** A cut through sorted numbers: before it are those with a lower key, and of those with its key the ids within reach. */
export type Cut = {
  readonly key: number
  readonly id: NodeId
  /** 0 reaches the ids lower than `id`, 1 that one too, infinity all, and minus infinity none. */
  readonly reach: number
}

export const isBefore = (order: SortOrder, number: number, cut: Cut): boolean => {
  const key = order.keyOf(number)
  return key < cut.key || (key === cut.key && compareIds(order.idOf(number), cut.id) < cut.reach)
}

/** The cut right in front of a number. It looks for the id only where a key is equal, since ids are far to fetch. */
export class CutAt implements Cut {
  readonly key: number
  readonly reach = 0
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
