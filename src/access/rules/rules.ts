import { describeValue } from '../../base/describe.ts'
import { assertOptionKinds, type OptionKinds } from '../../base/options.ts'
import { usageError } from '../../base/usage-error.ts'
import { type Rule, readsOfSubject, subjectOf } from '../../schema/policy.ts'
import { withCondition } from '../../schema/rule-conditions.ts'
import { assertNonEmptyText, isComparable } from './rule-values.ts'

/** The options of `isViewer`. */
export type RuleOptions = {
  /**
   * The name of a ref field. The rule is then about the node that the ref leads to. By default, the rule is
   * about the record itself. If the stored value is not an id, the policy denies.
   */
  readonly of?: string | undefined
}

const OPTION_KINDS = { of: 'text' } as const satisfies OptionKinds

/**
 * Creates a rule that allows if the viewer is the record. With `of`, it allows if the viewer is the node of
 * that ref. Otherwise, the rule skips, for example if the ref is not set or the token has no viewer.
 *
 * @throws TypeError for an unknown option.
 * @example
 * ```ts
 * import { field, isViewer, node } from 'kithgraph'
 *
 * const diary = node({ policy: [isViewer({ of: 'author' })], fields: { author: field.ref('user') } })
 * console.log(diary.policy?.map(rule => rule.name)) // [ 'isViewer(of author)' ]
 * ```
 */
export const isViewer = (options?: RuleOptions): Rule => {
  assertOptionKinds('isViewer', options, OPTION_KINDS)
  const subjectField = options?.of
  const name = subjectField === undefined ? 'isViewer' : `isViewer(of ${subjectField})`
  const rule = Object.freeze({
    name,
    reads: readsOfSubject(subjectField),
    decide: (record, { viewer }) =>
      viewer !== undefined && viewer === subjectOf(record, subjectField) ? 'allow' : 'skip',
    '~refers': Object.freeze([{ rule: name, kind: 'node', subjectField }]),
  } satisfies Rule)
  return withCondition(
    rule,
    ({ viewer }) => viewer !== undefined && { kind: 'node', of: subjectField, id: viewer },
  )
}

/**
 * Creates a rule that allows if the token has the scope. Otherwise, the rule skips. Any text that is not
 * empty can be a scope.
 *
 * @throws TypeError if the scope is not a string or is empty.
 * @example
 * ```ts
 * import { field, hasScope, isViewer } from 'kithgraph'
 *
 * const email = field.string({ policy: [isViewer(), hasScope('support')] })
 * console.log(email.policy?.map(rule => rule.name)) // [ 'isViewer', 'hasScope(support)' ]
 * ```
 */
export const hasScope = (scope: string): Rule => {
  assertNonEmptyText('hasScope', 'scope', scope)
  const rule = Object.freeze({
    name: `hasScope(${scope})`,
    reads: readsOfSubject(undefined),
    decide: (_record, { scopes }) => (scopes.includes(scope) ? 'allow' : 'skip'),
  } satisfies Rule)
  return withCondition(rule, ({ scopes }) => scopes.includes(scope))
}

/**
 * Creates a rule that allows if the field of the record has the given value. Otherwise, the rule skips. The
 * rule compares stored values: a `datetime` is integer milliseconds, and a `ref` is the raw id. A policy
 * denies a record whose stored value is not valid for the field, even if the rule is inside `not`, `anyOf` or
 * `allOf`.
 *
 * @throws TypeError if the field is not a string or is empty, or if the value is not a string, a finite
 * number or a boolean.
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
  const rule = Object.freeze({
    name,
    reads: Object.freeze([field]),
    decide: record => (record.fields[field] === value ? 'allow' : 'skip'),
    '~refers': Object.freeze([{ rule: name, kind: 'value', field, value }]),
  } satisfies Rule)
  return withCondition(rule, () => ({ kind: 'field', field, anyOf: [value] }))
}
