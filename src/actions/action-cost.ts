import { countRulesWithChecks } from '../schema/policy.ts'
import type { Registry } from '../schema/registry.ts'
import type { Action } from './action.ts'
import type { GivenNode } from './given-node.ts'

/** Returns the cost of a node that is checked before an action runs: of several types, of the costliest. */
const computeNodeCost = (registry: Registry, types: readonly string[]): number =>
  1 + Math.max(0, ...types.map(type => registry.sourcePolicyCostOf(type, undefined)))

/** Returns the cost of an action with the given nodes, without the cost of `fields`. */
export const computeActionCost = (
  registry: Registry,
  { type, policy, weight }: Action,
  nodes: readonly GivenNode[],
): number =>
  weight +
  countRulesWithChecks(policy) +
  registry.inheritanceOfPolicy(type, policy).depth +
  computeNodeCost(registry, [type]) +
  nodes.reduce((sum, { types }) => sum + computeNodeCost(registry, types), 0)
