import { describeValue } from '../base/describe.ts'
import { isNonArrayObject } from '../base/json.ts'
import { isName } from '../base/names.ts'
import { assertOptionKinds } from '../base/options.ts'
import { formatChoices, usageError } from '../base/usage-error.ts'
import { type EntryKey, orderListOf } from '../store/derived-entries.ts'
import { type Field, isInEveryRecord } from './field.ts'
import type { PositionKey } from './position-key.ts'

/** The names of the orders that every edge has: by time, then by the numeric value of the target's id. */
export type TimeOrder = 'chronological' | 'reverse_chronological'

/** An order that an edge declares: by time, the newest first, or by a field of the edge. */
export type OrderDeclaration =
  | 'time'
  | {
      /** The name of a required or present int, datetime or unixtime field of the edge, without scope and policy. */
      readonly by: string
      /** Default `descending`, the largest value first. */
      readonly direction?: 'descending' | 'ascending' | undefined
    }

/** The declared orders of an edge by name. */
export type Orders = { readonly [name: string]: OrderDeclaration }

/** An order of the lists of an edge. Entries with equal values are in the order of their targets' ids. */
export type ListOrder = {
  readonly name: string
  readonly isDescending: boolean
  /** The field of the edge, or `undefined` if the list is in the order of the times of its edges. */
  readonly by: EntryKey | undefined
  /** Whether the order is a stored list of its own, `list#name`. */
  readonly hasList: boolean
  /** The kind of the values that order the list. If it is not `time`, `since` and `until` are errors. */
  readonly key: OrderKey
  /** Whether the positions of the list have a `key`. */
  readonly hasKey: boolean
  /** Whether cursors are encrypted, because they contain values that the caller may not see. */
  readonly isSecret: boolean
  /** The name with the field, for the fingerprint of cursors. */
  readonly cursorName: string
}

/**
 * The kind of the values that order a list: times, numbers of a field, the ids of its targets, or texts in the keys of
 * its positions.
 */
export type OrderKey = 'time' | 'number' | 'id' | 'text'

const createTimeOrder = (name: string, isDescending: boolean): ListOrder =>
  Object.freeze({
    name,
    isDescending,
    by: undefined,
    hasList: false,
    key: 'time',
    hasKey: false,
    isSecret: false,
    cursorName: name,
  })

/** The newest edges first. */
export const NEWEST_FIRST = createTimeOrder('reverse_chronological', true)

const TIME_ORDERS: ReadonlyMap<string, ListOrder> = new Map([
  ['chronological', createTimeOrder('chronological', false)],
  ['reverse_chronological', NEWEST_FIRST],
])

/** The types of the fields that can order a list, and the factor that converts their values to times. */
const FACTORS: ReadonlyMap<string, EntryKey['factor']> = new Map([
  ['int', 1],
  ['datetime', 1],
  ['unixtime', 1000],
])

/** Returns the key of entries for a field that can order a list; `undefined` for any other field. */
export const findEntryKey = (name: string, field: Field | undefined): EntryKey | undefined => {
  if (field?.kind !== 'value' || field.resolve !== undefined || !isInEveryRecord(field)) return undefined
  const factor = FACTORS.get(field.type.name)
  if (factor === undefined || field.scope !== undefined || field.policy !== undefined) return undefined
  return { field: field.from ?? name, factor }
}

/** Returns the kind of the values of a field that orders a list. */
export const orderKeyOf = (field: Field | undefined): OrderKey =>
  field?.kind === 'value' && field.type.name === 'int' ? 'number' : 'time'

const nameForCursors = (name: string, by: unknown): string => (by === undefined ? name : `${name} by ${by}`)

const ORDER_KINDS = { by: 'text', direction: 'text' } as const
const DIRECTIONS: readonly unknown[] = [undefined, 'descending', 'ascending']

const KEY_FIELD_EXPECTED =
  'a required or present int, datetime or unixtime field of the edge, without scope and policy'

const createOrder = (
  name: string,
  declaration: unknown,
  fields: { readonly [name: string]: Field },
): ListOrder => {
  const path = `orders.${name}`
  if (!isName(name) || TIME_ORDERS.has(name))
    throw usageError(
      'edge',
      path,
      'named with a-z, 0-9 and _, beginning with a letter, and not like an order that every edge has',
      describeValue(name),
    )
  if (declaration === 'time') return createTimeOrder(name, true)
  if (!isNonArrayObject(declaration))
    throw usageError('edge', path, '"time" or an object with "by"', describeValue(declaration))
  assertOptionKinds('edge', declaration, ORDER_KINDS, path)
  const { by, direction } = declaration
  if (!DIRECTIONS.includes(direction))
    throw usageError('edge', `${path}.direction`, '"descending" or "ascending"', describeValue(direction))
  const field = typeof by === 'string' && Object.hasOwn(fields, by) ? fields[by] : undefined
  const key = findEntryKey(`${by}`, field)
  if (key === undefined) throw usageError('edge', `${path}.by`, KEY_FIELD_EXPECTED, describeValue(by))
  const orderKey = orderKeyOf(field)
  return Object.freeze({
    name,
    isDescending: direction !== 'ascending',
    by: Object.freeze(key),
    hasList: true,
    key: orderKey,
    hasKey: false,
    isSecret: orderKey === 'number',
    cursorName: nameForCursors(name, by),
  })
}

