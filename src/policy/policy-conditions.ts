import { bypassesPolicies, type Session } from '../base/session.ts'
import type { Registry } from '../schema/registry.ts'
import { findCondition } from '../schema/rule-conditions.ts'
import type { Condition } from '../store/contract.ts'

/**
 * Returns what the policy of a type allows a session to see, as conditions of which one must hold. They let every
 * record pass that the policy allows, and perhaps more, because the policy also denies records with bad values.
 * Returns `undefined` if one of the rules cannot be said as a condition, or if the session may see everything.
 */
export const createConditions = (
  registry: Registry,
  session: Session,
  type: string,
): readonly Condition[] | undefined => {
  const policy = registry.policyOf(type)
  if (policy === undefined || bypassesPolicies(session)) return undefined
  const conditions: Condition[] = []
  for (const rule of policy) {
    const condition = findCondition(rule)?.(session, type, registry.ruleEdges)
    if (condition === undefined || condition === true) return undefined
    if (condition !== false) conditions.push(condition)
  }
  return conditions
}
