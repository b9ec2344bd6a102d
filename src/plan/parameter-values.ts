import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import type { JsonValue } from '../base/json.ts'
import { unquoteArgument } from '../fields/parse.ts'
import { type FieldType, ValidationIssue } from '../schema/field-type.ts'
import type { Parameter, Parameters, ParameterValues } from '../schema/parameter.ts'
import { binaryToBoolean, parseDigitsAsNumber, parseJson, parseTimeText } from './arguments.ts'

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
  if (name === 'datetime') return parseTimeText(text) ?? parseDigitsAsNumber(text)
  if (notation === 'text') return text
  const value = parseJson(given.kind === 'argument' ? given.text : text)
  return name === 'bool' ? binaryToBoolean(value) : value
}

/** Parses a given value as a value of a type. @throws a {@link ValidationIssue} for an invalid value. */
export const parseGivenValue = (given: GivenValue, type: FieldType): JsonValue =>
  type.parse(toParsable(given, type))

/**
 * Parses the value of a parameter. In text, a string may be quoted or unquoted, and other values are JSON. A
 * boolean may also be 1 or 0. An id is only copied, because it depends on the session.
 *
 * @throws GraphError `invalid_parameter`.
 */
export const parseParameter = (name: string, given: GivenValue, { type }: Parameter): JsonValue => {
  try {
    return parseGivenValue(given, type)
  } catch (error) {
    if (!(error instanceof ValidationIssue)) throw error
    const received = given.kind === 'value' ? given.value : given.text
    throw invalidParameterError(`${name}${error.path}`, error.expected, describeValue(received))
  }
}

/** @throws GraphError `invalid_parameter` if a required parameter has no value. */
export const assertRequiredParameters = (declared: Parameters, given: ReadonlyMap<string, unknown>): void => {
  for (const name of Object.keys(declared))
    if (declared[name]?.required === true && !given.has(name))
      throw invalidParameterError(name, 'given, since it is required', 'undefined')
}

const NO_VALUES: ParameterValues = Object.freeze({})

/**
 * Parses the given values of declared parameters, and adds the defaults. The names have the order of the
 * declaration, so that equal values have equal texts.
 *
 * @throws GraphError `invalid_parameter` for a value of a wrong type, or a missing required parameter.
 */
export const parseParameters = (
  declared: Parameters,
  givenByName: ReadonlyMap<string, GivenValue>,
): ParameterValues => {
  assertRequiredParameters(declared, givenByName)
  let values: { [name: string]: JsonValue } | undefined
  for (const name of Object.keys(declared)) {
    const parameter = declared[name]
    const given = givenByName.get(name)
    if (parameter === undefined) continue
    const value = given === undefined ? parameter.default : parseParameter(name, given, parameter)
    if (value === undefined) continue
    values ??= {}
    values[name] = value
  }
  return values === undefined ? NO_VALUES : Object.freeze(values)
}
