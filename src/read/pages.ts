import { GraphError } from '../base/errors.ts'
import type { NodeId } from '../base/ids.ts'
import type { ReadTask } from '../core/batching.ts'
import { rejectCursor } from '../core/cursor.ts'
import { sourceTextOf } from '../core/list-position.ts'
import type { ListPage } from '../core/selection-rows.ts'
import { createFirstPageWindow } from '../plan/link-query.ts'
import type { EdgePlan, Selection } from '../plan/plan.ts'
import type { EdgeList, Window } from '../plan/window.ts'
import type { ListOrder } from '../schema/list-order.ts'
import type {
  EdgePosition,
  EdgeRange,
  NodeRecord,
  RangeResult,
  ReadAhead,
  WantedFields,
} from '../store/contract.ts'
import { rangesRequest } from '../store/requests.ts'
import { joinWantedFields } from '../store/wanted-fields.ts'
import type { ExecutionContext } from './context.ts'
import { addCountedRows, withCountLimit } from './count-limit.ts'
import type { ScanLimit } from './scan-limit.ts'

/** The part of an edge's plan that is needed to read pages of the edge. */
export type PageRequest = Pick<
  EdgePlan,
  'name' | 'list' | 'order' | 'countKind' | 'filter' | 'computation' | 'limit' | 'summary'
>

/** Creates the request for pages of a list. A spread would copy the list in a slower way. */
export const createPageRequest = (
  { name, list, order, countKind, filter, computation }: EdgeList,
  limit: number,
  summary: boolean,
): PageRequest => ({ name, list, order, countKind, filter, computation, limit, summary })

/** Returns how many visible entries a page needs: one more than its limit shows whether the list has more. */
export const neededCountOf = ({ limit }: Pick<PageRequest, 'limit'>): number => (limit === 0 ? 0 : limit + 1)

/** Returns the direction in which a list is read in an order. */
export const chooseDirection = ({ isDescending }: ListOrder, isBackwards: boolean): EdgeRange['direction'] =>
  isDescending !== isBackwards ? 'newest' : 'oldest'

/** The window that covers the whole list. Counts use it. */
export const WHOLE_LIST_WINDOW: Window = createFirstPageWindow(() => '')

/**
 * Returns the window to read. With a limit of 0, only the count is read, which does not depend on cursors or
 * times, but on the edge's parameters.
 */
export const chooseReadWindow = ({ limit }: Pick<PageRequest, 'limit'>, window: Window): Window =>
  limit === 0 ? { ...WHOLE_LIST_WINDOW, parameters: window.parameters } : window

/** Lists of one edge that are read with the same request and window. */
export type ListBatch = {
  readonly pageRequest: PageRequest
  readonly window: Window
  readonly selection: Selection
  readonly sources: readonly NodeRecord[]
  /** The type of the sources. */
  readonly sourceType: string
  /** Whether the scan limit of the call may end a page. Otherwise the call fails at the limit. */
  readonly canEndAtScanLimit: boolean
}

/** Returns the fields that the entries' nodes of lists need, with those that the filter of the lists reads. */
export const wantedFieldsOf = (
  { wanted: { fields } }: Pick<Selection, 'wanted'>,
  { filter }: Pick<EdgeList, 'filter'>,
): WantedFields | undefined => (filter === undefined ? fields : joinWantedFields(fields, filter.wantedFields))

/**
 * Checks that a cursor is valid for the lists of all sources. Hidden lists are also checked, because an error
 * only for visible lists would distinguish hidden lists from empty lists.
 *
 * @throws GraphError `invalid_parameter` for a cursor that is valid only for the list of another node.
 */
export const assertCursorMatches = (
  { cursorCipher }: Pick<ExecutionContext, 'cursorCipher'>,
  sources: readonly { readonly id: NodeId }[],
  { name, order }: Pick<PageRequest, 'name' | 'order'>,
  { cursorParameter, onlySource }: Window,
): void => {
  if (
    cursorParameter === undefined ||
    onlySource === undefined ||
    sources.every(({ id }) => sourceTextOf(id, cursorCipher) === onlySource)
  )
    return
  rejectCursor(cursorParameter, { edge: name, order: order.name }, 'a cursor of another list')
}

/** Creates the range that reads the first entries of a page. */
export const createRange = (
  source: NodeId,
  pageRequest: PageRequest,
  window: Pick<Window, 'cursorParameter' | 'from' | 'minTime' | 'maxTime'>,
  limit: number = pageRequest.limit,
  ahead?: ReadAhead,
): EdgeRange => {
  const { cursorParameter, from, minTime, maxTime } = window
  return {
    source,
    name: pageRequest.list,
    direction: chooseDirection(pageRequest.order, cursorParameter === 'before'),
    from,
    cursorParameter,
    minTime,
    maxTime,
    limit,
    count: pageRequest.summary,
    ahead,
    // A copy with members that the range does not have would take ten times as long.
    maxCounted: undefined,
    conditions: undefined,
    maxExamined: undefined,
  }
}

