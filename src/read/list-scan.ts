import type { EdgeEntry, EdgePosition, EdgeRange, RangeResult } from '../store/contract.ts'
import { assertProgress } from './pages.ts'
import type { ScanProgress } from './pass-size.ts'
import { ROWS_PER_EDGE } from './scan-limit.ts'

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
  /** The number of rows examined so far: the edges read, and those that did not pass the conditions of the range. */
  rowCount: number
  lastPass: ScanProgress['lastPass']
  /** The size of the next pass, if the last one did not count because it examined rows after the page. */
  repeatedSize: number | undefined
  /** Whether the store applied the conditions of the range in the last pass. It may ignore them. */
  appliesConditions: boolean
  lastExamined: EdgePosition | undefined
  /** Whether the list has edges after `lastExamined`. */
  hasMore: boolean
  /** Whether the scan limit ended the page. */
  budgetEnded: boolean
  /** The number of edges of the list, including hidden edges. This number must not be revealed. */
  total: number | undefined
  /** The number of visible edges of the list, if the store counted them. */
  passing: number | undefined
}

/** Creates a scan that has read nothing yet. */
export const createScan = (
  range: EdgeRange,
  neededCount: number,
  isCounting: boolean,
  { total, passing }: Partial<Pick<ListScan, 'total' | 'passing'>> = {},
): ListScan => ({
  range,
  neededCount,
  isCounting,
  visibleEntries: [],
  visibleCount: 0,
  readCount: 0,
  rowCount: 0,
  lastPass: { size: range.limit, visibleCount: 0 },
  repeatedSize: undefined,
  appliesConditions: false,
  lastExamined: range.from,
  hasMore: total !== 0,
  budgetEnded: false,
  total,
  passing,
})

const lacksEntries = ({ visibleEntries, neededCount }: ListScan): boolean =>
  visibleEntries.length < neededCount

/** Whether a scan needs another pass. */
export const isUnfinished = (scan: ListScan): boolean =>
  scan.hasMore && !scan.budgetEnded && ((scan.isCounting && scan.passing === undefined) || lacksEntries(scan))

/**
 * Returns how many entries of a pass complete the page, if the store may have examined rows after them: it examines none
 * after the last entry that it may return.
 */
const findPageEnd = (scan: ListScan, visibleMask: readonly boolean[]): number | undefined => {
  let missingCount = scan.neededCount - scan.visibleEntries.length
  const end = 1 + visibleMask.findIndex(isVisible => isVisible && --missingCount === 0)
  return end > 0 && end < scan.lastPass.size ? end : undefined
}

/**
 * Adds the result of a pass to a scan. Returns how many of the edges in the result count as examined. For the
 * page, the edges up to the one that completes the page count. For the count, every edge in the result
 * counts. An edge that is examined for both purposes counts twice. Under conditions, each row that the store
 * examined counts as a part of an edge, and a count of the store counts the whole list. An edge that the engine
 * counts is a whole one. With a filter, a count of the store is not used.
 *
 * Of a pass under conditions that goes on after the page, only the count of the store is added, because only its last
 * row is known by its number. The next pass repeats it up to the entry that completes the page.
 */
export const addPassResult = (
  scan: ListScan,
  rangeResult: RangeResult,
  hasFilter: boolean,
  isVisible: (entry: EdgeEntry, index: number) => boolean,
): number => {
  assertProgress(scan.lastExamined, rangeResult)
  const { entries, examined, passing } = rangeResult
  scan.total ??= rangeResult.total
  scan.appliesConditions = examined !== undefined
  const visibleMask = entries.map(isVisible)
  const isCounted = examined !== undefined && passing !== undefined && !hasFilter
  if (isCounted) scan.passing = passing
  const countedByStore = isCounted ? (scan.total ?? 0) : 0
  scan.repeatedSize = examined === undefined ? undefined : findPageEnd(scan, visibleMask)
  if (scan.repeatedSize !== undefined) return countedByStore / ROWS_PER_EDGE
  const countsEntries = scan.isCounting && scan.passing === undefined
  let examinedCount = 0
  let visibleCount = 0
  const pageRows = lacksEntries(scan) ? (examined ?? 0) : 0
  for (const [index, entry] of entries.entries()) {
    if (lacksEntries(scan)) examinedCount++
    if (countsEntries) examinedCount++
    if (visibleMask[index] !== true) continue
    visibleCount++
    if (lacksEntries(scan)) scan.visibleEntries.push(entry)
  }
  scan.visibleCount += visibleCount
  scan.readCount += entries.length
  scan.rowCount += examined ?? entries.length
  scan.lastPass = { size: scan.lastPass.size, visibleCount }
  scan.lastExamined = rangeResult.lastExamined
  scan.hasMore = rangeResult.hasMore
  if (examined === undefined) return examinedCount
  const countedEdges = countsEntries ? entries.length : 0
  const countedRows = countsEntries ? examined - countedEdges : countedByStore
  return countedEdges + (pageRows + countedRows) / ROWS_PER_EDGE
}

/**
 * Returns the progress of a scan, from which the size of the next pass is chosen. Under conditions, the page is filled
 * before the rest of the list is counted.
 */
export const toProgress = (scan: ListScan): ScanProgress => {
  const { range, neededCount, isCounting, visibleEntries, visibleCount, readCount, rowCount } = scan
  const countsRest = isCounting && !(range.conditions !== undefined && lacksEntries(scan))
  return {
    missingCount: countsRest ? Number.POSITIVE_INFINITY : neededCount - visibleEntries.length,
    visibleCount,
    readCount: countsRest ? rowCount : readCount,
    lastPass: scan.lastPass,
    total: scan.total,
  }
}
