import { describeValue } from '../../base/describe.ts'
import { isNonArrayObject } from '../../base/json.ts'
import { isName } from '../../base/names.ts'
import { assertObject, assertOptionKinds, type OptionKinds } from '../../base/options.ts'
import { formatChoices, usageError } from '../../base/usage-error.ts'

const TYPE_OPTION_KINDS = {
  over: 'any',
  where: 'record',
  timeZone: 'text',
  description: 'text',
  policy: 'any',
  appScoped: 'boolean',
  idPrefix: 'text',
  fields: 'record',
  edges: 'record',
} as const satisfies OptionKinds

const isColumnNames = (value: unknown): boolean =>
  typeof value === 'string' ||
  (Array.isArray(value) && value.length > 0 && value.every(name => typeof name === 'string'))

/** @throws TypeError for a value that is not the declaration of a type, or with an unknown option. */
export const assertTypeDeclaration = (location: string, declaration: unknown): void => {
  assertObject(location, declaration, 'types')
  assertOptionKinds(location, declaration, TYPE_OPTION_KINDS)
  const { over, fields } = declaration
  if (fields === undefined) throw usageError(location, 'fields', 'an object with fields by name', 'undefined')
  const isReference = isNonArrayObject(over) && typeof over.table === 'string' && isColumnNames(over.key)
  if (typeof over !== 'string' && !isReference)
    throw usageError(location, 'over', 'the name of a table, or { table, key }', describeValue(over))
}

const SORT_OPTION_KINDS = { by: 'text', as: 'text', nulls: 'text' } as const satisfies OptionKinds

const LIST_OPTION_KINDS = {
  description: 'text',
  defaults: 'texts',
  scope: 'text',
  policy: 'any',
  order: 'text',
  ...SORT_OPTION_KINDS,
  orders: 'record',
  where: 'record',
  parameters: 'object',
  count: 'any',
} as const satisfies OptionKinds

/** The options of an edge through a join table. */
export const JOIN_OPTION_KINDS = {
  ...LIST_OPTION_KINDS,
  fields: 'record',
  timeZone: 'text',
} as const satisfies OptionKinds

const ORDER_OPTION_KINDS = { ...SORT_OPTION_KINDS, direction: 'text' } as const satisfies OptionKinds
const DIRECTIONS = ['descending', 'ascending']
const TIME_ORDERS = ['chronological', 'reverse_chronological']

const assertOrder = (location: string, name: string, order: unknown): void => {
  if (!isName(name) || TIME_ORDERS.includes(name))
    throw usageError(
      location,
      `orders.${name}`,
      'named with a-z, 0-9 and _, beginning with a letter, and not like an order that every edge has',
      describeValue(name),
    )
  assertObject(location, order, `orders.${name}`)
  assertOptionKinds(location, order, ORDER_OPTION_KINDS, `orders.${name}`)
  const { direction } = order
  if (direction !== undefined && !DIRECTIONS.some(known => known === direction))
    throw usageError(
      location,
      `orders.${name}.direction`,
      formatChoices(DIRECTIONS),
      describeValue(direction),
    )
}

/** @throws TypeError for an unknown option of a list, or an order that is not valid. */
export const assertListOptions = (
  location: string,
  options: unknown,
  kinds: OptionKinds = LIST_OPTION_KINDS,
): void => {
  assertObject(location, options)
  assertOptionKinds(location, options, kinds)
  const { order, orders } = options
  const declared = Object.entries(isNonArrayObject(orders) ? orders : {})
  for (const [name, declaration] of declared) assertOrder(location, name, declaration)
  const names = [...declared.map(([name]) => name), ...TIME_ORDERS]
  if (typeof order === 'string' && !names.includes(order))
    throw usageError(location, 'order', formatChoices(names), describeValue(order))
}
