import type { EdgeRange } from './contract.ts'
import type { RangeResult } from './records.ts'

const isCount = (value: unknown, max: number): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= max

/** Describes a result that a store may return for a range with conditions. */
export const EXAMINED_EXPECTED =
  'for a range with conditions, the number of examined rows, which include all entries'

/**
 * Whether the numbers of a result with `examined` agree with each other and with its range. The engine counts them
 * against the scan limit, so a wrong number would count too little.
 */
export const areExaminedRowsValid = (
  range: Pick<EdgeRange, 'conditions' | 'maxExamined'> | undefined,
  { entries, examined, hasMore, passing, total }: RangeResult,
): boolean => {
  if (range?.conditions === undefined) return false
  const { maxExamined = Number.MAX_SAFE_INTEGER } = range
  if (examined === undefined || !isCount(examined, maxExamined) || (hasMore && examined === 0)) return false
  if (passing !== undefined && (total === undefined || !isCount(passing, total))) return false
  return entries.length <= examined
}
