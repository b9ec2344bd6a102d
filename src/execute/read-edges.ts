import { isPromiseLike } from '../base/awaitable.ts'
import type { Plan, Window } from '../plan/plan.ts'
import { unknownEdge } from '../plan/unknown-edge.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { EdgeSlice, NodeRecord, Wave } from '../store/contract.ts'
import { askNodes, NOTHING } from '../store/nothing.ts'
import { admit, plansOf, type Rooted } from './admit.ts'
import type { Context } from './context.ts'
import { type Course, settled } from './course.ts'
import { entriesPlan, type OpenedRoot, sourcesOf } from './edge-sources.ts'
import {
  type EdgesCall,
  type EdgesInput,
  hasSessionCursor,
  isSameManner,
  type Manner,
  mannerOf,
  readEdgesCall,
} from './edges-call.ts'
import { gatherPages, readPages } from './gather.ts'
import type { PagesCell } from './gathered.ts'
import { assertHoldsFor, type PageShape, rangeOf, windowToRead, withClosed } from './page.ts'
import type { Projection, StartProjection } from './projection.ts'
import type { Query } from './query.ts'
import { placed, rootIds, tolerate, waitsFor } from './roots.ts'
import { firstSize } from './visible-pages.ts'
import { all, type Walk } from './walk.ts'

/** A source with what was read of its list together with it. */
type Source = {
  readonly id: string
  readonly record: NodeRecord
  readonly slice: EdgeSlice | undefined
  /** Whether the policy of the edge lets the viewer see its list. */
  readonly isOpen: boolean
}

/** The sources of one type: their lists are read alike. */
type Batch = {
  readonly type: string
  readonly edge: EdgeType
  readonly manner: Manner
  readonly shape: PageShape
  readonly window: Window
  readonly plan: Plan
  readonly sources: Source[]
}

const waveOf = (query: Query, { edge, several }: EdgesInput, call: EdgesCall): Wave => {
  const { presumed, limit, summary } = call
  const nodes = rootIds(query, call.ids, several)
  if (presumed === undefined) return askNodes(nodes)
  const shape = { name: edge, order: presumed.order, limit, summary }
  const window = call.windowIn(presumed)
  assertHoldsFor(nodes, shape, window)
  const first = presumed.isSifted ? firstSize(query.engine.passSizes, shape, query.scan.left) : limit
  const read = windowToRead(shape, window)
  return { ...NOTHING, nodes, ranges: nodes.map(id => rangeOf(id, shape, read, first)) }
}

const newBatch = (query: Query, input: EdgesInput, call: EdgesCall, type: string): Batch => {
  const { registry } = query.engine
  const edge = registry.edge(type, input.edge)
  if (edge === undefined) throw unknownEdge(registry, type, input.edge)
  const manner = mannerOf(query.engine, edge, call.order)
  return {
    type,
    edge,
    manner,
    shape: { name: input.edge, order: manner.order, limit: call.limit, summary: call.summary },
    window: call.windowIn(manner),
    plan: entriesPlan(query, call, { source: type, name: input.edge, type: edge }),
    sources: [],
  }
}

/** What was read before the sources were known is of use where it was read in the manner of their edge. */
const batchesOf = (
  query: Query,
  input: EdgesInput,
  call: EdgesCall,
  roots: readonly OpenedRoot[],
  slices: ReadonlyMap<string, EdgeSlice>,
): Batch[] => {
  const batches = new Map<string, Batch>()
  for (const { id, record, isOpen } of roots) {
    tolerate(query, input.several, () => {
      const batch = batches.get(record.type) ?? newBatch(query, input, call, record.type)
      batches.set(record.type, batch)
      const isRead = call.presumed !== undefined && isSameManner(call.presumed, batch.manner)
      batch.sources.push({ id, record, isOpen, slice: isRead ? slices.get(id) : undefined })
    })
  }
  return [...batches.values()]
}

const rootedBy =
  ({ asked, limit }: EdgesCall) =>
  ({ plan, type, edge: { scope }, shape, sources }: Batch): Rooted => ({
    plan,
    values: asked.values,
    count: sources.length,
    plans: plansOf(plan),
    edgeLimit: limit,
    needs: scope === undefined ? [] : [{ scope, name: shape.name, type }],
  })

function* gatherBatch(
  context: Context,
  { several }: EdgesInput,
  { type, shape, window, plan, sources }: Batch,
): Walk<PagesCell> {
  const ids = sources.map(({ record }) => record.id)
  assertHoldsFor(ids, shape, window)
  const open = sources.filter(({ isOpen }) => isOpen)
  const slices = open.flatMap(({ slice }) => slice ?? [])
  const first = slices.length === open.length ? slices : undefined
  const { selection } = plan
  // The plan decides whether the page may end at the scan limit, so that the data shows in nothing else.
  const isCuttable = !several && !shape.summary && selection.openings.size === 0
  const lists = {
    shape,
    window,
    selection,
    sources: open.map(({ record }) => record.id),
    from: type,
    isCuttable,
  }
  const read = yield* readPages(context, lists, first)
  const pages = withClosed(
    shape,
    sources.map(({ isOpen }) => isOpen),
    read,
  )
  return yield* gatherPages(context, plan, pages)
}

function* projectBatches<TPage>(
  { engine: { registry } }: Query,
  context: Context,
  projection: Projection<unknown, TPage>,
  batches: readonly Batch[],
  gathered: readonly PagesCell[],
): Walk<Map<string, TPage>> {
  const answers = new Map<string, TPage>()
  for (const [batch, { type, shape, window, plan, sources }] of batches.entries()) {
    const cell = gathered[batch]
    const from = registry.type(type)
    if (cell === undefined || from === undefined) continue
    const writer = projection.list({ shape, window, selection: plan.selection, from })
    for (const [index, { id, record }] of sources.entries()) {
      const page = context.isLarge
        ? yield* projection.pageInStretches(cell, index, record.id, writer)
        : projection.pageOf(cell, index, record.id, writer)
      answers.set(id, page)
    }
  }
  return answers
}

/** Reads the edges of one name of some nodes; the answers, in the form of the projection, are keyed by the ids as asked. */
export function* readEdges<TPage>(
  query: Query,
  input: EdgesInput,
  Start: StartProjection<unknown, TPage>,
): Course<Map<string, TPage>> {
  const { prepared: call, answer } = yield* query.open({
    ask() {
      const prepared = readEdgesCall(query, input)
      return { prepared, wave: waveOf(query, input, prepared) }
    },
    waits: input.ids.some(waitsFor) || hasSessionCursor(query, input),
  })
  const read = placed(query, call.ids, answer.ranges)
  const slices = new Map<string, EdgeSlice>()
  for (const [index, id] of call.ids.entries()) {
    const slice = read[index]
    if (slice !== undefined) slices.set(id, slice)
  }
  const sources = yield* sourcesOf(query, input, call, answer.nodes, slices)
  const batches = batchesOf(query, input, call, sources, slices)
  const admitted = admit(query, batches.map(rootedBy(call)))
  const context = isPromiseLike(admitted) ? yield* settled(admitted) : admitted
  const gathered = yield* all(batches.map(batch => gatherBatch(context, input, batch)))
  const computing = context.computed()
  if (computing !== undefined) yield* settled(computing)
  return yield* projectBatches(query, context, new Start(context), batches, gathered)
}
