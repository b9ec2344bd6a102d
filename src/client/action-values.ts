import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import { isPlainObject, type JsonObject, type JsonValue } from '../base/json.ts'

/** The maximum depth of a value. No parameter is nested as deeply. */
const MAX_DEPTH = 50

const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())

const isScalar = (value: unknown): value is string | number | boolean | null =>
  typeof value === 'string' || typeof value === 'boolean' || value === null || Number.isFinite(value)

/**
 * Converts a value to JSON. Other values of JavaScript are rejected, because JSON would replace or drop them.
 *
 * @throws GraphError `invalid_parameter`.
 */
const toJsonValue = (value: unknown, path: string, depth: number): JsonValue => {
  if (isScalar(value)) return value
  if (isDate(value)) return value.toISOString()
  if (depth < MAX_DEPTH) {
    if (Array.isArray(value))
      return value.map((item, index) => toJsonValue(item, `${path}[${index}]`, depth + 1))
    if (isPlainObject(value)) return toJsonObject(value, `${path}.`, depth + 1)
  }
  const expected = 'a string, a number, a boolean, null, a Date, or an array or object of these'
  throw invalidParameterError(path, expected, describeValue(value))
}

const toJsonObject = (members: object, prefix: string, depth: number): JsonObject =>
  Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, toJsonValue(value, `${prefix}${name}`, depth)]),
  )

/**
 * Converts the parameters of an action to JSON, without those that have no value. A `Date` becomes text in ISO 8601.
 *
 * @throws GraphError `invalid_parameter` for a value that is not JSON.
 */
export const toJsonMembers = (parameters: object): JsonObject => toJsonObject(parameters, '', 0)
