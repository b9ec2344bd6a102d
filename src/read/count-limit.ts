import type { EdgePlan } from '../plan/plan.ts'
import { createMalformedResultError } from '../store/check-results.ts'
import type { EdgeRange, RangeResult } from '../store/contract.ts'
import { ROWS_PER_EDGE, type ScanLimit } from './scan-limit.ts'

/** The part of a request for pages that decides how their lists are counted. */
type CountRequest = Pick<EdgePlan, 'name' | 'summary' | 'countKind'>

/** Whether the store counts the rows of lists for a call. */
const countsRows = ({ summary, countKind }: CountRequest): boolean => summary && countKind === 'exact'

/** Limits the rows that the store may count to those that are left of the call's drawn limit. */
export const withCountLimit = (
  ranges: readonly EdgeRange[],
  pageRequest: CountRequest,
  scanLimit: ScanLimit,
): readonly EdgeRange[] => {
  if (!countsRows(pageRequest)) return ranges
  const maxCounted = Math.max(0, scanLimit.remainingRows())
  return ranges.map(range => ({ ...range, maxCounted }))
}

/**
 * Adds the rows that the store counted to the examined edges of the call. A list without a count has at least as many
 * rows as its share of the drawn limit.
 *
 * @throws GraphError `query_too_expensive` if a list has more rows than the store may count; `store_error` if a list
 * that is always counted has no count.
 */
export const addCountedRows = (
  scanLimit: ScanLimit,
  { pageRequest, sourceType }: { readonly pageRequest: CountRequest; readonly sourceType: string },
  rangeResults: readonly RangeResult[],
): void => {
  const { name, summary, countKind } = pageRequest
  if (!summary || countKind === 'capped') return
  const isComplete = rangeResults.every(({ total }) => total !== undefined)
  if (countKind === 'stored') {
    if (isComplete) return
    throw createMalformedResultError('ranges', 'a total for each range with count', undefined)
  }
  const share = Math.floor(scanLimit.remainingRows() / rangeResults.length)
  const rows = rangeResults.reduce((sum, { total = share }) => sum + total, 0)
  scanLimit.addExamined(sourceType, name, rows / ROWS_PER_EDGE, 1)
  if (!isComplete) scanLimit.fail()
}
