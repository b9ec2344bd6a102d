import type { ReadTask } from '../core/batching.ts'
import type { ListPage } from '../core/selection-rows.ts'
import { filterVisible } from '../policy/visibility.ts'
import type { EdgeRange, NodeRecord, RangeResult } from '../store/contract.ts'
import { rangesRequest } from '../store/requests.ts'
import { collectChecksAhead } from './ahead-results.ts'
import type { ExecutionContext } from './context.ts'
import { withCountLimit } from './count-limit.ts'
import { chooseConditions, withConditions } from './list-conditions.ts'
import { createEntryTest } from './list-filter.ts'
import { addPassResult, createScan, isUnfinished, type ListScan, toProgress } from './list-scan.ts'
import {
  createRange,
  EMPTY_RANGE_RESULT,
  type ListBatch,
  neededCountOf,
  readRestOfRanges,
  WHOLE_LIST_WINDOW,
  wantedFieldsOf,
} from './pages.ts'
import { areRecordsLarge, chooseFirstPassSize } from './pass-size.ts'
import { chooseReadAhead } from './read-ahead.ts'
import { maxExaminedBy, ROWS_PER_EDGE, type ScanLimit, scanWeightOf } from './scan-limit.ts'

/**
 * Adds the visible entries of one pass to the scans. Returns whether the next pass must read fewer edges
 * because the records are large.
 */
function* runPass(
  context: ExecutionContext,
  { selection, sourceType, pageRequest, window }: ListBatch,
  scans: readonly ListScan[],
  rangeResults: readonly RangeResult[],
): ReadTask<boolean> {
  const nodes: NodeRecord[] = []
  for (const rangeResult of rangeResults) for (const { node } of rangeResult.entries) nodes.push(node)
  const visible = yield* filterVisible(context.policyEvaluator, nodes, selection, pendingChecks =>
    collectChecksAhead(context, selection.types.values(), nodes, pendingChecks),
  )
  const matches = createEntryTest(context, sourceType, pageRequest, window)
  let nextStart = 0
  let examinedCount = 0
  for (const [scanIndex, scan] of scans.entries()) {
    const rangeResult = rangeResults[scanIndex] ?? EMPTY_RANGE_RESULT
    const resultStart = nextStart
    examinedCount += addPassResult(
      scan,
      rangeResult,
      pageRequest.filter !== undefined,
      (entry, index) => visible[resultStart + index] === true && matches(entry),
    )
    nextStart += rangeResult.entries.length
  }
  context.scanLimit.addExamined(sourceType, pageRequest.name, examinedCount, scanWeightOf(selection))
  // The size of the records matters only if there is another pass.
  return scans.some(isUnfinished) && areRecordsLarge(nodes)
}

/** Returns how many rows the store may examine under the conditions of a range, or `undefined` without any. */
const chooseMaxExamined = (scanLimit: ScanLimit, { conditions }: EdgeRange): number | undefined =>
  conditions && maxExaminedBy(scanLimit)

/** Only the first pass is counted, and read ahead, because most entries of further passes are hidden. */
const FURTHER_PASS = { count: false, maxCounted: undefined, ahead: undefined }

/** Starts the next pass of the scans, and returns the ranges to read. A finished scan has no range. */
const startNextPass = (
  scanLimit: ScanLimit,
  { canEndAtScanLimit, selection, pageRequest }: ListBatch,
  scans: readonly ListScan[],
  sizes: readonly number[],
): EdgeRange[] =>
  scans.flatMap((scan, index) => {
    const remaining = scanLimit.remaining(scanWeightOf(selection))
    const maxExamined = chooseMaxExamined(scanLimit, scan.range)
    const missingCount = scan.neededCount - scan.visibleEntries.length
    // Without a filter, a store that applies conditions returns hardly any entry that is not visible.
    const isMissingKnown = scan.appliesConditions && pageRequest.filter === undefined && missingCount > 0
    const chosenSize = scan.repeatedSize ?? (isMissingKnown ? missingCount : (sizes[index] ?? 1))
    const size = Math.min(chosenSize, Math.max(1, remaining))
    const isSpent = maxExamined === undefined ? remaining === 0 : scanLimit.remainingRows() === 0
    scan.budgetEnded = canEndAtScanLimit && isSpent
    scan.lastPass = { size, visibleCount: 0 }
    if (scan.budgetEnded) return []
    const range = { ...scan.range, from: scan.lastExamined, limit: size, ...FURTHER_PASS }
    return [maxExamined === undefined ? range : { ...range, maxExamined }]
  })

