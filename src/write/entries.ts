import { MAX_TIME } from '../base/dates.ts'
import type { NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import type { CollectionOfType } from '../schema/collection.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { Increment } from '../store/conditional.ts'
import { type DerivedEntry, ROOT_ID, timeOfKey } from '../store/derived-entries.ts'
import type { StoreMutation } from '../store/mutations.ts'

/** Creates the mutations that keep the entries of a written record in further orders and collections. */
export const toEntryMutations = (entries: readonly DerivedEntry[]): readonly StoreMutation[] =>
  entries.map(entry => ({ op: 'deriveEntry', entry }))

/** Returns the entries of a node in collections. With `names`, returns those whose field has one of the names. */
export const createNodeEntries = (
  collections: readonly CollectionOfType[],
  target: NodeId,
  names?: readonly string[],
): readonly DerivedEntry[] =>
  collections
    .filter(({ by }) => names === undefined || (by !== undefined && names.includes(by.field)))
    .map(({ name, by }) => ({ source: ROOT_ID, name, target, by }))

/**
 * Returns increments whose results can order lists.
 */
export const limitIncrements = (
  increments: { readonly [name: string]: Increment } | undefined,
  entries: readonly DerivedEntry[],
): { readonly [name: string]: Increment } | undefined => {
  const names = new Set(entries.map(({ by }) => by?.field))
  return (
    increments &&
    Object.fromEntries(
      Object.entries(increments).map(([name, increment]) => [
        name,
        names.has(name) ? { ...increment, min: -MAX_TIME, max: MAX_TIME } : increment,
      ]),
    )
  )
}

/**
 * Asserts that values can order lists. Dates always can.
 *
 * @throws a {@link ValidationIssue} for a number that is too large.
 */
export const assertEntryKeys = (
  path: string,
  members: JsonObject,
  entries: readonly DerivedEntry[],
): void => {
  for (const { by } of entries) {
    const value = by && members[by.field]
    if (value !== undefined && timeOfKey(by, value) === undefined)
      throw new ValidationIssue(
        'an integer from -8640000000000000 to 8640000000000000, since it orders a list',
        value,
        `${path}.${by?.field}`,
      )
  }
}
