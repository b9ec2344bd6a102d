import type { NodeId } from '../base/ids.ts'
import type { EdgeStep, RefStep, TypePlan } from '../plan/plan.ts'
import type { PendingChecks } from '../policy/edge-checks.ts'
import type { PolicyEvaluator } from '../policy/policy-evaluator.ts'
import { collectNodeChecks } from '../policy/visibility.ts'
import { inheritsVisibility } from '../schema/inheritance.ts'
import { assertRangeResults } from '../store/check-results.ts'
import type { Condition, NodeRecord, RangeResult } from '../store/contract.ts'
import type { ExecutionContext } from './context.ts'
import { resultAheadOf, selectionBelow } from './read-ahead.ts'

/** Whether a page still needs a count that the store did not make. A read of its own may count more rows. */
const lacksCount = ({ edge }: EdgeStep, { hasMore, examined, passing }: RangeResult): boolean =>
  edge.summary && hasMore && examined !== undefined && passing === undefined

/**
 * Returns the first results of the lists of an edge that were read ahead, or `undefined` if those of some source
 * were not. `conditions` are those of the lists.
 *
 * @throws GraphError `store_error` for wrong numbers of examined rows.
 */
export const findRangesAhead = (
  step: EdgeStep,
  sources: readonly NodeRecord[],
  conditions: readonly Condition[] | undefined,
): readonly RangeResult[] | undefined => {
  if (sources[0]?.ahead === undefined) return undefined
  const rangeResults: RangeResult[] = []
  for (const source of sources) {
    const result = resultAheadOf(source, step)
    if (result == null || !('entries' in result) || lacksCount(step, result)) return undefined
    rangeResults.push(result)
  }
  const range = { conditions }
  assertRangeResults(
    rangeResults.map(() => range),
    rangeResults,
  )
  return rangeResults
}

/**
 * Returns the nodes of a ref that were read ahead, or `undefined` if some of them were not. `rowIndexes` are the
 * rows whose ref has the id in `ids`.
 */
export const findNodesAhead = (
  step: RefStep,
  records: readonly NodeRecord[],
  rowIndexes: readonly number[],
  ids: readonly NodeId[],
): readonly (NodeRecord | undefined)[] | undefined => {
  if (records[0]?.ahead === undefined) return undefined
  const nodes: (NodeRecord | undefined)[] = []
  for (const [index, row] of rowIndexes.entries()) {
    const record = records[row]
    const result = record && resultAheadOf(record, step)
    if (result == null || !('node' in result)) return undefined
    if (result.node !== undefined && result.node.id !== ids[index]) return undefined
    nodes.push(result.node)
  }
  return nodes
}

const nodesAheadOf = (record: NodeRecord, step: EdgeStep | RefStep): readonly NodeRecord[] => {
  const result = resultAheadOf(record, step)
  if (result == null) return []
  if ('entries' in result) return result.entries.map(({ node }) => node)
  return result.node === undefined ? [] : [result.node]
}

/** Whether policies follow refs. Their nodes need further reads, which a hidden node above them may make useless. */
const followsRefs = ({ policy, stepPolicies }: TypePlan): boolean =>
  inheritsVisibility(policy) || stepPolicies.some(inheritsVisibility)

const collectChecksBelow = (
  evaluator: PolicyEvaluator,
  plans: Iterable<TypePlan>,
  nodes: readonly NodeRecord[],
  pendingChecks: PendingChecks,
): void => {
  for (const { type, cellSteps } of plans) {
    const records = nodes.filter(node => node.type === type && node.ahead !== undefined)
    if (records.length === 0) continue
    for (const step of cellSteps) {
      if (step.kind !== 'edge' && step.kind !== 'ref') continue
      const nodesBelow = records.flatMap(record => nodesAheadOf(record, step))
      const selection = selectionBelow(step)
      const plansBelow = [...selection.types.values()]
      if (!plansBelow.some(followsRefs)) collectNodeChecks(evaluator, nodesBelow, selection, pendingChecks)
      collectChecksBelow(evaluator, plansBelow, nodesBelow, pendingChecks)
    }
  }
}

/**
 * Adds the checks of everything that was read ahead below nodes, if checks have to be read anyway, except for policies
 * that follow refs. So the checks of all these levels need one read, and a query never makes more reads than without
 * reading ahead.
 */
export const collectChecksAhead = (
  { readsAhead, policyEvaluator }: Pick<ExecutionContext, 'readsAhead' | 'policyEvaluator'>,
  plans: Iterable<TypePlan>,
  nodes: readonly NodeRecord[],
  pendingChecks: PendingChecks,
): void => {
  if (readsAhead && pendingChecks.length > 0) collectChecksBelow(policyEvaluator, plans, nodes, pendingChecks)
}
