import type { Session } from '../base/session.ts'
import type { Condition } from '../store/contract.ts'
import type { Rule, RuleLists } from './policy.ts'

/**
 * Returns the records that a rule allows, as a condition: at least these, because the policy also denies records with
 * bad values. Returns true if the rule allows every record, and false if it allows none.
 */
export type RuleCondition = (session: Session, recordType: string, lists: RuleLists) => Condition | boolean

/**
 * The conditions of the ready-made rules that allow or skip. They are not members of the rules, because a copy of a
 * rule with another `decide` would have them too.
 */
const conditionsByRule = new WeakMap<Rule, RuleCondition>()

/** Declares the condition of a rule that allows or skips. */
export const withCondition = <TRule extends Rule>(rule: TRule, condition: RuleCondition): TRule => {
  conditionsByRule.set(rule, condition)
  return rule
}

/** Returns the condition of a rule, or `undefined` if it cannot be said as data. */
export const findCondition = (rule: Rule): RuleCondition | undefined => conditionsByRule.get(rule)
