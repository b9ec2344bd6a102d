import { Immer, isDraft } from 'immer'
import { isPromiseLike } from '../base/awaitable.ts'
import { isPlainObject, isSameJson, type JsonObject, type JsonValue } from '../base/json.ts'
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

const GENERATOR_TAG = /^\[object (?:Async)?Generator\]$/

/** @throws TypeError if the result of a recipe is a promise or a generator. */
const assertSynchronous = (location: string, result: unknown): void => {
  const expected = 'a synchronous function'
  if (isPromiseLike(result)) {
    // The function goes on with a draft that can no longer be used, and nobody else handles its error.
    result.then(undefined, () => undefined)
    throw usageError(location, 'recipe', expected, 'a function that returns a promise')
  }
  // No part of a generator has run.
  if (GENERATOR_TAG.test(Object.prototype.toString.call(result)))
    throw usageError(location, 'recipe', expected, 'a generator function')
}

const runRecipe = (location: string, before: Values, recipe: UntypedRecipe): Values => {
  let isNewObject = false
  const after = immer.produce(before, draft => {
    const result = recipe(draft)
    assertSynchronous(location, result)
    isNewObject = !isDraft(result) && isPlainObject(result)
  })
  // The changes in the new object would be lost.
  if (isNewObject && after === before)
    throw usageError(
      location,
      'recipe',
      'a function that changes its draft',
      'a function that returns a new object and changes nothing',
    )
  return after
}

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
 * @throws a {@link ValidationIssue} whose path begins with `path`; TypeError if the recipe is not synchronous, or
 * returns a new object instead of changing its draft.
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

/** Returns the names of the fields that a record contains. */
export const storedNamesOf = ({ fields }: WritableFields): readonly string[] =>
  [...fields].filter(([, { isStored }]) => isStored).map(([name]) => name)

/**
 * Creates the condition that values are as they were read. They are compared in the form in which they are
 * stored, even if their types reject them.
 */
export const createReadCondition = (stored: JsonObject, names: Iterable<string>): WriteCondition => ({
  fields: Object.fromEntries(
    Array.from(
      new Set(names),
      name => [name, (Object.hasOwn(stored, name) ? stored[name] : undefined) ?? null] as const,
    ),
  ),
})
