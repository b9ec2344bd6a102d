import { comparePositions } from '../../store/compare-positions.ts'
import type { EdgeEntry, EdgeRange, RangeResult } from '../../store/contract.ts'

/**
 * The entries of one range, before they are cut to its limit. Without `hasMore`, one more entry than the limit shows
 * whether there are more.
 */
export type RangeRows = {
  readonly entries: EdgeEntry[]
  readonly hasMore?: boolean
  total: number | undefined
}

/**
 * Creates the result of a range. Sorts the rows, because a join does not guarantee the order of its
 * subqueries.
 */
export const toRangeResult = (
  { direction, limit }: Pick<EdgeRange, 'direction' | 'limit'>,
  { entries, hasMore = entries.length > limit, total }: RangeRows,
): RangeResult => {
  entries.sort(direction === 'oldest' ? comparePositions : (a, b) => comparePositions(b, a))
  const page = entries.length > limit ? entries.slice(0, limit) : entries
  const last = page.at(-1)
  return { entries: page, hasMore, lastExamined: last && { time: last.time, target: last.target }, total }
}
