import type { Parameter } from '../schema/parameter.ts'

const DEFAULT_MAX_LENGTH = 65_536

/** Returns what a value of a parameter must be, if the parameter has limits. */
export const describeLimits = ({ kind, forActions = {} }: Parameter): string | undefined => {
  const { min, max, maxLength = DEFAULT_MAX_LENGTH } = forActions
  if (kind === 'string') return `a well-formed string of at most ${maxLength} characters`
  if (min === undefined && max === undefined) return undefined
  const subject = kind === 'int' ? 'an integer' : 'a number'
  if (min === undefined) return `${subject} of at most ${max}`
  return `${subject} ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}`
}

/** Returns what a parsed value must be instead, if it is not within the limits of its parameter. */
export const findLimitMismatch = (value: unknown, parameter: Parameter): string | undefined => {
  const { kind, forActions = {} } = parameter
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = forActions
  const { maxLength = DEFAULT_MAX_LENGTH } = forActions
  const isOutside =
    typeof value === 'number'
      ? value < min || value > max
      : kind === 'string' && typeof value === 'string' && value.length > maxLength
  return isOutside ? describeLimits(parameter) : undefined
}
