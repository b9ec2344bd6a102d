import { describe } from '../../base/describe.ts'
import type { Rule } from '../../schema/policy.ts'
import { assertWord } from './subject.ts'

const isComparable = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)

/**
 * Allows where the record's field has that value, else skips. Values are compared as they are stored: a `datetime` is
 * integer milliseconds, a `ref` the raw id. A policy denies a record if the stored value is not one that the field can have,
 * also if the rule is inside `not`, `anyOf` or `allOf`.
 *
 * @throws TypeError for a field that is no text, or a value that is no text, finite number or boolean.
 * @example
 * ```ts
 * import { field, fieldEquals, isViewer, node } from 'kithgraph'
 *
 * const album = node({
 *   policy: [fieldEquals('privacy', 'everyone'), isViewer({ of: 'owner' })],
 *   fields: { privacy: field.enum(['everyone', 'self']), owner: field.ref('user') },
 * })
 * console.log(album.policy?.[0]?.name) // fieldEquals(privacy, everyone)
 * ```
 */
export const fieldEquals = (field: string, value: string | number | boolean): Rule => {
  assertWord('fieldEquals', 'the name of a field', field)
  if (!isComparable(value)) {
    throw new TypeError(`fieldEquals: expected text, a finite number or a boolean, came ${describe(value)}`)
  }
  const name = `fieldEquals(${field}, ${value})`
  return Object.freeze({
    name,
    decide: record => (record.fields[field] === value ? 'allow' : 'skip'),
    '~refers': Object.freeze([{ rule: name, kind: 'value', field, value }]),
  } satisfies Rule)
}