/** The result of a range so far. A store may return fewer entries than requested and set `hasMore`. */
type PartialRead = { readonly range: EdgeRange; rangeResult: RangeResult }

const isIncomplete = ({ limit }: EdgeRange, { hasMore, entries, lastExamined }: RangeResult): boolean =>
  hasMore && entries.length < limit && lastExamined !== undefined

const createRemainingRange = ({ range, rangeResult }: PartialRead): EdgeRange => ({
  ...range,
  from: rangeResult.lastExamined,
  limit: range.limit - rangeResult.entries.length,
  count: false,
  maxCounted: undefined,
})

/** @throws GraphError `store_error` if a store reports more entries but makes no progress. */
export const assertProgress = (
  startPosition: EdgePosition | undefined,
  { hasMore, lastExamined }: RangeResult,
): void => {
  if (
    hasMore &&
    lastExamined?.time === startPosition?.time &&
    lastExamined?.target === startPosition?.target &&
    lastExamined?.key === startPosition?.key
  ) {
    throw new GraphError('store_error', '(#2) The store returned the same range of a list again')
  }
}

const appendResult = (partialRead: PartialRead, rangeResult: RangeResult): void => {
  const { entries, lastExamined, total } = partialRead.rangeResult
  assertProgress(lastExamined, rangeResult)
  partialRead.rangeResult = { ...rangeResult, entries: [...entries, ...rangeResult.entries], total }
}

/** The result of a range without entries. */
export const EMPTY_RANGE_RESULT: RangeResult = Object.freeze({
  entries: [],
  hasMore: false,
  lastExamined: undefined,
  total: undefined,
})

/** Creates the page of an empty list. A hidden list has the same page. */
export const createEmptyPage = ({ summary }: Pick<PageRequest, 'summary'>): ListPage => ({
  entries: [],
  hasMore: false,
  total: summary ? 0 : undefined,
})

/**
 * Reads the remaining entries of the ranges for which a store returned fewer entries than requested. Each
 * read continues all unfinished ranges together.
 */
export function* readRestOfRanges(
  ranges: readonly EdgeRange[],
  rangeResults: readonly RangeResult[],
  fields: WantedFields | undefined,
): ReadTask<readonly RangeResult[]> {
  const partialReads = ranges.map(
    (range, index): PartialRead => ({ range, rangeResult: rangeResults[index] ?? EMPTY_RANGE_RESULT }),
  )
  const isUnfinished = ({ range, rangeResult }: PartialRead): boolean => isIncomplete(range, rangeResult)
  for (
    let unfinishedReads = partialReads.filter(isUnfinished);
    unfinishedReads.length > 0;
    unfinishedReads = unfinishedReads.filter(isUnfinished)
  ) {
    const result = yield rangesRequest(unfinishedReads.map(createRemainingRange), fields)
    for (const [index, partialRead] of unfinishedReads.entries())
      appendResult(partialRead, result.ranges[index] ?? EMPTY_RANGE_RESULT)
  }
  return partialReads.map(({ rangeResult }) => rangeResult)
}

const reversePage = ({ entries, hasMore, total }: ListPage): ListPage => ({
  entries: entries.toReversed(),
  hasMore,
  total,
})

/**
 * Reads a page for each source in one read. `firstResults` are the results of this read, if it has already
 * been done.
 *
 * @throws GraphError `query_too_expensive` if the store may not count all rows of a list.
 */
export function* readUnfilteredPages(
  scanLimit: ScanLimit,
  lists: Omit<ListBatch, 'canEndAtScanLimit'>,
  ahead: ReadAhead | undefined,
  firstResults?: readonly RangeResult[],
): ReadTask<readonly ListPage[]> {
  const { pageRequest, window, sources, selection } = lists
  const pageRanges = sources.map(({ id }) => createRange(id, pageRequest, window, pageRequest.limit, ahead))
  if (pageRanges.length === 0) return []
  const ranges = withCountLimit(pageRanges, pageRequest, scanLimit)
  const rangeResults = firstResults ?? (yield rangesRequest(ranges, selection.wanted.fields)).ranges
  addCountedRows(scanLimit, lists, rangeResults)
  const areComplete = ranges.every(
    (range, index) => !isIncomplete(range, rangeResults[index] ?? EMPTY_RANGE_RESULT),
  )
  const pages = areComplete
    ? rangeResults
    : yield* readRestOfRanges(ranges, rangeResults, selection.wanted.fields)
  return window.cursorParameter === 'before' ? pages.map(reversePage) : pages
}

/** Returns the pages of all lists in order. The page of a hidden list is empty. */
export const withHiddenLists = (
  pageRequest: PageRequest,
  visibilityMask: readonly boolean[],
  visiblePages: readonly ListPage[],
): readonly ListPage[] => {
  let nextVisible = 0
  return visibilityMask.map(
    isVisible => (isVisible && visiblePages[nextVisible++]) || createEmptyPage(pageRequest),
  )
}
