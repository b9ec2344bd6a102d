import type { Session } from '../../base/session.ts'
import {
  assertRule,
  countRulesWithChecks,
  type Decision,
  decisionOf,
  type Rule,
  testsOf,
} from '../../schema/policy.ts'
import type { NodeRecord } from '../../store/contract.ts'

/** Asks every rule, so that what one throws is thrown wherever it stands. */
const countOfHolding = (
  rules: readonly Rule[],
  record: NodeRecord,
  session: Session,
  has: readonly boolean[],
): number => {
  let holding = 0
  let asked = 0
  for (const rule of rules) {
    const end = asked + testsOf(rule, record, session).length
    if (decisionOf(rule, record, session, has.slice(asked, end)) === 'allow') holding++
    asked = end
  }
  return holding
}

const composed = (maker: string, rules: readonly Rule[], toDecision: (holding: number) => Decision): Rule => {
  if (rules.length === 0) throw new TypeError(`${maker}: expected at least one rule, came none`)
  for (const [index, rule] of rules.entries()) assertRule(`${maker}: rules[${index}]`, rule)
  return Object.freeze({
    name: `${maker}(${rules.map(rule => rule.name).join(', ')})`,
    tests: (record, session) => rules.flatMap(rule => [...testsOf(rule, record, session)]),
    decide: (record, session, has) => toDecision(countOfHolding(rules, record, session, has)),
    '~refers': Object.freeze(rules.flatMap(rule => rule['~refers'] ?? [])),
    '~rulesWithChecks': countRulesWithChecks(rules),
  } satisfies Rule)
}

/**
 * Allows where at least one of the rules allows, else skips. All are asked, in one read; what one throws is thrown.
 *
 * @throws TypeError for no rule, or for what is none.
 * @example
 * ```ts
 * import { allOf, anyOf, hasScope, isViewer, viewerHasEdge } from 'kithgraph'
 *
 * const rule = allOf(hasScope('photos'), anyOf(isViewer(), viewerHasEdge('friends')))
 * console.log(rule.name) // allOf(hasScope(photos), anyOf(isViewer, viewerHasEdge(friends)))
 * ```
 */
export const anyOf = (...rules: readonly Rule[]): Rule =>
  composed('anyOf', rules, holding => (holding > 0 ? 'allow' : 'skip'))

/**
 * Allows where every one of the rules allows, else skips. All are asked, in one read; what one throws is thrown.
 *
 * @throws TypeError for no rule, or for what is none.
 * @example
 * ```ts
 * import { allOf, hasEdgeToViewer, not, viewerHasEdge } from 'kithgraph'
 *
 * const rule = allOf(viewerHasEdge('friends'), not(hasEdgeToViewer('blocked')))
 * console.log(rule.name) // allOf(viewerHasEdge(friends), not(hasEdgeToViewer(blocked)))
 * ```
 */
export const allOf = (...rules: readonly Rule[]): Rule =>
  composed('allOf', rules, holding => (holding === rules.length ? 'allow' : 'skip'))

/**
 * Denies where the rule allows, else allows: also whom the rule can say nothing of, such as a token without a viewer.
 * What the rule throws is thrown, so that a failure lets nobody in.
 *
 * If a field that a ready-made rule inside reads has a value that it cannot have, the policy denies, too: a record whose
 * stored `draft` is `'true'` stays hidden.
 *
 * It always decides, so that no rule behind it is asked; beside other conditions it belongs in {@link allOf}.
 *
 * @throws TypeError for what is no rule, and for more than one.
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
    throw new TypeError(`not: expected one rule, came ${1 + others.length}; join them by anyOf or allOf`)
  return composed('not', [rule], holding => (holding > 0 ? 'deny' : 'allow'))
}
