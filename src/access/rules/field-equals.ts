import { describeValue } from '../../base/describe.ts'
import { usageError } from '../../base/usage-error.ts'
import type { Rule } from '../../schema/policy.ts'
import { assertNonEmptyText } from './subject.ts'

const isComparable = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)

/**
 * Creates a rule that allows if the field of the record has that value, and else skips. Values are compared
 * as they are stored: a `datetime` is integer milliseconds, a `ref` the raw id. A policy denies a record
 * whose stored value is not valid for the field, even if the rule is inside `not`, `anyOf` or `allOf`.
 *
 * @throws TypeError for a field that is not a string, or a value that is not a string, a finite number or a
 * boolean.
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
  assertNonEmptyText('fieldEquals', 'field', field)
  if (!isComparable(value)) {
    throw usageError('fieldEquals', 'value', 'a string, a finite number or a boolean', describeValue(value))
  }
  const name = `fieldEquals(${field}, ${value})`
  return Object.freeze({
    name,
    decide: record => (record.fields[field] === value ? 'allow' : 'skip'),
    '~refers': Object.freeze([{ rule: name, kind: 'value', field, value }]),
  } satisfies Rule)
}
