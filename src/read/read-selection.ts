import { isIdOfKind, type NodeId } from '../base/ids.ts'
import { type ReadTask, runTogether } from '../core/batching.ts'
import {
  groupByType,
  type ListPage,
  type PagesCell,
  type SelectionRows,
  type TypeGroup,
} from '../core/selection-rows.ts'
import type { EdgeStep, RefStep, Selection } from '../plan/plan.ts'
import { evaluateStepPolicies, filterVisible, isVisible, visibilityMask } from '../policy/visibility.ts'
import type { EdgeEntry, NodeRecord, RangeResult, StoreReadRequest } from '../store/contract.ts'
import { nodesAheadRequest } from '../store/requests.ts'
import { collectChecksAhead, findNodesAhead, findRangesAhead } from './ahead-results.ts'
import { startComputedField } from './computed-fields.ts'
import { readComputedPages } from './computed-pages.ts'
import type { ExecutionContext } from './context.ts'
import { readFilteredPages } from './filtered-pages.ts'
import { chooseConditions } from './list-conditions.ts'
import {
  assertCursorMatches,
  chooseReadWindow,
  createEmptyPage,
  EMPTY_RANGE_RESULT,
  type ListBatch,
  readUnfilteredPages,
  withHiddenLists,
} from './pages.ts'
import { chooseReadAhead } from './read-ahead.ts'
import { hasScopes, readViewerEdgeStep } from './viewer-edges.ts'
import { windowOf } from './windows.ts'

/** Reads everything that a selection needs for the given nodes, with one store read per level. */
export function* readSelection(
  context: ExecutionContext,
  selection: Selection,
  nodes: readonly (NodeRecord | undefined)[],
  entries?: readonly EdgeEntry[],
): ReadTask<SelectionRows> {
  const rows = groupByType(selection, context.session.scopes, nodes, entries)
  if (hasPendingSteps(rows)) yield* readPendingSteps(context, rows)
  return rows
}

/**
 * Whether some rows have steps to read or compute, or policies to evaluate. Most selections have neither and
 * need no task.
 */
export const hasPendingSteps = ({ groups }: SelectionRows): boolean =>
  groups.some(({ plan }) => plan.cellSteps.length > 0 || plan.stepPolicies.length > 0)

/** Evaluates the policies of fields and edges for the given nodes, and reads everything below these nodes. */
export function* readPendingSteps(context: ExecutionContext, { groups }: SelectionRows): ReadTask<void> {
  if (groups.some(hasStepPolicies))
    yield* evaluateStepPolicies(context.policyEvaluator, groups, pendingChecks => {
      for (const { plan, records } of groups) collectChecksAhead(context, [plan], records, pendingChecks)
    })
  const tasks: ReadTask<void>[] = []
  for (const group of groups) addTasks(context, group, tasks)
  if (tasks.length > 0) yield* runTogether(tasks)
}

const hasStepPolicies = ({ plan }: TypeGroup): boolean => plan.stepPolicies.length > 0

/** Starts the computed fields of a group, and adds tasks for its reads. */
const addTasks = (context: ExecutionContext, group: TypeGroup, tasks: ReadTask<void>[]): void => {
  const { scopes, viewer } = context.session
  for (const step of group.plan.cellSteps) {
    if (step.kind === 'edge') tasks.push(readEdgeStep(context, group, step))
    else if (step.kind === 'ref') tasks.push(readRefStep(context, group, step))
    else if (step.scope !== undefined && !scopes.includes(step.scope)) continue
    else if (step.kind === 'computed') startComputedField(context, group, step)
    else if (viewer !== undefined && hasScopes(scopes, step.value))
      tasks.push(readViewerEdgeStep(context, group, step, viewer))
  }
}

/** Returns a list with a node in each of the given rows, and `undefined` in the other rows. */
const alignToRows = (
  rowIndexes: readonly number[],
  foundNodes: readonly (NodeRecord | undefined)[],
  rowCount: number,
): readonly (NodeRecord | undefined)[] => {
  const nodes = new Array<NodeRecord | undefined>(rowCount).fill(undefined)
  for (const [index, row] of rowIndexes.entries()) nodes[row] = foundNodes[index]
  return nodes
}

function* readRefStep(context: ExecutionContext, group: TypeGroup, step: RefStep): ReadTask<void> {
  const { records } = group
  const ids: NodeId[] = []
  const rowIndexes: number[] = []
  const { kind } = context.ids
  const mask = visibilityMask(group, step)
  const refIds = records.map(({ fields }) => fields[step.name])
  for (let row = 0; row < refIds.length; row++) {
    const id = refIds[row]
    if (!isIdOfKind(kind, id) || !isVisible(mask, row)) continue
    ids.push(id)
    rowIndexes.push(row)
  }
  const nodesAhead = findNodesAhead(step, records, rowIndexes, ids)
  const foundNodes = ids.length === 0 ? [] : yield* readVisibleNodes(context, step.selection, ids, nodesAhead)
  const nodes =
    rowIndexes.length === records.length ? foundNodes : alignToRows(rowIndexes, foundNodes, records.length)
  group.cells[step.cellIndex] = { kind: 'nodes', rows: yield* readSelection(context, step.selection, nodes) }
}

/**
 * Reads nodes by their ids. Returns `undefined` for a node that does not exist or that the viewer may not
 * see. `nodesAhead` are the nodes, if they have already been read.
 */
