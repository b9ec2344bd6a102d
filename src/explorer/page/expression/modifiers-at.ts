import type { ParameterView } from '../../parameter-view.ts'
import type { SchemaView } from '../../schema-view.ts'
import { type ExpressionParent, membersOf, ordersAt, parametersAt } from '../schema/lookup.ts'

/** A modifier that a name can have. */
export type ModifierView = {
  readonly label: string
  /** The type of its argument. */
  readonly detail: string
  readonly info: string
  /** All possible values, or the usual ones. */
  readonly values?: readonly string[] | undefined
}

export const BOOLEANS: readonly string[] = ['true', 'false']
/** The orders that every edge has, unless a function of the schema returns its list. */
const TIME_ORDERS = ['chronological', 'reverse_chronological']

/** Returns all orders of an edge, with the orders that it declares first. */
export const allOrdersOf = (declaredNames: readonly string[]): readonly string[] => [
  ...new Set([...declaredNames, ...TIME_ORDERS]),
]

const ALIAS_MODIFIER: ModifierView = { label: 'as', detail: 'name', info: 'The name in the response.' }

const createOrderModifier = (names: readonly string[]): ModifierView => {
  const values = allOrdersOf(names)
  return { label: 'order', detail: 'order', info: `One of: ${values.join(', ')}.`, values }
}

const createEdgeModifiers = (orders: readonly string[]): readonly ModifierView[] => [
  { label: 'limit', detail: 'int', info: 'The number of entries of a page, at least 1.' },
  { label: 'summary', detail: 'bool', info: 'Adds the number of all entries.', values: BOOLEANS },
  createOrderModifier(orders),
  { label: 'since', detail: 'time', info: 'The earliest time: Unix seconds or ISO 8601.' },
  { label: 'until', detail: 'time', info: 'The latest time: Unix seconds or ISO 8601.' },
  { label: 'after', detail: 'cursor', info: 'The page after a cursor.' },
  { label: 'before', detail: 'cursor', info: 'The page before a cursor.' },
  ALIAS_MODIFIER,
]

const valuesOf = ({ type, words }: ParameterView): readonly string[] | undefined => {
  if (type === 'bool') return BOOLEANS
  return type === 'id' ? ['me'] : words
}

/** Describes a parameter in a few sentences: its meaning, its words, its default. */
const describeParameter = ({ description, words, default: defaultValue, required }: ParameterView): string =>
  [
    description ?? '',
    words === undefined ? '' : `One of: ${words.join(', ')}.`,
    defaultValue === undefined ? '' : `Default: ${defaultValue}.`,
    required ? 'Required.' : '',
  ]
    .filter(sentence => sentence !== '')
    .join(' ')

const toModifierView = (parameter: ParameterView): ModifierView => ({
  label: parameter.name,
  detail: parameter.type,
  info: describeParameter(parameter),
  values: valuesOf(parameter),
})

/** Returns the modifiers that a name can have: its parameters, and for an edge those of its pages. */
export const modifiersAt = (
  schema: SchemaView,
  parent: ExpressionParent,
  name: string | undefined,
): readonly ModifierView[] => {
  const member = membersOf(schema, parent).find(candidate => candidate.name === name)
  if (member === undefined) return []
  const parameters = parametersAt(schema, parent, member.name).map(toModifierView)
  if (member.kind !== 'edge') return [...parameters, ALIAS_MODIFIER]
  return [...parameters, ...createEdgeModifiers(ordersAt(schema, parent, member.name))]
}
