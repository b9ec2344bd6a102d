import type { NodeId } from '../base/ids.ts'
import { type ReadTask, runAll } from '../core/batching.ts'
import type { PagesCell } from '../core/selection-rows.ts'
import type { Formatter, ResultForms } from '../format/formatter.ts'
import { evaluatePolicies } from '../policy/policy-evaluator.ts'
import { withCountLimit } from '../read/count-limit.ts'
import { withConditions } from '../read/list-conditions.ts'
import {
  assertCursorMatches,
  chooseReadWindow,
  createPageRequest,
  createRange,
  withHiddenLists,
} from '../read/pages.ts'
import { chooseFirstPassSize } from '../read/pass-size.ts'
import { chooseReadAhead } from '../read/read-ahead.ts'
import { hasDuplicateIds, readPageEntries, readPages } from '../read/read-selection.ts'
import { scanWeightOf } from '../read/scan-limit.ts'
import type { StoreReadRequest } from '../store/contract.ts'
import { EMPTY_REQUEST, nodesRequest } from '../store/requests.ts'
import { findRootType } from './early-root.ts'
import { type EdgeContext, type EdgeGroup, validateSources, validateSourcesEarly } from './edge-groups.ts'
import {
  assumedModeOf,
  type EdgeRequest,
  type EdgeRequestInput,
  MAX_ENTRIES_READ_AHEAD,
  parseEdgeRequest,
} from './edge-request.ts'
import type { FormattedRead, Query } from './query.ts'
import { listFieldsOf, sourceFieldsOf } from './root-fields.ts'
import { assertViewer, nodeNotFoundError, resolveIds } from './root-nodes.ts'

/**
 * Creates the request for the sources. The request includes the lists of the sources if all lists are read in
 * the same mode.
 */
const createRootRequest = (
  query: Query<EdgeRequestInput>,
  edgeRequest: EdgeRequest,
  nodes: readonly NodeId[],
): StoreReadRequest => {
  const { engine, scanLimit, context } = query
  const assumedMode = assumedModeOf(edgeRequest)
  if (assumedMode === undefined) return nodesRequest(nodes, sourceFieldsOf(query))
  const { limit, summary, early } = edgeRequest
  const pageRequest = createPageRequest(assumedMode.edgeList, limit, summary)
  const window = edgeRequest.windowFor(assumedMode, context)
  assertCursorMatches(
    engine,
    nodes.map(id => ({ id })),
    pageRequest,
    window,
  )
  const firstLimit = assumedMode.isFiltered
    ? chooseFirstPassSize(engine.passSizes, pageRequest, scanLimit.remaining(scanWeightOf(assumedMode)))
    : limit
  const readWindow = chooseReadWindow(pageRequest, window)
  const { conditionsType } = assumedMode
  const conditions = conditionsType === undefined ? undefined : context?.conditionsOf?.(conditionsType)
  const plan = early?.validation.isValid === true ? early.plan : undefined
  const ahead = plan && context && chooseReadAhead(context, plan.selection, nodes.length * firstLimit, false)
  const ranges = nodes.map(id => createRange(id, pageRequest, readWindow, firstLimit, ahead))
  return {
    ...EMPTY_REQUEST,
    nodes,
    ranges: withConditions(
      withCountLimit(ranges, pageRequest, scanLimit),
      conditions,
      scanLimit,
      MAX_ENTRIES_READ_AHEAD,
    ),
    fields: listFieldsOf(query, edgeRequest),
  }
}

/** Returns the request for the sources, or `undefined` if it needs the session and there is no context yet. */
const createFirstRequest = (
  query: Query<EdgeRequestInput>,
  edgeRequest: EdgeRequest,
): StoreReadRequest | undefined => {
  const { context } = query
  if (context === undefined && edgeRequest.windowNeedsSession) return undefined
  if (context !== undefined) assertViewer(context, edgeRequest.ids, query.input.isMultiId)
  const nodes = resolveIds(query.engine, edgeRequest.ids, context)
  return nodes && createRootRequest(query, edgeRequest, nodes)
}

