import { isPromiseLike } from '../base/awaitable.ts'
import { GraphError, internalError } from '../base/errors.ts'
import { bypassesPolicies } from '../base/session.ts'
import { usageErrorAbout } from '../base/usage-error.ts'
import { type ReadTask, waitFor } from '../core/batching.ts'
import { checkReads } from '../core/read-guard.ts'
import type { ListPage } from '../core/selection-rows.ts'
import type { ListComputation, Window } from '../plan/window.ts'
import { filterVisible } from '../policy/visibility.ts'
import type { ResolvedEntry, ResolvedPage, ResolvedPageRequest } from '../schema/edge-resolver.ts'
import type { EdgeEntry, NodeRecord } from '../store/contract.ts'
import { nodesRequest } from '../store/requests.ts'
import { settleInTime } from '../store/settle-in-time.ts'
import type { ExecutionContext } from './context.ts'
import { type ListBatch, neededCountOf } from './pages.ts'
import { parseResolvedPages, type SeenPositions } from './resolved-pages.ts'
import { scanWeightOf } from './scan-limit.ts'

/** The maximum number of entries that a call requests of one list, if the page needs fewer. */
const MAX_REQUESTED_ENTRIES = 100

/** The maximum number of calls in a row that return no entry of a list that has more entries. */
const MAX_EMPTY_CALLS = 20

/** The state of the computation of one list. */
type ListState = {
  readonly source: NodeRecord
  readonly visibleEntries: EdgeEntry[]
  /** The position of each visible entry. */
  readonly positions: string[]
  readonly seenPositions: SeenPositions
  /** The position of the last entry that was returned, visible or not. */
  from: string | undefined
  hasMore: boolean
  callCount: number
  emptyCallCount: number
  /** Whether the scan limit ended the page. */
  budgetEnded: boolean
  total: number | undefined
}

const createState = (source: NodeRecord, from: string | undefined): ListState => ({
  source,
  visibleEntries: [],
  positions: [],
  seenPositions: new Set(from === undefined ? [] : [from]),
  from,
  hasMore: true,
  callCount: 0,
  emptyCallCount: 0,
  budgetEnded: false,
  total: undefined,
})

const createPageRequest = (
  { cursorParameter, minTime, maxTime }: Window,
  from: string | undefined,
  limit: number,
): ResolvedPageRequest => ({
  limit,
  direction: cursorParameter === 'before' ? 'backward' : 'forward',
  ...(from === undefined ? {} : { from }),
  ...(minTime === undefined ? {} : { minTime }),
  ...(maxTime === undefined ? {} : { maxTime }),
})

/** Returns the error for what a function of an edge threw. It may throw a GraphError itself. */
const toResolveError = (error: unknown): GraphError =>
  error instanceof GraphError ? error : internalError(error)

/**
 * Calls the function of the edge once for all lists.
 *
 * @throws GraphError `internal_error` with the error of the function, or with the error of its result, as its
 * cause; also `aborted` and `timeout`.
 */
function* callResolve(
  context: ExecutionContext,
  { sourceType, pageRequest: { name }, window }: ListBatch,
  { resolve, reads }: ListComputation,
  lists: readonly ListState[],
  pages: readonly ResolvedPageRequest[],
): ReadTask<readonly ResolvedPage[]> {
  const { session, now, readOptions } = context
  const { signal, deadline } = readOptions
  try {
    const sources = lists.map(({ source }) =>
      checkReads(context.readGuard, source, reads, `${sourceType}.${name}.resolve`),
    )
    const pending = resolve(sources, { parameters: window.parameters, pages, session, signal, now })
    const result = isPromiseLike(pending)
      ? yield* waitFor(settleInTime(pending, signal, deadline, toResolveError))
      : pending
    const seenPositions = lists.map(list => list.seenPositions)
    return parseResolvedPages(context.ids.kind, `${sourceType}.${name}.resolve`, result, pages, seenPositions)
  } catch (error) {
    throw toResolveError(error)
  }
}

/** Returns the nodes of entries in their order, and `undefined` for a node that the viewer may not see. */
function* readEntryNodes(
  { policyEvaluator }: ExecutionContext,
  { selection }: ListBatch,
  entries: readonly ResolvedEntry[],
): ReadTask<readonly (NodeRecord | undefined)[]> {
  if (entries.length === 0) return []
  const ids = entries.map(({ id }) => id)
  const { nodes } = yield nodesRequest(ids, selection.wanted.fields)
  const foundNodes = nodes.filter(node => node !== undefined)
  const visible = yield* filterVisible(policyEvaluator, foundNodes, selection)
  let nextFound = 0
  return nodes.map(node => (node !== undefined && visible[nextFound++] ? node : undefined))
}

