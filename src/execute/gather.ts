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
  yield* together(gathered.groups.flatMap(group => walksOf(context, group)))
  return gathered
}

const walksOf = (context: Context, group: Group): Walk<void>[] =>
  group.plan.cells.flatMap(step => {
    if (step.kind === 'edge') return [edgeWalk(context, group, step)]
    if (step.kind === 'ref') return [refWalk(context, group, step)]
    if (!context.grants(step.scope)) return []
    if (step.kind === 'test')
      return context.viewer === undefined ? [] : [testWalk(group, step, context.viewer)]
    context.compute(group, step)
    return []
  })

function* testWalk(group: Group, step: TestStep, viewer: NodeId): Walk<void> {
  const tests = group.records.map(record => ({ source: record.id, name: step.edge, target: viewer }))
  group.cells[step.cell] = { kind: 'values', values: (yield { ...NOTHING, tests }).tests }
}

function* refWalk(context: Context, group: Group, step: RefStep): Walk<void> {
  const ids = group.records.map(record => record.fields[step.name])
  const wanted = ids.filter(isNodeId)
  const found = wanted.length === 0 ? [] : (yield { ...NOTHING, nodes: wanted }).nodes
  let next = 0
  const nodes = ids.map(id => (isNodeId(id) ? found[next++] : undefined))
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
