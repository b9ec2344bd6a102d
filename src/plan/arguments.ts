import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import type { JsonValue } from '../base/json.ts'
import type { Modifier } from '../fields/expression.ts'
import { unquoteArgument } from '../fields/unquote-argument.ts'
import type { EdgeOrder } from '../schema/edge.ts'
import { type FieldType, ValidationIssue } from '../schema/field-type.ts'

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const binaryToBoolean = (value: unknown): unknown => (value === 1 ? true : value === 0 ? false : value)

/**
 * Parses a parameter of a field: a string with or without quotes, everything else as JSON; booleans may also
 * be 1 and 0.
 *
 * @throws GraphError `invalid_parameter`.
 */
export const readArgument = ({ name, argument }: Modifier, type: FieldType): JsonValue => {
  const value = type.notation === 'text' ? unquoteArgument(argument) : parseJson(argument)
  try {
    return type.parse(type.name === 'bool' ? binaryToBoolean(value) : value)
  } catch (error) {
    if (!(error instanceof ValidationIssue)) throw error
    throw invalidParameterError(`${name}${error.path}`, error.expected, describeValue(argument))
  }
}

/**
 * Parses the size of a page: an integer of at least 1, lowered to the maximum; or 0 with a summary, for only
 * the count.
 */
export const readLimit = (value: unknown, maxLimit: number, summary = false): number => {
  const limit = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  const minLimit = summary ? 0 : 1
  if (typeof limit === 'number' && Number.isSafeInteger(limit) && limit >= minLimit)
    return Math.min(limit, maxLimit)
  throw invalidParameterError('limit', 'an integer of at least 1, or 0 with a summary', describeValue(value))
}

/** Parses the name of an order. */
export const readOrder = (value: unknown): EdgeOrder => {
  if (value === 'chronological' || value === 'reverse_chronological') return value
  throw invalidParameterError('order', '"chronological" or "reverse_chronological"', describeValue(value))
}

/** Parses the option `summary`. Existing clients may list the members of the summary; the list is ignored. */
export const readSummary = (value: unknown): boolean => {
  const parsed = binaryToBoolean(typeof value === 'string' ? parseJson(value) : value)
  if (typeof parsed === 'boolean') return parsed
  const isList =
    typeof value === 'string' && (Array.isArray(parsed) || value.split(',').includes('total_count'))
  if (isList) return true
  throw invalidParameterError('summary', 'true or false', describeValue(value))
}
