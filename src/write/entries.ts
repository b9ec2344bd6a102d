import type { JsonObject } from '../base/json.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import { type DerivedEntry, timeOfKey } from '../store/derived-entries.ts'
import type { StoreMutation } from '../store/mutations.ts'

/** Creates the mutations that keep the entries of a written record in further orders and collections. */
export const toEntryMutations = (entries: readonly DerivedEntry[]): readonly StoreMutation[] =>
  entries.map(entry => ({ op: 'deriveEntry', entry }))

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
