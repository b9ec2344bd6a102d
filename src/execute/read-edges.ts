import type { StoreReadRequest } from '../store/contract.ts'
import { EMPTY_REQUEST, nodesRequest } from '../store/requests.ts'
import { type Course, waitFor } from './course.ts'
import { type EdgeGroup, validateSources } from './edge-groups.ts'
import {
  cursorNeedsSession,
  type EdgeRequest,
  type EdgeRequestInput,
  parseEdgeRequest,
} from './edge-request.ts'
import type { ExecutionContext } from './execution-context.ts'
import { chooseFirstPassSize } from './filtered-pages.ts'
import type { Formatter, FormatterConstructor } from './formatter.ts'
import { assertCursorMatches, chooseReadWindow, createRange, withHiddenLists } from './list-pages.ts'
import { evaluatePolicies } from './policy-evaluator.ts'
import type { Query } from './query.ts'
import { hasDuplicateIds, readPageEntries, readPages } from './read-selection.ts'
import { type ReadTask, runAll } from './read-task.ts'
import { needsSession, resolveRootIds } from './root-nodes.ts'
import type { PagesCell } from './selection-rows.ts'

const createFirstRequest = (
  query: Query,
  { edge, isMultiId }: EdgeRequestInput,
  edgeRequest: EdgeRequest,
): StoreReadRequest => {
  const { assumedMode, limit, summary } = edgeRequest
  const nodes = resolveRootIds(query, edgeRequest.ids, isMultiId)
  if (assumedMode === undefined) return nodesRequest(nodes)
  const pageRequest = { name: edge, order: assumedMode.order, limit, summary }
  const window = edgeRequest.windowFor(assumedMode)
  assertCursorMatches(nodes, pageRequest, window)
  const firstLimit = assumedMode.isUnderPolicy
    ? chooseFirstPassSize(query.engine.passSizes, pageRequest, query.scanLimit.remaining)
    : limit
  const readWindow = chooseReadWindow(pageRequest, window)
  return {
    ...EMPTY_REQUEST,
    nodes,
    ranges: nodes.map(id => createRange(id, pageRequest, readWindow, firstLimit)),
  }
}

function* readEdgeGroup(
  context: ExecutionContext,
  { isMultiId }: EdgeRequestInput,
  { type, edgeType: { policy }, pageRequest, window, plan, sources }: EdgeGroup,
): ReadTask<PagesCell> {
  const records = sources.map(({ record }) => record)
  assertCursorMatches(
    records.map(({ id }) => id),
    pageRequest,
    window,
  )
  const policyChecks = policy && records.map(record => ({ policy, record }))
  const mask = policyChecks && (yield* evaluatePolicies(context.policyEvaluator, policyChecks))
  const visibleSources = mask === undefined ? sources : sources.filter((_, index) => mask[index])
  const rangeResults = visibleSources.flatMap(({ rangeResult }) => rangeResult ?? [])
  const firstResults = rangeResults.length === visibleSources.length ? rangeResults : undefined
  const { selection } = plan
  // The plan decides whether the page may end at the scan limit, so that the data shows in nothing else.
  const canEndAtScanLimit = !isMultiId && !pageRequest.summary && selection.openings.size === 0
  const ids = visibleSources.map(({ record }) => record.id)
  const lists = { pageRequest, window, selection, sources: ids, sourceType: type, canEndAtScanLimit }
  const hasSharedLists = hasDuplicateIds(ids)
  const visiblePages = yield* readPages(context, lists, hasSharedLists, firstResults)
  const pages = mask === undefined ? visiblePages : withHiddenLists(pageRequest, mask, visiblePages)
  return yield* readPageEntries(context, plan, pages, hasSharedLists)
}

function* formatEdgeGroups<TPage>(
  { engine: { registry } }: Query,
  context: ExecutionContext,
  formatter: Formatter<unknown, TPage>,
  groups: readonly EdgeGroup[],
  cells: readonly PagesCell[],
): ReadTask<Map<string, TPage>> {
  const results = new Map<string, TPage>()
  for (const [groupIndex, { type, pageRequest, window, plan, sources }] of groups.entries()) {
    const cell = cells[groupIndex]
    const sourceType = registry.getType(type)
    if (cell === undefined || sourceType === undefined) continue
    const writer = formatter.createPagingWriter({
      pageRequest,
      window,
      selection: plan.selection,
      sourceType,
    })
    for (const [index, { id, record }] of sources.entries()) {
      const page = context.isLargeResult
        ? yield* formatter.formatPageWithPauses(cell, index, record.id, writer)
        : formatter.formatPage(cell, index, record.id, writer)
      results.set(id, page)
    }
  }
  return results
}

/** Reads one edge of some nodes. Returns the formatted pages by the requested ids. */
export function* readEdges<TPage>(
  query: Query,
  input: EdgeRequestInput,
  FormatterClass: FormatterConstructor<unknown, TPage>,
): Course<Map<string, TPage>> {
  const { prepared: edgeRequest, result } = yield* query.open({
    prepare() {
      const prepared = parseEdgeRequest(query, input)
      return { prepared, request: createFirstRequest(query, input, prepared) }
    },
    needsSession: input.ids.some(needsSession) || cursorNeedsSession(query, input),
  })
  const { groups, context } = yield* validateSources(query, input, edgeRequest, result)
  const cells = yield* runAll(groups.map(group => readEdgeGroup(context, input, group)))
  const pendingFields = context.waitForComputedFields()
  if (pendingFields !== undefined) yield* waitFor(pendingFields)
  return yield* formatEdgeGroups(query, context, new FormatterClass(context), groups, cells)
}
