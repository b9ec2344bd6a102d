import { describeValue } from '../base/describe.ts'
import { formatIssue } from '../base/usage-error.ts'
import { type CollectionType, findKeyField, ROOT_TYPE } from './collection.ts'
import { findEntryKey } from './list-order.ts'
import { getOwn } from './node.ts'
import type { Schema } from './schema.ts'

const findKeyErrors = (
  schema: Schema,
  location: string,
  { targets, collection }: CollectionType,
): string[] => {
  const by = collection?.by
  if (by === undefined) return []
  // A field that has several kinds on the types of a list is another error.
  return targets
    .filter(type => Object.hasOwn(schema.types, type))
    .filter(type => findEntryKey(by, findKeyField(schema.types, type, by)) === undefined)
    .map(type =>
      formatIssue(
        location,
        '"by"',
        `a required or present int, datetime or unixtime field of ${type}, without scope and policy`,
        describeValue(by),
      ),
    )
}

const findRuleErrors = (location: string, { policy = [] }: CollectionType): string[] =>
  policy
    .flatMap(rule => rule['~refers'] ?? [])
    .map(({ rule }) =>
      formatIssue(location, '"policy"', 'made of hasScope, compositions and rules of your own', rule),
    )

/** Returns the errors of the collections of a schema. */
export const findCollectionErrors = (schema: Schema): readonly string[] => {
  const root = getOwn(schema.types, ROOT_TYPE)
  return Object.entries(root?.edges ?? {}).flatMap(([name, declared]) => {
    const location = `${ROOT_TYPE}.${name}`
    return [...findKeyErrors(schema, location, declared), ...findRuleErrors(location, declared)]
  })
}