/**
 * Creates the orders that an edge declares.
 *
 * @throws TypeError for an invalid name, direction or field.
 */
export const createOrders = (
  orders: { readonly [name: string]: unknown } | undefined,
  fields: { readonly [name: string]: Field },
): ReadonlyMap<string, ListOrder> =>
  new Map(
    Object.entries(orders ?? {}).map(([name, declaration]) => [name, createOrder(name, declaration, fields)]),
  )

/** Creates the two orders of a collection, whose lists are in the order of a field, or of ids. */
export const createCollectionOrders = (
  key: OrderKey,
  by: string | undefined,
): ReadonlyMap<string, ListOrder> =>
  new Map(
    [...TIME_ORDERS].map(([name, order]) => [
      name,
      Object.freeze({ ...order, key, isSecret: key === 'number', cursorName: nameForCursors(name, by) }),
    ]),
  )

/** What the positions of a list hold as their keys. */
export type KeyedOrder = {
  /** `time`: times, which `since` and `until` limit. `text`: any other values. */
  readonly key: 'time' | 'text'
  /** Whether cursors are encrypted, because no field shows the keys to everyone. */
  readonly isSecret: boolean
  /** A text that is different if the keys are different, so that the cursors of another order are rejected. */
  readonly fingerprint: string
}

/** Creates the order with a name of a stored list of its own, whose positions have a key. */
export const createKeyedOrder = (
  name: string,
  isDescending: boolean,
  { key, isSecret, fingerprint }: KeyedOrder,
): ListOrder =>
  Object.freeze({
    name,
    isDescending,
    by: undefined,
    hasList: true,
    key,
    hasKey: true,
    isSecret,
    cursorName: nameForCursors(name, fingerprint),
  })

/** Creates the two orders that every edge has, for lists whose positions have a key. */
export const createTimeOrders = (keyed: KeyedOrder): ReadonlyMap<string, ListOrder> =>
  new Map(
    [...TIME_ORDERS].map(([name, { isDescending }]) => [
      name,
      Object.freeze({ ...createKeyedOrder(name, isDescending, keyed), hasList: false }),
    ]),
  )

/** Whether the positions of all lists of an edge have a key, so that only its store keeps the lists. */
export const isKeyed = (orders: ReadonlyMap<string, ListOrder>): boolean =>
  orders.size > 0 && [...orders.values()].every(({ hasKey }) => hasKey)

/** Returns the orders of an edge whose positions have a key: all of them but those by a field of the edge. */
export const withKeyOrders = (
  orders: ReadonlyMap<string, ListOrder>,
  { kind, field }: PositionKey,
  isSecret: boolean,
): ReadonlyMap<string, ListOrder> => {
  const cursorKey = field === undefined ? `key ${kind}` : `key ${kind} ${field}`
  return new Map(
    [...new Map([...orders, ...TIME_ORDERS])].map(([name, order]) => [
      name,
      order.by === undefined
        ? Object.freeze({
            ...order,
            key: kind,
            hasKey: true,
            isSecret,
            cursorName: nameForCursors(name, cursorKey),
          })
        : order,
    ]),
  )
}

/** Returns the names of all orders of an edge. */
export const orderNamesOf = (orders: ReadonlyMap<string, ListOrder>): readonly string[] => [
  ...new Set([...orders.keys(), ...TIME_ORDERS.keys()]),
]

/** Describes the orders of an edge, for errors. */
export const formatOrders = (orders: ReadonlyMap<string, ListOrder>): string =>
  formatChoices(orderNamesOf(orders))

/** Returns the order of an edge with a name, or `undefined` if the edge has no such order. */
export const findOrder = (orders: ReadonlyMap<string, ListOrder>, name: string): ListOrder | undefined =>
  orders.get(name) ?? TIME_ORDERS.get(name)

/** Returns the name of the stored list that contains the edges of `list` in an order. */
export const storedOrderOf = (list: string, { name, hasList }: ListOrder): string =>
  hasList ? orderListOf(list, name) : list
