import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import type { JsonValue } from '../base/json.ts'
import { unquoteArgument } from '../fields/parse.ts'
import { type FieldType, ValidationIssue } from '../schema/field-type.ts'
import type { Parameter, Parameters, ParameterValues } from '../schema/parameter.ts'
import { binaryToBoolean, parseJson } from './arguments.ts'

/**
 * A value as a caller gave it: the argument of a modifier, the text of a query parameter, or the value of an
 * option.
 */
export type GivenValue =
  | { readonly kind: 'argument' | 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly value: unknown }

/** Converts a given value to the form that its type parses. */
const toParsable = (given: GivenValue, { name, notation }: FieldType): unknown => {
  if (given.kind === 'value') return given.value
  const text = given.kind === 'argument' ? unquoteArgument(given.text) : given.text
  if (notation === 'text') return text
  const value = parseJson(given.kind === 'argument' ? given.text : text)
  return name === 'bool' ? binaryToBoolean(value) : value
}

/**
 * Parses the value of a parameter. In text, a string may be quoted or unquoted, and other values are JSON. A
 * boolean may also be 1 or 0. An id is only copied, because it depends on the session.
 *
 * @throws GraphError `invalid_parameter`.
 */
export const parseParameter = (name: string, given: GivenValue, { type }: Parameter): JsonValue => {
  try {
    return type.parse(toParsable(given, type))
  } catch (error) {
    if (!(error instanceof ValidationIssue)) throw error
    const received = given.kind === 'value' ? given.value : given.text
    throw invalidParameterError(`${name}${error.path}`, error.expected, describeValue(received))
  }
}

/**
 * Adds the defaults of the parameters that have no value. The names have the order of the declaration, so
 * that equal values have equal texts.
 *
 * @throws GraphError `invalid_parameter` if a required parameter has no value.
 */
export const withDefaults = (declared: Parameters, values: ParameterValues): ParameterValues => {
  const allValues: { [name: string]: JsonValue } = {}
  for (const [name, { default: defaultValue, required }] of Object.entries(declared)) {
    const value = values[name] ?? defaultValue
    if (value !== undefined) allValues[name] = value
    else if (required) throw invalidParameterError(name, 'given, since it is required', 'undefined')
  }
  return allValues
}

const NO_VALUES: ParameterValues = Object.freeze({})

/**
 * Parses the given values of declared parameters, and adds the defaults.
 *
 * @throws GraphError `invalid_parameter` for a value of a wrong type, or a missing required parameter.
 */
export const parseParameters = (
  declared: Parameters,
  givenByName: ReadonlyMap<string, GivenValue>,
): ParameterValues => {
  const values: { [name: string]: JsonValue } = {}
  let isEmpty = true
  for (const name of Object.keys(declared)) {
    isEmpty = false
    const given = givenByName.get(name)
    const parameter = declared[name]
    if (given !== undefined && parameter !== undefined) values[name] = parseParameter(name, given, parameter)
  }
  return isEmpty ? NO_VALUES : withDefaults(declared, values)
}
