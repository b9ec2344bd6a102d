import { describeValue } from '../../base/describe.ts'
import { isNonArrayObject } from '../../base/json.ts'
import { isName } from '../../base/names.ts'
import { assertKnownOptions, assertObject, assertOptionKinds, type OptionKinds } from '../../base/options.ts'
import { formatChoices, usageError, usageErrorAbout } from '../../base/usage-error.ts'
import { COMMON_FIELD_OPTION_KINDS } from '../../schema/field.ts'
import { getOwn } from '../../schema/node.ts'
import { toParameters } from '../../schema/parameter.ts'
import type { RefDeclaration } from '../declare/fields.ts'
import type { BackDeclaration, TableCollection, ThroughDeclaration } from '../declare/lists.ts'
import { isColumnNames, isTableReference, TABLE_REFERENCE } from '../declare/references.ts'

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

const TABLE_KINDS = { table: 'text', key: 'any' } as const satisfies OptionKinds

/** @throws TypeError for a value that is not a reference to a table, or with an unknown option. */
const assertTableReference = (location: string, name: string, reference: unknown): void => {
  if (!isTableReference(reference))
    throw usageError(location, name, TABLE_REFERENCE, describeValue(reference))
  if (typeof reference !== 'string') assertOptionKinds(location, reference, TABLE_KINDS, name)
}

/** @throws TypeError for a value that is not the declaration of a type, or with an unknown option. */
export const assertTypeDeclaration = (location: string, declaration: unknown): void => {
  assertObject(location, declaration, 'types')
  assertOptionKinds(location, declaration, TYPE_OPTION_KINDS)
  const { over, fields } = declaration
  if (fields === undefined) throw usageError(location, 'fields', 'an object with fields by name', 'undefined')
  assertTableReference(location, 'over', over)
}

/** The results of the functions of declarations, and the members in which they belong. */
const MEMBERS: { readonly [kind: string]: readonly [created: string, member: string] } = {
  tableRef: ['a field that ref() returns', 'fields'],
  back: ['an edge that back() returns', 'edges'],
  through: ['an edge that through() returns', 'edges'],
  tableCollection: ['a collection that collection() returns', 'collections'],
}

const findMember = (value: unknown): readonly [created: string, member: string] | undefined =>
  isNonArrayObject(value) && typeof value.kind === 'string' ? getOwn(MEMBERS, value.kind) : undefined

/** Describes a value in a declaration: one that belongs elsewhere with its place. */
export const describeDeclaration = (value: unknown): string => {
  const [created, member] = findMember(value) ?? []
  return created === undefined ? describeValue(value) : `${created}, which belongs in "${member}"`
}

/** The options of a field over a column. Those of each field are checked with the field of the schema. */
const COLUMN_FIELD_OPTIONS = [...Object.keys(COMMON_FIELD_OPTION_KINDS), 'column', 'as', 'weight']

/** @throws TypeError for a value that is not the declaration of a field over a column. */
export const assertColumnField = (location: string, declaration: unknown): void => {
  if (declaration === true) return
  if (!isNonArrayObject(declaration) || findMember(declaration) !== undefined)
    throw usageErrorAbout(
      location,
      'the field',
      'true or an object with options',
      describeDeclaration(declaration),
    )
  assertKnownOptions(location, declaration, COLUMN_FIELD_OPTIONS)
  const { column } = declaration
  if (column !== undefined && typeof column !== 'string')
    throw usageError(location, 'column', 'the name of a column', describeValue(column))
}

/** Whether a value is what `ref` returns. */
export const isRefDeclaration = (value: unknown): value is RefDeclaration =>
  isNonArrayObject(value) &&
  value.kind === 'tableRef' &&
  typeof value.target === 'string' &&
  isColumnNames(value.columns)

/** Whether a value is what `back` returns. */
export const isBackDeclaration = (value: unknown): value is BackDeclaration =>
  isNonArrayObject(value) &&
  value.kind === 'back' &&
  typeof value.target === 'string' &&
  isColumnNames(value.columns)

/** Whether a value is what `through` returns. */
export const isThroughDeclaration = (value: unknown): value is ThroughDeclaration =>
  isNonArrayObject(value) &&
  value.kind === 'through' &&
  isTableReference(value.joinTable) &&
  isColumnNames(value.columns) &&
  typeof value.target === 'string' &&
  isColumnNames(value.targetColumns)

/** Whether a value is what `collection` returns. */
export const isTableCollection = (value: unknown): value is TableCollection =>
  isNonArrayObject(value) && value.kind === 'tableCollection' && typeof value.target === 'string'

const ORDER_KINDS = { by: 'text', as: 'text', nulls: 'text' } as const satisfies OptionKinds

const LIST_OPTION_KINDS = {
  description: 'text',
  defaults: 'texts',
  scope: 'text',
  policy: 'any',
  order: 'text',
  ...ORDER_KINDS,
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

const FURTHER_ORDER_KINDS = { ...ORDER_KINDS, direction: 'text' } as const satisfies OptionKinds
const DIRECTIONS = ['descending', 'ascending']
const NULLS = ['skip', 'end']
const TIME_ORDERS = ['chronological', 'reverse_chronological']

const assertChoice = (location: string, name: string, value: unknown, choices: readonly string[]): void => {
  if (value !== undefined && !choices.some(choice => choice === value))
    throw usageError(location, name, formatChoices(choices), describeValue(value))
}

const assertOrder = (location: string, name: string, order: unknown): void => {
  if (!isName(name) || TIME_ORDERS.includes(name))
    throw usageError(
      location,
      `orders.${name}`,
      'named with a-z, 0-9 and _, beginning with a letter, and not like an order that every edge has',
      describeValue(name),
    )
  assertObject(location, order, `orders.${name}`)
  assertOptionKinds(location, order, FURTHER_ORDER_KINDS, `orders.${name}`)
  assertChoice(location, `orders.${name}.direction`, order.direction, DIRECTIONS)
  assertChoice(location, `orders.${name}.nulls`, order.nulls, NULLS)
}

/** @throws TypeError for an unknown option of a list, or an order that is not valid. */
export const assertListOptions = (
  location: string,
  options: unknown,
  kinds: OptionKinds = LIST_OPTION_KINDS,
): void => {
  assertObject(location, options)
  assertOptionKinds(location, options, kinds)
  const { orders, parameters, count } = options
  if (isNonArrayObject(count)) assertKnownOptions(location, count, ['column'], 'count')
  assertChoice(location, 'nulls', options.nulls, NULLS)
  if (isNonArrayObject(parameters)) toParameters(location, parameters)
  const declared = Object.entries(isNonArrayObject(orders) ? orders : {})
  for (const [name, declaration] of declared) assertOrder(location, name, declaration)
  const names = [...declared.map(([name]) => name), ...TIME_ORDERS]
  assertChoice(location, 'order', options.order, names)
}
