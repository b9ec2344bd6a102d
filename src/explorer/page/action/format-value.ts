import type { ValueView } from '../../parameter-view.ts'

const formatLimits = ({ min, max, maxLength, maxItems }: ValueView): readonly string[] => [
  ...(min === undefined ? [] : [`at least ${min}`]),
  ...(max === undefined ? [] : [`at most ${max}`]),
  ...(maxLength === undefined ? [] : [`at most ${maxLength.toLocaleString('en')} characters`]),
  ...(maxItems === undefined ? [] : [`at most ${maxItems} items`]),
]

const formatTypeName = ({ type, types = [] }: ValueView): string => {
  if (type === 'node') return `id of ${types.join(' or ')}`
  return type === 'datetime' ? 'datetime, UTC' : type
}

/** Describes a value: its type, its limits, its default and its meaning. */
export const formatValue = (view: ValueView): string => {
  const { default: defaultValue, description } = view
  const ending = defaultValue === undefined ? [] : [`default ${JSON.stringify(defaultValue)}`]
  const text = [formatTypeName(view), ...formatLimits(view), ...ending].join(', ')
  return description === undefined ? text : `${text}. ${description}`
}
