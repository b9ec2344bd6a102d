import type { EdgeEntry, EdgePosition, EdgeRange, RangeResult } from '../store/contract.ts'
import { assertProgress } from './pages.ts'
import type { ScanProgress } from './pass-size.ts'

/** The state of one scan of one list. A scan fills the page of the list, counts the list, or does both. */
export type ListScan = {
  readonly range: EdgeRange
  /** The number of visible entries that complete the page: its limit plus one, or 0 for a count scan. */
  readonly neededCount: number
  /** Whether the whole list is counted. */
  readonly isCounting: boolean
  readonly visibleEntries: EdgeEntry[]
  /** The number of visible edges so far, including visible edges after the page. */
  visibleCount: number
  /** The number of edges read so far. */
  readCount: number
  lastPass: ScanProgress['lastPass']
  lastExamined: EdgePosition | undefined
  /** Whether the list has edges after `lastExamined`. */
  hasMore: boolean
  /** Whether the scan limit ended the page. */
  budgetEnded: boolean
  /** The number of edges of the list, including hidden edges. This number must not be revealed. */
  total: number | undefined
}

/** Creates a scan that has read nothing yet. */
export const createScan = (
  range: EdgeRange,
  neededCount: number,
  isCounting: boolean,
  total?: number,
): ListScan => ({
  range,
  neededCount,
  isCounting,
  visibleEntries: [],
  visibleCount: 0,
  readCount: 0,
  lastPass: { size: range.limit, visibleCount: 0 },
  lastExamined: range.from,
  hasMore: total !== 0,
  budgetEnded: false,
  total,
})

/** Whether a scan needs another pass. */
export const isUnfinished = ({
  hasMore,
  budgetEnded,
  isCounting,
  visibleEntries,
  neededCount,
}: ListScan): boolean => hasMore && !budgetEnded && (isCounting || visibleEntries.length < neededCount)

/**
 * Adds the result of a pass to a scan. Returns how many of the edges in the result count as examined. For the
 * page, the edges up to the one that completes the page count. For the count, every edge in the result
 * counts. An edge that is examined for both purposes counts twice.
 */
export const addPassResult = (
  scan: ListScan,
  rangeResult: RangeResult,
  isVisible: (entry: EdgeEntry, index: number) => boolean,
): number => {
  assertProgress(scan.lastExamined, rangeResult)
  let examinedCount = 0
  let visibleCount = 0
  for (const [index, entry] of rangeResult.entries.entries()) {
    if (scan.visibleEntries.length < scan.neededCount) examinedCount++
    if (scan.isCounting) examinedCount++
    if (!isVisible(entry, index)) continue
    visibleCount++
    if (scan.visibleEntries.length < scan.neededCount) scan.visibleEntries.push(entry)
  }
  scan.visibleCount += visibleCount
  scan.readCount += rangeResult.entries.length
  scan.lastPass = { size: scan.lastPass.size, visibleCount }
  scan.lastExamined = rangeResult.lastExamined
  scan.hasMore = rangeResult.hasMore
  scan.total ??= rangeResult.total
  return examinedCount
}

/** Returns the progress of a scan, from which the size of the next pass is chosen. */
export const toProgress = ({
  neededCount,
  isCounting,
  visibleEntries,
  visibleCount,
  readCount,
  lastPass,
  total,
}: ListScan): ScanProgress => ({
  missingCount: isCounting ? Number.POSITIVE_INFINITY : neededCount - visibleEntries.length,
  visibleCount,
  readCount,
  lastPass,
  total,
})
