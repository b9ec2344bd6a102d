import { Immer } from 'immer'
import { isPromiseLike } from '../base/awaitable.ts'
import { describeValue } from '../base/describe.ts'
import { isSameJson, type JsonObject, type JsonValue } from '../base/json.ts'
import { usageError } from '../base/usage-error.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { WriteCondition } from '../store/conditional.ts'
import { parseChanges, type WritableField, type WritableFields } from '../write/writable-fields.ts'

/** A function that changes a draft. Its result is ignored. */
export type UntypedRecipe = (draft: { [name: string]: unknown }) => unknown

/** Values by name. */
type Values = { readonly [name: string]: unknown }

// Without freezing, objects that a recipe assigns to its draft stay changeable for the caller.
const immer = new Immer({ autoFreeze: false })

/** Returns the result of `parse`, or undefined for a value that it rejects. */
const tryParseValue = ({ parse }: WritableField, value: unknown): JsonValue | undefined => {
  try {
    return parse(value)
  } catch (error) {
    if (error instanceof ValidationIssue) return undefined
    throw error
  }
}

/**
 * Returns the values of the declared, stored fields as a write accepts them. A stored value that its type
 * rejects is left out, as in a result.
 */
const toDraftValues = ({ fields }: WritableFields, stored: JsonObject): Values => {
  const entries: [string, JsonValue][] = []
  for (const [name, field] of fields) {
    const storedValue = Object.hasOwn(stored, name) ? stored[name] : undefined
    if (!field.isStored || storedValue === undefined || storedValue === null) continue
    const value = tryParseValue(field, storedValue)
    if (value !== undefined) entries.push([name, value])
  }
  return Object.fromEntries(entries)
}

const runRecipe = (location: string, before: Values, recipe: UntypedRecipe): Values =>
  immer.produce(before, draft => {
    const result = recipe(draft)
    if (!isPromiseLike(result)) return
    // The function goes on with a draft that can no longer be used, and nobody else handles its error.
    result.then(undefined, () => undefined)
    throw usageError(location, 'recipe', 'a synchronous function', 'a function that returns a promise')
  })

/** Whether a write of `after` would store the same value again. `null` removes the value. */
const isSameValue = (field: WritableField | undefined, before: unknown, after: unknown): boolean => {
  if (before === after || (before === undefined && after === null)) return true
  if (field === undefined || before === undefined || after === null) return false
  return isSameJson(tryParseValue(field, after), before)
}

/** Returns the values that differ. A removed value is null. */
const findChanges = ({ fields }: WritableFields, before: Values, after: Values): Values => {
  const changes: [string, unknown][] = []
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const value = after[name] ?? null
    if (!isSameValue(fields.get(name), before[name], value)) changes.push([name, value])
  }
  return Object.fromEntries(changes)
}

/**
 * Runs a recipe over stored values. Returns only the values that it changed, in their stored form, and null
 * for each removed value; undefined if it changed nothing.
 *
 * @throws a {@link ValidationIssue} whose path begins with `path`; TypeError if the recipe returns a promise.
 */
export const applyRecipe = (
  location: string,
  writableFields: WritableFields,
  stored: JsonObject,
  recipe: UntypedRecipe,
  path: string,
): JsonObject | undefined => {
  const before = toDraftValues(writableFields, stored)
  const changes = findChanges(writableFields, before, runRecipe(location, before, recipe))
  return Object.keys(changes).length === 0 ? undefined : parseChanges(writableFields, changes, path)
}

/**
 * Creates the condition that fields are as they were read. Without `names`, these are all declared fields that
 * are stored. Values are compared in the form in which they are stored, even if their types reject them.
 *
 * @throws TypeError for a name that is not the name of a stored field.
 */
export const createReadCondition = (
  location: string,
  { fields }: WritableFields,
  stored: JsonObject,
  names?: readonly string[],
): WriteCondition => {
  const storedNames = [...fields].filter(([, { isStored }]) => isStored).map(([name]) => name)
  const unknownName = names?.find(name => !storedNames.includes(name))
  if (unknownName !== undefined)
    throw usageError(
      location,
      'fields',
      `an array with only ${storedNames.join(', ') || 'no names'}`,
      describeValue(unknownName),
    )
  const values = (names ?? storedNames).map(
    name => [name, (Object.hasOwn(stored, name) ? stored[name] : undefined) ?? null] as const,
  )
  return { fields: Object.fromEntries(values) }
}