function* readVisibleNodes(
  context: ExecutionContext,
  selection: Selection,
  ids: readonly NodeId[],
  nodesAhead: readonly (NodeRecord | undefined)[] | undefined,
): ReadTask<readonly (NodeRecord | undefined)[]> {
  const request = (): StoreReadRequest =>
    nodesAheadRequest(
      ids,
      selection.wanted.fields,
      chooseReadAhead(context, selection, ids.length, !selection.hasPolicy),
    )
  const nodes = nodesAhead ?? (yield request()).nodes
  if (!selection.hasPolicy) return nodes
  const foundNodes = nodes.filter(node => node !== undefined)
  const visible = yield* filterVisible(context.policyEvaluator, foundNodes, selection, pendingChecks =>
    collectChecksAhead(context, selection.types.values(), foundNodes, pendingChecks),
  )
  let nextFound = 0
  return nodes.map(node => (node !== undefined && visible[nextFound++] ? node : undefined))
}

/**
 * Whether a node occurs more than once among the sources. If so, the list of the node is read once and
 * shared.
 */
export const hasDuplicateIds = (sources: readonly NodeRecord[]): boolean =>
  sources.length > 1 && new Set(sources.map(({ id }) => id)).size < sources.length

/**
 * Reads a page of each list. `firstResults` are the results of the first read, if it has already been done.
 */
export const readPages = (
  context: ExecutionContext,
  lists: ListBatch,
  hasSharedLists: boolean,
  firstResults?: readonly RangeResult[],
): ReadTask<readonly ListPage[]> =>
  hasSharedLists ? readDistinctLists(context, lists, firstResults) : readLists(context, lists, firstResults)

function* readDistinctLists(
  context: ExecutionContext,
  lists: ListBatch,
  firstResults?: readonly RangeResult[],
): ReadTask<readonly ListPage[]> {
  const firstRows = new Map<NodeId, number>()
  for (const [row, { id }] of lists.sources.entries()) if (!firstRows.has(id)) firstRows.set(id, row)
  const rows = [...firstRows.values()]
  const sources = rows.flatMap(row => lists.sources[row] ?? [])
  const rangeResults = firstResults && rows.map(row => firstResults[row] ?? EMPTY_RANGE_RESULT)
  const pages = yield* readLists(context, { ...lists, sources }, rangeResults)
  const pagesById = new Map(sources.map(({ id }, index) => [id, pages[index]]))
  return lists.sources.map(({ id }) => pagesById.get(id) ?? createEmptyPage(lists.pageRequest))
}

const readLists = (
  context: ExecutionContext,
  batch: ListBatch,
  firstResults?: readonly RangeResult[],
): ReadTask<readonly ListPage[]> => {
  const window = chooseReadWindow(batch.pageRequest, batch.window)
  const lists = window === batch.window ? batch : { ...batch, window }
  const { computation } = lists.pageRequest
  if (computation !== undefined) return readComputedPages(context, lists, computation)
  if (lists.selection.hasPolicy || lists.pageRequest.filter !== undefined)
    return readFilteredPages(context, lists, firstResults)
  const { pageRequest, selection, sources } = lists
  const recordCount = sources.length * pageRequest.limit
  const ahead = firstResults ? undefined : chooseReadAhead(context, selection, recordCount, true)
  return readUnfilteredPages(context.scanLimit, lists, ahead, firstResults)
}

function* readEdgeStep(context: ExecutionContext, group: TypeGroup, step: EdgeStep): ReadTask<void> {
  const { cellIndex, edge } = step
  const window = windowOf(context, edge)
  const mask = visibilityMask(group, step)
  const { records } = group
  assertCursorMatches(context, records, edge, window)
  const sources = mask === undefined ? records : records.filter((_, row) => mask[row])
  const { type: sourceType } = group.plan
  const lists = {
    pageRequest: edge,
    window,
    selection: edge.selection,
    sources,
    sourceType,
    canEndAtScanLimit: false,
  }
  const hasSharedLists = hasDuplicateIds(sources)
  const rangesAhead = findRangesAhead(step, sources, chooseConditions(context, edge.selection))
  const visiblePages = yield* readPages(context, lists, hasSharedLists, rangesAhead)
  const pages = mask === undefined ? visiblePages : withHiddenLists(edge, mask, visiblePages)
  group.cells[cellIndex] = yield* readPageEntries(context, edge, pages, hasSharedLists)
}

/** Reads the selection below the entries of all pages of an edge, as if the pages were one list. */
export function* readPageEntries(
  context: ExecutionContext,
  { selection }: { readonly selection: Selection },
  pages: readonly ListPage[],
  hasSharedLists: boolean,
): ReadTask<PagesCell> {
  const entries: EdgeEntry[] = []
  const nodes: NodeRecord[] = []
  const startIndexes = [0]
  const distinctPages = hasSharedLists ? findDistinctPages(pages) : undefined
  for (const page of distinctPages?.pages ?? pages) {
    for (const entry of page.entries) {
      entries.push(entry)
      nodes.push(entry.node)
    }
    startIndexes.push(entries.length)
  }
  const rows = yield* readSelection(context, selection, nodes, entries)
  return {
    kind: 'pages',
    pages: distinctPages?.pages ?? pages,
    startIndexes,
    rows,
    pageIndexes: distinctPages?.pageIndexes,
  }
}

/** Returns the pages without duplicates, and for each list the index of its page. */
const findDistinctPages = (
  pages: readonly ListPage[],
): { readonly pages: readonly ListPage[]; readonly pageIndexes: readonly number[] } => {
  const indexByPage = new Map<ListPage, number>()
  const pageIndexes = pages.map(page => assignIndex(indexByPage, page))
  return { pages: [...indexByPage.keys()], pageIndexes }
}

const assignIndex = (indexByPage: Map<ListPage, number>, page: ListPage): number => {
  const index = indexByPage.get(page) ?? indexByPage.size
  indexByPage.set(page, index)
  return index
}