/** Runs further passes, each for all unfinished lists together, until all scans are finished. */
function* fillPages(
  context: ExecutionContext,
  lists: ListBatch,
  scans: readonly ListScan[],
  hadLargeRecords: boolean,
): ReadTask<void> {
  const fields = wantedFieldsOf(lists.selection, lists.pageRequest)
  let lastPassHadLargeRecords = hadLargeRecords
  for (
    let unfinished = scans.filter(isUnfinished);
    unfinished.length > 0;
    unfinished = unfinished.filter(isUnfinished)
  ) {
    const sizes = context.passSizes.chooseNextSizes(unfinished.map(toProgress), lastPassHadLargeRecords)
    const ranges = startNextPass(context.scanLimit, lists, unfinished, sizes)
    if (ranges.length === 0) continue
    const { ranges: firstResults } = yield rangesRequest(ranges, fields)
    // What is missing of a range with conditions is read in the next pass.
    const isConditional = ranges[0]?.conditions !== undefined
    const rangeResults = isConditional ? firstResults : yield* readRestOfRanges(ranges, firstResults, fields)
    lastPassHadLargeRecords = yield* runPass(context, lists, unfinished.filter(isUnfinished), rangeResults)
  }
}

const coversWholeList = ({ cursorParameter, minTime, maxTime }: ListBatch['window']): boolean =>
  cursorParameter === undefined && minTime === undefined && maxTime === undefined

/** Throws if the known sizes of the lists show that their counts will exceed the scan limit. */
const assertCountsWithinScanLimit = (
  scanLimit: ScanLimit,
  scans: readonly ListScan[],
  weight: number,
): void => {
  const unreadCount = scans.reduce((sum, { range, total = 0, rowCount, passing }) => {
    const unread = passing === undefined ? Math.max(0, total - rowCount) : 0
    return sum + (range.conditions === undefined ? unread : unread / ROWS_PER_EDGE)
  }, 0)
  scanLimit.assertWithinLimit(unreadCount, weight)
}

const toPage = (
  { pageRequest, window }: ListBatch,
  pageScan: ListScan,
  countScan: ListScan | undefined,
): ListPage => {
  const { visibleEntries, lastExamined, budgetEnded } = pageScan
  const entries = visibleEntries.slice(0, pageRequest.limit)
  return {
    entries: window.cursorParameter === 'before' ? entries.reverse() : entries,
    hasMore: budgetEnded || visibleEntries.length > pageRequest.limit,
    total: countScan?.passing ?? countScan?.visibleCount,
    scanEndedAt: budgetEnded ? lastExamined : undefined,
  }
}

/** Creates the scan that counts the whole list of a page, with the conditions of the page. */
const createCountScan = ({ pageRequest }: ListBatch, pageScan: ListScan): ListScan => {
  const { source, conditions } = pageScan.range
  const range = createRange(source, pageRequest, WHOLE_LIST_WINDOW)
  return createScan(conditions === undefined ? range : { ...range, conditions }, 0, true, pageScan)
}

/**
 * Reads a page of visible entries for each source. Each pass reads ranges of all lists in one read, and their
 * policy checks in at most one more read. The passes continue until every page is full or its list ends.
 * `firstResults` are the results of the first pass, if it has already been read.
 *
 * @throws GraphError `query_too_expensive` if the call exceeds its scan limit, unless the page may end there.
 */
export function* readFilteredPages(
  context: ExecutionContext,
  lists: ListBatch,
  firstResults?: readonly RangeResult[],
): ReadTask<ListPage[]> {
  const { pageRequest, window, sources } = lists
  if (sources.length === 0) return []
  const { scanLimit } = context
  const weight = scanWeightOf(lists.selection)
  const firstSize = chooseFirstPassSize(context.passSizes, pageRequest, scanLimit.remaining(weight))
  const countsInPageScan = pageRequest.summary && coversWholeList(window)
  const neededCount = neededCountOf(pageRequest)
  const ahead = firstResults
    ? undefined
    : chooseReadAhead(context, lists.selection, sources.length * firstSize, true)
  const pageRanges = sources.map(({ id }) => createRange(id, pageRequest, window, firstSize, ahead))
  const countedRanges = withCountLimit(pageRanges, pageRequest, scanLimit)
  const conditions = chooseConditions(context, lists.selection)
  const pageScans = withConditions(countedRanges, conditions, scanLimit).map(range =>
    createScan(range, neededCount, countsInPageScan),
  )
  const ranges = pageScans.map(({ range }) => range)
  const hadLargeRecords = yield* runPass(
    context,
    lists,
    pageScans,
    firstResults ?? (yield rangesRequest(ranges, wantedFieldsOf(lists.selection, pageRequest))).ranges,
  )
  const countScans =
    pageRequest.summary && !countsInPageScan ? pageScans.map(scan => createCountScan(lists, scan)) : []
  assertCountsWithinScanLimit(scanLimit, countsInPageScan ? pageScans : countScans, weight)
  yield* fillPages(context, lists, [...pageScans, ...countScans], hadLargeRecords)
  if (pageScans.some(({ budgetEnded }) => budgetEnded)) {
    context.debugMessages.addIfDebug(
      `The scan limit ended a page of ${pageRequest.name}: the page may be incomplete, and its cursor continues the list`,
    )
  }
  return pageScans.map((scan, index) => toPage(lists, scan, countsInPageScan ? scan : countScans[index]))
}
