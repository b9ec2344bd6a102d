import { countRulesWithChecks } from '../schema/policy.ts'
import type { Registry } from '../schema/registry.ts'
import type { Action } from './action.ts'
import type { GivenId } from './given-values.ts'

/** Returns the cost of a node that is checked before an action runs: of several types, of the costliest. */
const computeNodeCost = (registry: Registry, types: readonly string[]): number =>
  1 + Math.max(0, ...types.map(type => registry.sourcePolicyCostOf(type, undefined)))

/** Returns the cost of an action with the given ids, without the cost of `fields`. */
export const computeActionCost = (
  registry: Registry,
  { type, policy, weight }: Action,
  givenIds: readonly GivenId[],
): number =>
  weight +
  countRulesWithChecks(policy) +
  registry.inheritanceOfPolicy(type, policy).depth +
  computeNodeCost(registry, [type]) +
  givenIds.reduce((sum, { types }) => sum + computeNodeCost(registry, types), 0)
