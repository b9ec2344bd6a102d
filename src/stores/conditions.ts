import { conflictError, invalidMutationError } from '../base/errors.ts'
import { isSameJson, type JsonObject, type JsonValue } from '../base/json.ts'
import type { Increment, WriteCondition } from '../store/conditional.ts'

/** The members of a node or an edge; undefined if it does not exist. */
export type Found = JsonObject | undefined

const isSameMember = (members: JsonObject, name: string, expected: JsonValue): boolean => {
  const found = Object.hasOwn(members, name) ? members[name] : undefined
  return expected === null ? found === undefined || found === null : isSameJson(found, expected)
}

/**
 * Asserts that the condition of a mutation holds.
 *
 * @throws GraphError `conflict` if it does not.
 */
export const assertCondition = (when: WriteCondition | undefined, found: Found, index: number): void => {
  if (when === undefined) return
  if ('exists' in when) {
    if (when.exists !== (found !== undefined)) throw conflictError(index, 'when.exists', found)
    return
  }
  if (found === undefined) throw conflictError(index, 'when.exists', found)
  for (const [name, expected] of Object.entries(when.fields))
    if (!isSameMember(found, name, expected)) throw conflictError(index, `when.fields.${name}`, found[name])
}

/**
 * Returns the values of a patch after its increments.
 *
 * @throws GraphError `invalid_mutation` if a stored value is not a number, or if a result is out of bounds or
 * not an integer.
 */
export const applyIncrements = (
  increments: { readonly [name: string]: Increment },
  found: JsonObject,
  index: number,
): JsonObject =>
  Object.fromEntries(
    Object.entries(increments).map(([name, { by, min, max, isInteger }]) => {
      const old = (Object.hasOwn(found, name) ? found[name] : undefined) ?? 0
      const path = `increment.${name}`
      if (typeof old !== 'number')
        throw invalidMutationError(
          index,
          path,
          'an increment of a stored number',
          'a stored value of another type',
        )
      const sum = old + by
      if (!(sum >= min && sum <= max))
        throw invalidMutationError(
          index,
          path,
          `an increment whose result is at least ${min} and at most ${max}`,
          `${by}`,
        )
      if (isInteger && !Number.isInteger(sum))
        throw invalidMutationError(index, path, 'an increment whose result is an integer', `${by}`)
      return [name, sum]
    }),
  )
