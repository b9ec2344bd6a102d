import { type FlagsByList, type ListFlags, listKeyOf } from '../store/complete-lists.ts'
import { type EntryKey, orderListOf, ROOT_ID } from '../store/derived-entries.ts'
import { findKeyField, ROOT_TYPE } from './collection.ts'
import type { CollectionKey } from './edge.ts'
import { listNamesOf } from './edge-lists.ts'
import { findEntryKey, isKeyed } from './list-order.ts'
import { getOwn } from './node.ts'
import type { Schema, Types } from './schema.ts'

const findKey = (types: Types, type: string, key: CollectionKey | undefined): EntryKey | undefined =>
  key?.by === undefined ? undefined : findEntryKey(key.by, findKeyField(types, type, key.by))

const describeKey = (key: EntryKey | undefined): string =>
  key === undefined ? 'id' : `${key.field}${key.factor === 1 ? '' : ' in seconds'}`

/** Whether a schema has collections, whose source is a node of every store. */
export const hasCollections = ({ types }: Schema): boolean => getOwn(types, ROOT_TYPE) !== undefined

/**
 * Returns the completion flags of collections and of further orders, by the keys of their lists. The value of a flag
 * is the field that orders the list and its unit, so a list is incomplete after it was built for another field. Lists
 * whose positions have a key have no flag, because only their store keeps them.
 */
export const findListFlags = ({ types }: Schema): FlagsByList => {
  const flagsByList = new Map<string, ListFlags>()
  for (const [name, { targets, collection, orders }] of Object.entries(
    getOwn(types, ROOT_TYPE)?.edges ?? {},
  )) {
    if (isKeyed(orders)) continue
    flagsByList.set(listKeyOf({ source: ROOT_ID, name }), {
      description: `the collection ${name}`,
      flags: targets.map(type => ({
        name: `${ROOT_ID}.${name} of ${type}`,
        value: describeKey(findKey(types, type, collection)),
      })),
    })
  }
  for (const [type, { edges }] of Object.entries(types))
    for (const [name, edge] of Object.entries(edges))
      for (const { name: order, by } of edge.orders.values()) {
        if (by === undefined) continue
        for (const listName of listNamesOf({ name, edge })) {
          const list = orderListOf(listName, order)
          const flag = { name: `${type}.${list}`, value: describeKey(by) }
          const { flags = [], description = `the order ${order} of ${name}` } = flagsByList.get(list) ?? {}
          flagsByList.set(list, { description, flags: [...flags, flag] })
        }
      }
  return flagsByList
}
