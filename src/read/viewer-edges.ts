import type { NodeId } from '../base/ids.ts'
import type { ReadTask } from '../core/batching.ts'
import type { TypeGroup } from '../core/selection-rows.ts'
import type { ViewerEdgeStep, ViewerEdgeValue } from '../plan/plan.ts'
import type { PendingChecks } from '../policy/edge-checks.ts'
import { isVisible, visibilityMask } from '../policy/visibility.ts'
import type { EdgeRecord, NodeRecord } from '../store/contract.ts'
import type { ExecutionContext } from './context.ts'

/** Whether a session has the scopes of a value of the viewer's own edge. */
export const hasScopes = (scopes: readonly string[], value: ViewerEdgeValue | undefined): boolean =>
  value === undefined || value.scopes.every(scope => scopes.includes(scope))

/**
 * Reads whether the records have an edge to the viewer, or the edge. A policy may have read the same check already.
 */
export function* readViewerEdgeStep(
  { policyEvaluator }: ExecutionContext,
  group: TypeGroup,
  step: ViewerEdgeStep,
  viewer: NodeId,
): ReadTask<void> {
  const pendingChecks: PendingChecks = []
  const { list, value } = step
  const mask = visibilityMask(group, step)
  const edgeMask = value && visibilityMask(group, value)
  const data = value !== undefined
  const checkRow = ({ id }: NodeRecord, row: number): boolean | EdgeRecord | undefined =>
    isVisible(mask, row) && isVisible(edgeMask, row)
      ? policyEvaluator.findEdge({ source: id, name: list, target: viewer, data }, pendingChecks)
      : undefined
  group.records.forEach(checkRow)
  yield* policyEvaluator.readChecks(pendingChecks)
  group.cells[step.cellIndex] = { kind: 'values', values: group.records.map(checkRow) }
}
