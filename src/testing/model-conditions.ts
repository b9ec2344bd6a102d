import { conflictError, invalidMutationError } from '../base/errors.ts'
import { isNonArrayObject, type JsonObject, type JsonValue } from '../base/json.ts'
import type { Increment, WriteCondition } from '../store/conditional.ts'

const sortNames = (value: unknown): unknown =>
  isNonArrayObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** Returns the same text for all values that are equal as JSON, because the names of objects are sorted. */
const toSortedText = (value: JsonValue): string => JSON.stringify(value, (_, member) => sortNames(member))

/** Returns a member of a record. A missing member is null; inherited members, such as `constructor`, are missing. */
const memberOf = (record: JsonObject, name: string): JsonValue =>
  new Map(Object.entries(record)).get(name) ?? null

/**
 * Throws `conflict` if a condition does not hold. `record` is the fields of the node or the data of the edge,
 * undefined if it does not exist.
 */
export const assertConditionHolds = (
  when: WriteCondition | undefined,
  record: JsonObject | undefined,
  index: number,
): void => {
  if (when === undefined) return
  if ('exists' in when) {
    const exists = record !== undefined
    if (exists !== when.exists) throw conflictError(index, 'when.exists', record)
    return
  }
  if (record === undefined) throw conflictError(index, 'when.exists', undefined)
  for (const [name, expected] of Object.entries(when.fields)) {
    const found = memberOf(record, name)
    if (toSortedText(found) !== toSortedText(expected))
      throw conflictError(index, `when.fields.${name}`, found)
  }
}

/** Adds to one value of a node. Throws `invalid_mutation` if the value or the result is not possible. */
const increment = (
  fields: JsonObject,
  name: string,
  { by, min, max, isInteger }: Increment,
  index: number,
): JsonObject => {
  const path = `increment.${name}`
  const value = memberOf(fields, name) ?? 0
  if (typeof value !== 'number') throw invalidMutationError(index, path, 'a number', typeof value)
  const result = value + by
  if (result < min || result > max)
    throw invalidMutationError(index, path, `a result from ${min} to ${max}`, `a result of ${result}`)
  if (isInteger && result % 1 !== 0)
    throw invalidMutationError(index, path, 'a result that is an integer', `a result of ${result}`)
  return Object.fromEntries([...Object.entries(fields), [name, result]])
}

/** Returns the fields of a node after its increments. */
export const incrementFields = (
  fields: JsonObject,
  increments: { readonly [name: string]: Increment } = {},
  index: number,
): JsonObject =>
  Object.entries(increments).reduce(
    (incremented, [name, by]) => increment(incremented, name, by, index),
    fields,
  )
