import type { EdgeType } from '../../schema/edge.ts'
import type { Field } from '../../schema/field.ts'
import { withKeyedOrders } from '../../schema/keyed-orders.ts'
import type { KeyedOrder } from '../../schema/list-order.ts'
import { listOfOrder, orderListOf } from '../../store/derived-entries.ts'
import type { TableListOptions } from '../declare/lists.ts'
import type { FieldMapping, ListMapping } from '../model/table-model.ts'

type Fields = { readonly [name: string]: Field }

/** The fields that may show the value of an order: those of the targets, and those of the edge. */
export type ShownFields = { readonly target: Fields; readonly edge: Fields }

/** Whether a field shows the values of a column to everyone who sees its record. */
const showsColumn = (mappings: Iterable<FieldMapping>, fields: Fields, column: string): boolean => {
  for (const mapping of mappings) {
    const field = fields[mapping.name]
    const isOpen = field !== undefined && field.scope === undefined && field.policy === undefined
    if (isOpen && mapping.kind === 'value' && mapping.column.name === column) return true
  }
  return false
}

/** Returns what the keys of the positions of a list are. Without a column, they are ids, which are public. */
const toKeyedOrder = ({ order, target, data, isJoin }: ListMapping, fields: ShownFields): KeyedOrder => {
  const { column, isTime, nulls } = order
  const isShown =
    column === undefined ||
    (isJoin
      ? showsColumn(data, fields.edge, column.name)
      : showsColumn(target.fields.values(), fields.target, column.name))
  return {
    key: isTime ? 'time' : 'text',
    isSecret: !isShown,
    fingerprint: column === undefined ? 'id' : `${column.name} ${nulls}`,
  }
}

/** Sets the orders of an edge or a collection, whose positions all have a key. */
export const withListOrders = (
  edge: EdgeType,
  options: TableListOptions,
  lists: readonly ListMapping[],
  fields: ShownFields,
): EdgeType => {
  const [list] = lists.filter(({ name }) => listOfOrder(name) === undefined)
  if (list === undefined) return edge
  const orders = Object.entries(options.orders ?? {}).flatMap(([name, { direction }]) => {
    const ordered = lists.find(other => other.name === orderListOf(list.name, name))
    if (ordered === undefined) return []
    return [[name, { ...toKeyedOrder(ordered, fields), isDescending: direction !== 'ascending' }] as const]
  })
  return withKeyedOrders(edge, {
    list: toKeyedOrder(list, fields),
    orders: Object.fromEntries(orders),
    order: options.order,
  })
}
