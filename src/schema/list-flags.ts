import { type FlagsByList, type ListFlags, listKeyOf } from '../store/complete-lists.ts'
import { orderListOf, ROOT_ID } from '../store/derived-entries.ts'
import { ROOT_TYPE } from './collection.ts'
import { listNamesOf } from './edge-lists.ts'
import { getOwn } from './node.ts'
import type { Schema } from './schema.ts'

/**
 * Returns the completion flags of collections and of further orders, by the keys of their lists. A flag contains
 * the field that orders the list, so that an order by another field is incomplete.
 */
export const findListFlags = ({ types }: Schema): FlagsByList => {
  const flagsByList = new Map<string, ListFlags>()
  for (const [name, { targets, collection }] of Object.entries(getOwn(types, ROOT_TYPE)?.edges ?? {}))
    flagsByList.set(listKeyOf({ source: ROOT_ID, name }), {
      description: `the collection ${name}`,
      flags: targets.map(type => `${ROOT_ID}.${name} of ${type} by ${collection?.by ?? 'id'}`),
    })
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
