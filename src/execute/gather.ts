import { isNodeId, type NodeId } from '../base/ids.ts'
import type { EdgeStep, RefStep, Selection, TestStep } from '../plan/plan.ts'
import type { EdgeEntry, NodeRecord } from '../store/contract.ts'
import { NOTHING } from '../store/nothing.ts'
import type { Context } from './context.ts'
import { type Gathered, type Group, groupByType, type PagesCell } from './gathered.ts'
import { type Page, rangeOf, readPages } from './page.ts'
import { together, type Walk } from './walk.ts'

const NO_ENTRIES: readonly EdgeEntry[] = []

/** Reads all that a selection asks of some nodes, level by level: what one level asks is one wave. */
export function* gather(
  context: Context,
  selection: Selection,
  nodes: readonly (NodeRecord | undefined)[],
  entries: readonly EdgeEntry[] = NO_ENTRIES,
): Walk<Gathered> {
  const gathered = groupByType(selection, nodes, entries)
  const walks: Walk<void>[] = []
  for (const group of gathered.groups) addWalks(context, group, walks)
  yield* together(walks)
  return gathered
}

/** Starts what a group computes, and adds what it reads. */
const addWalks = (context: Context, group: Group, walks: Walk<void>[]): void => {
  for (const step of group.plan.cells) {
    if (step.kind === 'edge') walks.push(edgeWalk(context, group, step))
    else if (step.kind === 'ref') walks.push(refWalk(context, group, step))
    else if (!context.grants(step.scope)) continue
    else if (step.kind === 'computed') context.compute(group, step)
    else if (context.viewer !== undefined) walks.push(testWalk(group, step, context.viewer))
  }
}

function* testWalk(group: Group, step: TestStep, viewer: NodeId): Walk<void> {
  const tests = group.records.map(record => ({ source: record.id, name: step.edge, target: viewer }))
  group.cells[step.cell] = { kind: 'values', values: (yield { ...NOTHING, tests }).tests }
}

function* refWalk(context: Context, group: Group, step: RefStep): Walk<void> {
  const nodes: (NodeRecord | undefined)[] = []
  const wanted: NodeId[] = []
  const rows: number[] = []
  for (const record of group.records) {
    const id = record.fields[step.name]
    const row = nodes.push(undefined) - 1
    if (!isNodeId(id)) continue
    wanted.push(id)
    rows.push(row)
  }
  if (wanted.length > 0) {
    const found = (yield { ...NOTHING, nodes: wanted }).nodes
    for (const [index, row] of rows.entries()) nodes[row] = found[index]
  }
  group.cells[step.cell] = { kind: 'nodes', gathered: yield* gather(context, step.selection, nodes) }
}

function* edgeWalk(context: Context, group: Group, { cell, edge }: EdgeStep): Walk<void> {
  const window = context.windowOf(edge)
  const ranges = group.records.map(record => rangeOf(record.id, edge, window))
  const pages = yield* readPages(ranges, window.cursor === 'before')
  group.cells[cell] = yield* gatherPages(context, edge, pages)
}

/** Gathers what is asked of the entries of all pages of an edge, as one list. */
export function* gatherPages(
  context: Context,
  { selection }: { readonly selection: Selection },
  pages: readonly Page[],
): Walk<PagesCell> {
  const entries: EdgeEntry[] = []
  const nodes: NodeRecord[] = []
  const starts = [0]
  for (const page of pages) {
    for (const entry of page.entries) {
      entries.push(entry)
      nodes.push(entry.node)
    }
    starts.push(entries.length)
  }
  return { kind: 'pages', pages, starts, gathered: yield* gather(context, selection, nodes, entries) }
}
