import type { Session } from '../../base/session.ts'
import { usageError, usageErrorAbout } from '../../base/usage-error.ts'
import {
  assertRule,
  countRulesWithChecks,
  type Decision,
  decideByRule,
  type Rule,
  type RuleReference,
  readChecksOfRule,
} from '../../schema/policy.ts'
import { recordFor } from '../../schema/record-for.ts'
import { RefKey } from '../../schema/ref-key.ts'
import type { EdgeRecord, NodeRecord } from '../../store/contract.ts'

/** Counts the rules that allow. Evaluates all rules, so that an error in any rule is thrown. */
const countAllowing = (
  rules: readonly Rule[],
  record: NodeRecord,
  session: Session,
  found: readonly (boolean | EdgeRecord)[],
): number => {
  let allowingCount = 0
  let start = 0
  for (const rule of rules) {
    const member = recordFor(rule, record)
    const end = start + readChecksOfRule(rule, member, session).length
    if (decideByRule(rule, member, session, found.slice(start, end)) === 'allow') allowingCount++
    start = end
  }
  return allowingCount
}

/**
 * Returns the checks of a member of a composed rule that contains `canSee`.
 *
 * @throws TypeError if a member that does not contain `canSee` returns a key of a ref. The composed rule would
 * receive its result, and this member could negate it.
 */
const readChecksBesideCanSee: typeof readChecksOfRule = (rule, record, session, lists) => {
  const checks = readChecksOfRule(rule, record, session, lists)
  if (rule['~inherits'] === true || !checks.some(check => check instanceof RefKey)) return checks
  throw usageErrorAbout(`${rule.name}.checks`, 'each edge key', 'the key of an edge', 'the key of a ref')
}

const keepReference = (reference: RuleReference): RuleReference => reference

const negateReference = (reference: RuleReference): RuleReference =>
  reference.kind === 'visibleNode' ? { ...reference, isNegated: true } : reference

/** Returns the fields that the given rules read, or `undefined` if one of them does not declare them. */
const joinReads = (rules: readonly Rule[]): readonly string[] | undefined => {
  const reads = rules.flatMap(rule => rule.reads ?? [])
  return rules.some(rule => rule.reads === undefined) ? undefined : Object.freeze([...new Set(reads)])
}

const composeRule = (
  functionName: string,
  rules: readonly Rule[],
  toDecision: (allowingCount: number) => Decision,
  toReference: (reference: RuleReference) => RuleReference = keepReference,
): Rule => {
  if (rules.length === 0) throw usageError(functionName, 'rules', 'at least one rule', 'none')
  for (const [index, rule] of rules.entries()) assertRule(functionName, `rules[${index}]`, rule)
  const inherits = rules.some(rule => rule['~inherits'] === true)
  const readChecks = inherits ? readChecksBesideCanSee : readChecksOfRule
  return Object.freeze({
    name: `${functionName}(${rules.map(rule => rule.name).join(', ')})`,
    checks: (record, session) =>
      rules.flatMap(rule => [...readChecks(rule, recordFor(rule, record), session)]),
    '~checks': (record, session, lists) =>
      rules.flatMap(rule => [...readChecks(rule, recordFor(rule, record), session, lists)]),
    reads: joinReads(rules),
    decide: (record, session, found) => toDecision(countAllowing(rules, record, session, found)),
    '~refers': Object.freeze(rules.flatMap(rule => rule['~refers'] ?? []).map(toReference)),
    '~rulesWithChecks': countRulesWithChecks(rules),
    '~inherits': inherits,
  } satisfies Rule)
}

/**
 * Creates a rule that allows if at least one of the given rules allows. Otherwise, the rule skips. All given
 * rules are evaluated, and one store read reads all their checks. If a given rule throws, the new rule
 * throws.
 *
 * @throws TypeError if no rule is given, or for a value that is not a rule.
 * @example
 * ```ts
 * import { allOf, anyOf, hasScope, isViewer, viewerHasEdge } from 'kithgraph'
 *
 * const rule = allOf(hasScope('photos'), anyOf(isViewer(), viewerHasEdge('friends')))
 * console.log(rule.name) // allOf(hasScope(photos), anyOf(isViewer, viewerHasEdge(friends)))
 * ```
 */
export const anyOf = (...rules: readonly Rule[]): Rule =>
  composeRule('anyOf', rules, allowingCount => (allowingCount > 0 ? 'allow' : 'skip'))

/**
 * Creates a rule that allows if all of the given rules allow. Otherwise, the rule skips. All given rules are
 * evaluated, and one store read reads all their checks. If a given rule throws, the new rule throws.
 *
 * @throws TypeError if no rule is given, or for a value that is not a rule.
 * @example
 * ```ts
 * import { allOf, hasEdgeToViewer, not, viewerHasEdge } from 'kithgraph'
 *
 * const rule = allOf(viewerHasEdge('friends'), not(hasEdgeToViewer('blocked')))
 * console.log(rule.name) // allOf(viewerHasEdge(friends), not(hasEdgeToViewer(blocked)))
 * ```
 */
export const allOf = (...rules: readonly Rule[]): Rule =>
  composeRule('allOf', rules, allowingCount => (allowingCount === rules.length ? 'allow' : 'skip'))

/**
 * Creates a rule that denies if the given rule allows. Otherwise, the new rule allows, even if the given rule
 * skips because the token has no viewer. If the given rule throws, the new rule throws, so a failure allows
 * nothing.
 *
 * The policy also denies if a built-in rule inside `not` reads a stored value that is not valid. In the
 * example, a record with the text `'true'` as its stored `draft` stays hidden.
 *
 * The new rule always decides, so the policy evaluates no rule after it. To combine it with other conditions,
 * use {@link allOf}.
 *
 * `canSee` cannot be inside `not`, because it also skips if a policy follows too many refs. `defineSchema`
 * throws for such a policy.
 *
 * @throws TypeError for a value that is not a rule, or for more than one rule.
 * @example
 * ```ts
 * import { fieldEquals, node, field, not } from 'kithgraph'
 *
 * const post = node({ policy: [not(fieldEquals('draft', true))], fields: { draft: field.bool() } })
 * console.log(post.policy?.[0]?.name) // not(fieldEquals(draft, true))
 * ```
 */
export const not = (rule: Rule, ...others: readonly []): Rule => {
  if (others.length > 0)
    throw usageError('not', 'rule', 'one rule (allOf() combines several)', `${1 + others.length} rules`)
  return composeRule('not', [rule], allowingCount => (allowingCount > 0 ? 'deny' : 'allow'), negateReference)
}
