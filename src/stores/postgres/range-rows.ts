import { comparePositions } from '../../store/compare-positions.ts'
import type { EdgeEntry, EdgeRange, RangeResult } from '../../store/contract.ts'

/** The entries of one range, before they are cut to its limit. */
export type RangeRows = { readonly entries: EdgeEntry[]; total: number | undefined }

/**
 * Creates the result of a range. Sorts the rows, because a join does not guarantee the order of its
 * subqueries.
 */
export const toRangeResult = (
  { direction, limit }: Pick<EdgeRange, 'direction' | 'limit'>,
  { entries, total }: RangeRows,
): RangeResult => {
  entries.sort(direction === 'oldest' ? comparePositions : (a, b) => comparePositions(b, a))
  const hasMore = entries.length > limit
  const page = hasMore ? entries.slice(0, limit) : entries
  const last = page.at(-1)
  return { entries: page, hasMore, lastExamined: last && { time: last.time, target: last.target }, total }
}
