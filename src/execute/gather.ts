import { isNodeId, type NodeId } from '../base/ids.ts'
import type { EdgeStep, RefStep, Selection, TestStep } from '../plan/plan.ts'
import type { EdgeEntry, EdgeSlice, NodeRecord } from '../store/contract.ts'
import { askNodes } from '../store/nothing.ts'
import type { Context } from './context.ts'
import { type Gathered, type Group, groupByType, type PagesCell } from './gathered.ts'
import type { Wanted } from './judge.ts'
import {
  assertHoldsFor,
  emptyPage,
  NO_SLICE,
  type Page,
  type PagedLists,
  readOpenPages,
  windowToRead,
  withClosed,
} from './page.ts'
import { isOpen, judgeGuards, opennessOf, sift } from './sift.ts'
import { readVisiblePages } from './visible-pages.ts'
import { together, type Walk } from './walk.ts'

/** Reads all that a selection asks of some nodes, level by level: what one level asks is one wave. */
export function* gather(
  context: Context,
  selection: Selection,
  nodes: readonly (NodeRecord | undefined)[],
  entries?: readonly EdgeEntry[],
): Walk<Gathered> {
  const gathered = groupByType(selection, nodes, entries)
  if (asksMore(gathered)) yield* readBelow(context, gathered)
  return gathered
}

/** Whether anything of some nodes is still to be read, computed or decided: most need no walk of their own. */
export const asksMore = ({ groups }: Gathered): boolean =>
  groups.some(({ plan }) => plan.cells.length > 0 || plan.guards.length > 0)

/** Reads what is asked below some nodes. */
export function* readBelow(context: Context, { groups }: Gathered): Walk<void> {
  if (groups.some(isGuarded)) yield* judgeGuards(context.judge, groups)
  const walks: Walk<void>[] = []
  for (const group of groups) addWalks(context, group, walks)
  if (walks.length > 0) yield* together(walks)
}

const isGuarded = ({ plan }: Group): boolean => plan.guards.length > 0

/** Starts what a group computes, and adds what it reads. */
const addWalks = (context: Context, group: Group, walks: Walk<void>[]): void => {
  for (const step of group.plan.cells) {
    if (step.kind === 'edge') walks.push(edgeWalk(context, group, step))
    else if (step.kind === 'ref') walks.push(refWalk(context, group, step))
    else if (!context.grants(step.scope)) continue
    else if (step.kind === 'computed') context.compute(group, step)
    else if (context.viewer !== undefined) walks.push(testWalk(context, group, step, context.viewer))
  }
}

/** A policy may have asked the same: then it is known. */
function* testWalk({ judge }: Context, group: Group, step: TestStep, viewer: NodeId): Walk<void> {
  const wanted: Wanted = []
  const open = opennessOf(group, step)
  const ask = ({ id }: NodeRecord, row: number): boolean | undefined =>
    isOpen(open, row) ? judge.has({ source: id, name: step.edge, target: viewer }, wanted) : undefined
  group.records.forEach(ask)
  yield* judge.learn(wanted)
  group.cells[step.cell] = { kind: 'values', values: group.records.map(ask) }
}

/** Some nodes in rows of their own, the rows between them empty. */
const placedAt = (
  rows: readonly number[],
  found: readonly (NodeRecord | undefined)[],
  count: number,
): readonly (NodeRecord | undefined)[] => {
  const nodes = new Array<NodeRecord | undefined>(count).fill(undefined)
  for (const [index, row] of rows.entries()) nodes[row] = found[index]
  return nodes
}

function* refWalk(context: Context, group: Group, step: RefStep): Walk<void> {
  const { records } = group
  const wanted: NodeId[] = []
  const rows: number[] = []
  const open = opennessOf(group, step)
  const named = records.map(({ fields }) => fields[step.name])
  for (let row = 0; row < named.length; row++) {
    const id = named[row]
    if (!isNodeId(id) || !isOpen(open, row)) continue
    wanted.push(id)
    rows.push(row)
  }
  const found = wanted.length === 0 ? [] : yield* readVisibleNodes(context, step.selection, wanted)
  const nodes = rows.length === records.length ? found : placedAt(rows, found, records.length)
  group.cells[step.cell] = { kind: 'nodes', gathered: yield* gather(context, step.selection, nodes) }
}

