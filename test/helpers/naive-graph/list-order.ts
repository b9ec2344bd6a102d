import type { EdgeRecord } from '../../../src/store/contract.ts'
import { comparePositions, type Position } from './positions.ts'
import type { EdgeSpec, KeyField, TimeOrder } from './world.ts'

type OrderedEdge = Pick<EdgeSpec, 'order' | 'orders' | 'collection'>

/** An order of the lists of an edge. */
export type ListOrder = {
  readonly name: string
  readonly direction: TimeOrder
  /** The field of the edge that orders the list, or `undefined` for an order by time. */
  readonly by: KeyField | undefined
  /** What the list is ordered by. Only an order by time has time windows. */
  readonly kind: 'time' | 'number' | 'id'
}

const TIME_ORDERS: readonly TimeOrder[] = ['chronological', 'reverse_chronological']

const kindOfCollection = (by: string | undefined): ListOrder['kind'] =>
  by === undefined ? 'id' : by === 'count' ? 'number' : 'time'

/** Returns the names of all orders of an edge. */
export const orderNamesOf = ({ orders }: OrderedEdge): readonly string[] => [
  ...Object.keys(orders ?? {}),
  ...TIME_ORDERS,
]

/** Returns the requested order of an edge, by default its default order; `undefined` if it has no such order. */
export const findOrder = (edge: OrderedEdge, requested: string | undefined): ListOrder | undefined => {
  const name = requested ?? edge.order
  const declared = edge.orders?.[name]
  if (declared === 'time') return { name, direction: 'reverse_chronological', by: undefined, kind: 'time' }
  if (declared !== undefined) {
    const { by, direction } = declared
    return {
      name,
      direction: direction === 'ascending' ? 'chronological' : 'reverse_chronological',
      by,
      kind: by === 'rank' ? 'number' : 'time',
    }
  }
  const direction = TIME_ORDERS.find(order => order === name)
  const { collection } = edge
  const kind = collection === undefined ? 'time' : kindOfCollection(collection.by)
  return direction && { name, direction, by: undefined, kind }
}

/** Returns the requested order of an edge. An invalid order, whose call fails, has the default order. */
export const requireOrder = (edge: OrderedEdge, requested: string | undefined): ListOrder => {
  const order = findOrder(edge, requested) ?? findOrder(edge, undefined)
  if (order === undefined) throw new Error(`The order ${edge.order} is not declared`)
  return order
}

/** Returns the position of an edge in an order. A `stamp` is in seconds. */
export const positionOf = ({ by }: ListOrder, { time, target, data }: EdgeRecord): Position => {
  if (by === undefined) return { time, target }
  const value = Number(data?.[by])
  return { time: by === 'stamp' ? value * 1000 : value, target }
}

/** Compares two positions in an order. */
export const compareInOrder = ({ direction }: ListOrder, a: Position, b: Position): number =>
  comparePositions(direction, a, b)
