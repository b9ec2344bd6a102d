import type { EdgeType } from './edge.ts'
import { createKeyedOrder, createTimeOrders, type KeyedOrder, NEWEST_FIRST } from './list-order.ts'

/** What the lists of an edge are ordered by, if all of their positions have a key. */
export type KeyedOrders = {
  /** The list itself, which is read in both directions. */
  readonly list: KeyedOrder
  /** Further orders by name. Each is a stored list of its own, `list#name`, read in its direction and its reverse. */
  readonly orders?: { readonly [name: string]: KeyedOrder & { readonly isDescending: boolean } } | undefined
  /** The name of the default order. Default `reverse_chronological`, the largest key first. */
  readonly order?: string | undefined
}

/**
 * Returns an edge or a collection whose lists are in the order of the keys of their positions. The store keeps them:
 * they have no completion flags, and no write derives their entries. The names of orders must be valid, and not those
 * of orders that every edge has.
 */
export const withKeyedOrders = <TEdge extends EdgeType>(
  edge: TEdge,
  { list, orders = {}, order = NEWEST_FIRST.name }: KeyedOrders,
): TEdge =>
  Object.freeze({
    ...edge,
    order,
    orders: new Map([
      ...createTimeOrders(list),
      ...Object.entries(orders).map(
        ([name, { isDescending, ...keyed }]) => [name, createKeyedOrder(name, isDescending, keyed)] as const,
      ),
    ]),
  })
