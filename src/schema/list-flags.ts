import type { FlagsByList, ListFlags } from '../store/complete-lists.ts'
import { orderListOf } from '../store/derived-entries.ts'
import { listNamesOf } from './edge-lists.ts'
import type { Schema } from './schema.ts'

/**
 * Returns the completion flags of the lists of further orders, by the names of the lists. A flag contains the
 * field of the order, so that an order by another field is incomplete.
 */
export const findListFlags = ({ types }: Schema): FlagsByList => {
  const flagsByList = new Map<string, ListFlags>()
  for (const [type, { edges }] of Object.entries(types))
    for (const [name, edge] of Object.entries(edges))
      for (const { name: order, by } of edge.orders.values()) {
        if (by === undefined) continue
        for (const listName of listNamesOf({ name, edge })) {
          const list = orderListOf(listName, order)
          const flag = `${type}.${list} by ${by.field}`
          const { flags = [], description = `the order ${order} of ${name}` } = flagsByList.get(list) ?? {}
          flagsByList.set(list, { description, flags: [...flags, flag] })
        }
      }
  return flagsByList
}