/** Nodes by their ids, those left out that the viewer may not see. */
function* readVisibleNodes(
  { judge }: Context,
  selection: Selection,
  ids: readonly NodeId[],
): Walk<readonly (NodeRecord | undefined)[]> {
  const { nodes } = yield askNodes(ids)
  if (!selection.policed) return nodes
  const found = nodes.filter(node => node !== undefined)
  const verdicts = yield* sift(judge, found, selection)
  let next = 0
  return nodes.map(node => (node !== undefined && verdicts[next++] ? node : undefined))
}

/** Whether some sources are the same node: then they share a list, which is read once. */
export const haveTwins = (sources: readonly NodeId[]): boolean =>
  sources.length > 1 && new Set(sources).size < sources.length

/** Reads a page of each list, or goes on from what was read of it already. */
export const readPages = (
  context: Context,
  lists: PagedLists,
  areShared: boolean,
  first?: readonly EdgeSlice[],
): Walk<readonly Page[]> =>
  areShared ? readSharedLists(context, lists, first) : readLists(context, lists, first)

function* readSharedLists(
  context: Context,
  lists: PagedLists,
  first?: readonly EdgeSlice[],
): Walk<readonly Page[]> {
  const ids = [...new Set(lists.sources)]
  const slices = first && ids.map(id => first[lists.sources.indexOf(id)] ?? NO_SLICE)
  const pages = yield* readLists(context, { ...lists, sources: ids }, slices)
  const byId = new Map(ids.map((id, index) => [id, pages[index]]))
  return lists.sources.map(id => byId.get(id) ?? emptyPage(lists.shape))
}

const readLists = (
  context: Context,
  asked: PagedLists,
  first?: readonly EdgeSlice[],
): Walk<readonly Page[]> => {
  const window = windowToRead(asked.shape, asked.window)
  const lists = window === asked.window ? asked : { ...asked, window }
  return lists.selection.policed ? readVisiblePages(context, lists, first) : readOpenPages(lists, first)
}

function* edgeWalk(context: Context, group: Group, step: EdgeStep): Walk<void> {
  const { cell, edge } = step
  const window = context.windowOf(edge)
  const open = opennessOf(group, step)
  const ids = group.records.map(({ id }) => id)
  assertHoldsFor(ids, edge, window)
  const sources = open === undefined ? ids : ids.filter((_, row) => open[row])
  const { type: from } = group.plan
  const lists = { shape: edge, window, selection: edge.selection, sources, from, isCuttable: false }
  const areShared = haveTwins(sources)
  const read = yield* readPages(context, lists, areShared)
  const pages = open === undefined ? read : withClosed(edge, open, read)
  group.cells[cell] = yield* gatherPages(context, edge, pages, areShared)
}

/** Gathers what is asked of the entries of all pages of an edge, as one list. */
export function* gatherPages(
  context: Context,
  { selection }: { readonly selection: Selection },
  pages: readonly Page[],
  areShared: boolean,
): Walk<PagesCell> {
  const entries: EdgeEntry[] = []
  const nodes: NodeRecord[] = []
  const starts = [0]
  const shared = areShared ? sharedPages(pages) : undefined
  for (const page of shared?.pages ?? pages) {
    for (const entry of page.entries) {
      entries.push(entry)
      nodes.push(entry.node)
    }
    starts.push(entries.length)
  }
  const gathered = yield* gather(context, selection, nodes, entries)
  return { kind: 'pages', pages: shared?.pages ?? pages, starts, gathered, of: shared?.of }
}

/** The pages, each once, and by list which of them is its own. */
const sharedPages = (
  pages: readonly Page[],
): { readonly pages: readonly Page[]; readonly of: readonly number[] } => {
  const indexes = new Map<Page, number>()
  const of = pages.map(page => indexOf(indexes, page))
  return { pages: [...indexes.keys()], of }
}

const indexOf = (indexes: Map<Page, number>, page: Page): number => {
  const known = indexes.get(page) ?? indexes.size
  indexes.set(page, known)
  return known
}
