import { forEachWithPauses, type ReadTask } from '../core/batching.ts'
import type { TypeGroup } from '../core/selection-rows.ts'
import type { Selection, TypePlan } from '../plan/plan.ts'
import type { NodeRecord } from '../store/contract.ts'
import type { PendingChecks } from './edge-checks.ts'
import { evaluatePolicies, type PolicyCheck, type PolicyEvaluator } from './policy-evaluator.ts'

const typePlanOf = ({ onlyType, types }: Selection, { type }: NodeRecord): TypePlan | undefined =>
  onlyType?.type === type ? onlyType : types.get(type)

/**
 * Returns whether the policy of a node allows the viewer to see it, or `undefined` if checks have to be read
 * first. Adds the checks that this policy and the step policies need.
 */
const allowsNode = (
  evaluator: PolicyEvaluator,
  plan: TypePlan | undefined,
  node: NodeRecord,
  pendingChecks: PendingChecks,
): boolean | undefined => {
  // A node without a plan has a type that is not selected.
  if (plan === undefined) return false
  for (const policy of plan.stepPolicies) evaluator.collectChecks(policy, node, pendingChecks)
  return evaluator.allows(plan.policy, node, pendingChecks)
}

/** Adds the checks that `filterVisible` would need for the given nodes. */
export const collectNodeChecks = (
  evaluator: PolicyEvaluator,
  nodes: readonly NodeRecord[],
  selection: Selection,
  pendingChecks: PendingChecks,
): void => {
  for (const node of nodes) {
    const plan = typePlanOf(selection, node)
    if (plan?.policy !== undefined) evaluator.collectChecks(plan.policy, node, pendingChecks)
    for (const policy of plan?.stepPolicies ?? []) evaluator.collectChecks(policy, node, pendingChecks)
  }
}

/**
 * Returns for each node whether the viewer may see it. The read of the checks also includes the checks that
 * the policies of the fields and edges of these nodes need, and those that `collectLaterChecks` adds.
 */
export function* filterVisible(
  evaluator: PolicyEvaluator,
  nodes: readonly NodeRecord[],
  selection: Selection,
  collectLaterChecks?: (pendingChecks: PendingChecks) => void,
): ReadTask<readonly (boolean | undefined)[]> {
  const pendingChecks: PendingChecks = []
  const visible: (boolean | undefined)[] = []
  yield* forEachWithPauses(nodes, node => {
    visible.push(allowsNode(evaluator, typePlanOf(selection, node), node, pendingChecks))
  })
  if (pendingChecks.length === 0) return visible
  collectLaterChecks?.(pendingChecks)
  yield* evaluator.readChecks(pendingChecks)
  yield* forEachWithPauses(nodes, (node, index) => {
    visible[index] ??= evaluator.allows(typePlanOf(selection, node)?.policy, node, pendingChecks)
  })
  return visible
}

/**
 * Evaluates the policies of fields and edges for each record of each group. `collectLaterChecks` adds checks to the
 * read of the checks.
 */
export function* evaluateStepPolicies(
  evaluator: PolicyEvaluator,
  groups: readonly TypeGroup[],
  collectLaterChecks: (pendingChecks: PendingChecks) => void,
): ReadTask<void> {
  const policyChecks = groups.flatMap(({ plan, records }) =>
    plan.stepPolicies.flatMap(policy => records.map((record): PolicyCheck => ({ policy, record }))),
  )
  const visible = yield* evaluatePolicies(evaluator, policyChecks, collectLaterChecks)
  let start = 0
  for (const { plan, records, visibleByPolicy } of groups) {
    for (let policyIndex = 0; policyIndex < plan.stepPolicies.length; policyIndex++) {
      visibleByPolicy.push(visible.slice(start, start + records.length))
      start += records.length
    }
  }
}

/** Whether something is visible, by row, or `undefined` if it is visible in every row. */
type VisibilityMask = readonly boolean[] | undefined

const NOTHING_VISIBLE: readonly boolean[] = []

/**
 * Returns whether the value of a step is visible, by row, or `undefined` if the step has no policy. If the
 * policy was not evaluated, the value is not visible in any row.
 */
export const visibilityMask = (
  { visibleByPolicy }: TypeGroup,
  { policyIndex }: { readonly policyIndex: number | undefined },
): VisibilityMask =>
  policyIndex === undefined ? undefined : (visibleByPolicy[policyIndex] ?? NOTHING_VISIBLE)

export const isVisible = (mask: VisibilityMask, row: number): boolean =>
  mask === undefined || mask[row] === true
