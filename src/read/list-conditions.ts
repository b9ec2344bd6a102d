import type { Selection } from '../plan/plan.ts'
import type { Condition, EdgeRange } from '../store/contract.ts'
import type { ExecutionContext } from './context.ts'
import { maxExaminedBy, type ScanLimit } from './scan-limit.ts'

/** Returns the conditions of lists: only if all their nodes have one type. */
export const chooseConditions = (
  { conditionsOf }: Pick<ExecutionContext, 'conditionsOf'>,
  { onlyType }: Pick<Selection, 'onlyType'>,
): readonly Condition[] | undefined => onlyType && conditionsOf?.(onlyType.type)

/**
 * Adds conditions to the ranges of the first pass of lists, if there are any. The store may examine as many rows as are
 * left of the scan limit, and at most `maxRows`.
 */
export const withConditions = (
  ranges: readonly EdgeRange[],
  conditions: readonly Condition[] | undefined,
  scanLimit: ScanLimit,
  maxRows = Number.POSITIVE_INFINITY,
): readonly EdgeRange[] => {
  if (conditions === undefined) return ranges
  const maxExamined = Math.min(maxExaminedBy(scanLimit), maxRows)
  return ranges.map(range => ({ ...range, conditions, maxExamined }))
}
