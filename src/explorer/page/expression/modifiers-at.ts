import type { ParameterView } from '../../parameter-view.ts'
import type { SchemaView } from '../../schema-view.ts'
import { type ExpressionParent, membersOf, parametersAt } from '../schema/lookup.ts'

/** A modifier that a name can have. */
export type ModifierView = {
  readonly label: string
  /** The type of its argument. */
  readonly detail: string
  readonly info: string
  /** All possible values, or the usual ones. */
  readonly values?: readonly string[] | undefined
}

const BOOLEANS = ['true', 'false']
const ORDERS = ['chronological', 'reverse_chronological']

const ALIAS_MODIFIER: ModifierView = { label: 'as', detail: 'name', info: 'The name in the response.' }

const EDGE_MODIFIERS: readonly ModifierView[] = [
  { label: 'limit', detail: 'int', info: 'The number of entries of a page, at least 1.' },
  { label: 'summary', detail: 'bool', info: 'Adds the number of all entries.', values: BOOLEANS },
  {
    label: 'order',
    detail: 'order',
    info: 'The order by time: chronological or reverse_chronological.',
    values: ORDERS,
  },
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
  return [...parameters, ...(member.kind === 'edge' ? EDGE_MODIFIERS : [ALIAS_MODIFIER])]
}
