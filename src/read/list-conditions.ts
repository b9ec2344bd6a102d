import type { Selection } from '../plan/plan.ts'
import type { Condition, EdgeRange } from '../store/contract.ts'
import type { ExecutionContext } from './context.ts'
import { maxExaminedBy, type ScanLimit } from './scan-limit.ts'

/** Returns the conditions of lists: only if all their nodes have one type. */
export const chooseConditions = (
  { conditionsOf }: Pick<ExecutionContext, 'conditionsOf'>,
  { onlyType }: Pick<Selection, 'onlyType'>,
): readonly Condition[] | undefined => onlyType && conditionsOf?.(onlyType.type)

/** Whether a condition about the node of a ref is the same test as one about a record that has the ref. */
const isSameTest = (ofNode: Condition, ofRecord: Condition | undefined, ref: string): boolean => {
  if (ofRecord === undefined || ofNode.kind === 'field' || ofRecord.kind === 'field') return false
  if (ofNode.of !== undefined || ofRecord.of !== ref) return false
  if (ofNode.kind === 'node') return ofRecord.kind === 'node' && ofNode.id === ofRecord.id
  if (ofRecord.kind === 'node' || ofNode.where !== undefined || ofRecord.where !== undefined) return false
  return ofNode.name === ofRecord.name && ofNode.from === ofRecord.from && ofNode.to === ofRecord.to
}

/**
 * Returns the conditions of a ref of records with a type, or `undefined` if they need not be sent: if they are the
 * tests of the record, in the same order, the evaluation of the record finds out about the same edges, whichever of
 * the tests shows it.
 */
export const chooseRefConditions = (
  context: Pick<ExecutionContext, 'conditionsOf'>,
  selection: Pick<Selection, 'onlyType'>,
  recordType: string,
  ref: string,
): readonly Condition[] | undefined => {
  const conditions = chooseConditions(context, selection)
  if (conditions === undefined) return undefined
  const ofRecord = context.conditionsOf?.(recordType)
  const isDecided =
    ofRecord?.length === conditions.length &&
    conditions.every((condition, index) => isSameTest(condition, ofRecord[index], ref))
  return isDecided ? undefined : conditions
}

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