function* readEdgeGroup(
  context: EdgeContext,
  { type, edgeType: { policy }, pageRequest, window, plan, sources }: EdgeGroup,
): ReadTask<PagesCell> {
  const records = sources.map(({ record }) => record)
  assertCursorMatches(context, records, pageRequest, window)
  const policyChecks = policy && records.map(record => ({ policy, record }))
  const mask = policyChecks && (yield* evaluatePolicies(context.policyEvaluator, policyChecks))
  const visibleSources = mask === undefined ? sources : sources.filter((_, index) => mask[index])
  const rangeResults = visibleSources.flatMap(({ rangeResult }) => rangeResult ?? [])
  const firstResults = rangeResults.length === visibleSources.length ? rangeResults : undefined
  const { selection } = plan
  // This depends only on the options and the plan, so it reveals nothing about hidden data.
  const canEndAtScanLimit =
    !context.query.input.isMultiId && !pageRequest.summary && selection.openings.size === 0
  const visibleRecords = visibleSources.map(({ record }) => record)
  const lists = {
    pageRequest,
    window,
    selection,
    sources: visibleRecords,
    sourceType: type,
    canEndAtScanLimit,
  }
  const hasSharedLists = hasDuplicateIds(visibleRecords)
  const visiblePages = yield* readPages(context, lists, hasSharedLists, firstResults)
  const pages = mask === undefined ? visiblePages : withHiddenLists(pageRequest, mask, visiblePages)
  return yield* readPageEntries(context, plan, pages, hasSharedLists)
}

/** The sources of one type, and the pages that were read for them. */
type EdgeGroupPages = { readonly group: EdgeGroup; readonly cell: PagesCell }

/** Formats the pages, and calls `join` to create the result. */
function* formatEdgeGroups<TForms extends ResultForms, TForm extends keyof ResultForms>(
  context: EdgeContext,
  groups: readonly EdgeGroupPages[],
  formatter: Formatter<TForms>,
  join: (pages: ReadonlyMap<string, TForms['page']>) => TForms[TForm],
): ReadTask<TForms[TForm]> {
  const pages = new Map<string, TForms['page']>()
  for (const { group, cell } of groups) {
    const { type, pageRequest, window, plan, sources } = group
    const sourceType = context.query.engine.registry.getType(type)
    if (sourceType === undefined) continue
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
      pages.set(id, page)
    }
  }
  return join(pages)
}

type EdgesRead<TForm extends keyof ResultForms> = FormattedRead<
  EdgeRequestInput,
  EdgeRequest,
  readonly EdgeGroupPages[],
  TForm
>

/** The read of one edge of several nodes, by their distinct ids. */
export const EDGES_READ: EdgesRead<'pagesById'> = {
  form: 'pagesById',
  prepare: parseEdgeRequest,
  *validateRoots(context, edgeRequest) {
    // Errors of the request come first, and are not charged.
    createFirstRequest(context.query, edgeRequest)
    const { type: requestedType, isMultiId } = context.query.input
    const [id] = edgeRequest.ids
    const type = isMultiId || id === undefined ? requestedType : findRootType(context, id, requestedType)
    if (type !== undefined) edgeRequest.early = yield* validateSourcesEarly(context, edgeRequest, type)
  },
  rootRequest: createFirstRequest,
  *read(context, edgeRequest, roots) {
    const groups = yield* validateSources(context, edgeRequest, roots)
    const cells = yield* runAll(groups.map(group => readEdgeGroup(context, group)))
    return groups.flatMap((group, index) => {
      const cell = cells[index]
      return cell === undefined ? [] : [{ group, cell }]
    })
  },
  format(context, groups, formatter) {
    return formatEdgeGroups(context, groups, formatter, pages => formatter.formatPagesById(pages))
  },
}

/** The read of one edge of a single node. */
export const EDGE_READ: EdgesRead<'page'> = {
  ...EDGES_READ,
  form: 'page',
  format(context, groups, formatter) {
    return formatEdgeGroups(context, groups, formatter, pages => {
      const { ids } = context.query.input
      const [id = ''] = ids
      const page = pages.get(id)
      if (page === undefined) throw nodeNotFoundError(id)
      return page
    })
  },
}