/** Adds the entries of one call to a list. */
const addEntries = (
  list: ListState,
  { entries, hasMore, total }: ResolvedPage,
  nodes: readonly (NodeRecord | undefined)[],
  neededCount: number,
): void => {
  for (const [index, { position, data }] of entries.entries()) {
    const node = nodes[index]
    list.from = position
    if (node === undefined || list.visibleEntries.length >= neededCount) continue
    list.visibleEntries.push({ target: node.id, node, time: 0, data })
    list.positions.push(position)
  }
  list.callCount++
  list.hasMore = hasMore
  list.total ??= total
  list.emptyCallCount = entries.length === 0 ? list.emptyCallCount + 1 : 0
}

const assertNotStuck = (location: string, { hasMore, emptyCallCount }: ListState): void => {
  if (!hasMore || emptyCallCount < MAX_EMPTY_CALLS) return
  const expected = 'a page with an entry if the list has more entries'
  throw internalError(
    usageErrorAbout(location, 'the result', expected, `no entry ${MAX_EMPTY_CALLS} times in a row`),
  )
}

/**
 * Returns the number of entries that the next call requests of a list. It doubles with each call, because the
 * calls before it returned too few visible entries. `share` is the part of the scan limit that is left for the
 * list.
 */
const chooseSize = (
  { canEndAtScanLimit }: ListBatch,
  { visibleEntries, callCount }: ListState,
  neededCount: number,
  share: number,
): number => {
  const missingCount = neededCount - visibleEntries.length
  const size = Math.max(missingCount, Math.min(MAX_REQUESTED_ENTRIES, missingCount * 2 ** callCount))
  return canEndAtScanLimit ? Math.min(size, share) : Math.max(1, Math.min(size, share))
}

/** Runs one pass over the unfinished lists. */
function* runPass(
  context: ExecutionContext,
  batch: ListBatch,
  computation: ListComputation,
  lists: readonly ListState[],
): ReadTask<void> {
  const { sourceType, pageRequest, window } = batch
  const neededCount = Math.max(1, neededCountOf(pageRequest))
  const weight = scanWeightOf(batch.selection)
  const share = Math.floor(context.scanLimit.remaining(weight) / lists.length)
  const pages = lists.map(list =>
    createPageRequest(window, list.from, chooseSize(batch, list, neededCount, share)),
  )
  for (const [index, list] of lists.entries()) list.budgetEnded = pages[index]?.limit === 0
  if (lists.some(({ budgetEnded }) => budgetEnded)) return
  const results = yield* callResolve(context, batch, computation, lists, pages)
  const entries = results.flatMap(result => result.entries)
  context.scanLimit.addExamined(sourceType, pageRequest.name, entries.length, weight)
  const nodes = pageRequest.limit === 0 ? [] : yield* readEntryNodes(context, batch, entries)
  let start = 0
  for (const [index, list] of lists.entries()) {
    const result = results[index]
    if (result === undefined) continue
    const end = start + result.entries.length
    addEntries(list, result, nodes.slice(start, end), neededCount)
    start = end
    assertNotStuck(`${sourceType}.${pageRequest.name}.resolve`, list)
  }
}

const toPage = ({ pageRequest, window }: ListBatch, list: ListState, hidesEntries: boolean): ListPage => {
  const entries = list.visibleEntries.slice(0, pageRequest.limit)
  const positions = list.positions.slice(0, pageRequest.limit)
  const isBackwards = window.cursorParameter === 'before'
  const { from, budgetEnded } = list
  return {
    entries: isBackwards ? entries.toReversed() : entries,
    positions: isBackwards ? positions.toReversed() : positions,
    hasMore: budgetEnded || list.visibleEntries.length > pageRequest.limit,
    total: pageRequest.summary && !hidesEntries ? list.total : undefined,
    scanEndedAt: budgetEnded && from !== undefined ? { position: from } : undefined,
  }
}

/**
 * Reads a page of a computed edge for each source. The function of the edge is called for all sources at once,
 * until every page is full or its list ends.
 *
 * @throws GraphError `internal_error` for a bad result; `query_too_expensive` if the call exceeds its scan
 * limit, unless the page may end there.
 */
export function* readComputedPages(
  context: ExecutionContext,
  batch: ListBatch,
  computation: ListComputation,
): ReadTask<readonly ListPage[]> {
  const neededCount = neededCountOf(batch.pageRequest)
  const lists = batch.sources.map(source => createState(source, batch.window.resolvedFrom))
  const isUnfinished = ({ hasMore, budgetEnded, visibleEntries }: ListState): boolean =>
    hasMore && !budgetEnded && visibleEntries.length < neededCount
  // The function counts hidden entries too, so its count is returned only if no entry can be hidden.
  const hidesEntries = batch.selection.hasPolicy && !bypassesPolicies(context.session)
  // A page of 0 entries needs only the count, which one call returns.
  const needsCount = batch.pageRequest.limit === 0 && !hidesEntries
  if (needsCount && lists.length > 0) yield* runPass(context, batch, computation, lists)
  for (
    let unfinished = lists.filter(isUnfinished);
    unfinished.length > 0;
    unfinished = unfinished.filter(isUnfinished)
  )
    yield* runPass(context, batch, computation, unfinished)
  return lists.map(list => toPage(batch, list, hidesEntries))
}
