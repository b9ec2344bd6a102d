import { isPromiseLike } from '../base/awaitable.ts'
import type { Plan, Window } from '../plan/plan.ts'
import { unknownEdge } from '../plan/unknown-edge.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { EdgeSlice, NodeRecord, Wave, WaveAnswer } from '../store/contract.ts'
import { askNodes, NOTHING } from '../store/nothing.ts'
import { admit, plansOf, type Rooted } from './admit.ts'
import type { Context } from './context.ts'
import { type Course, settled } from './course.ts'
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
import { type Case, judged } from './judge.ts'
import { assertHoldsFor, type PageShape, rangeOf, siftedLimit, windowToRead, withClosed } from './page.ts'
import type { Projection, StartProjection } from './projection.ts'
import type { Query } from './query.ts'
import {
  foundRoots,
  judgeRoots,
  placed,
  presentRoots,
  type Root,
  rootIds,
  tolerate,
  waitsFor,
} from './roots.ts'
import { foreseeNodes } from './sift.ts'
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
  const first = presumed.isSifted ? siftedLimit(limit, query.engine.limits.scan) : limit
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
  roots: readonly Judged[],
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

/** A source, and whether the policy of the edge lets the viewer see its list. */
type Judged = Root & Pick<Source, 'isOpen'>

/** What is asked of the entries of the edge of a source. */
const entriesPlan = (
  { engine: { planner, registry }, call: { version } }: Query,
  { asked }: EdgesCall,
  source: { readonly source: string; readonly name: string; readonly type: EdgeType },
): Plan =>
  planner.plan(asked, { version: registry.version(version), types: source.type.targets, edge: source })

/** The sources that the viewer may see. */
function* sourcesOf(
  query: Query,
  input: EdgesInput,
  call: EdgesCall,
  nodes: WaveAnswer['nodes'],
  slices: ReadonlyMap<string, EdgeSlice>,
): Walk<Judged[]> {
  const found = foundRoots(query, call.ids, input.type, nodes)
  if (query.engine.registry.isPoliced) return yield* judgeSources(query, input, call, found, slices)
  const roots = presentRoots(query, call.ids, input.several, found)
  return roots.map(({ id, record }) => ({ id, record, isOpen: true }))
}

/** Leaves out whom the viewer may not see. What was read of their lists already is foreseen, to be judged without a wave. */
function* judgeSources(
  query: Query,
  input: EdgesInput,
  call: EdgesCall,
  found: readonly (Root | undefined)[],
  slices: ReadonlyMap<string, EdgeSlice>,
): Walk<Judged[]> {
  const {
    judge,
    engine: { registry },
  } = query
  const seen = yield* judgeRoots(query, found, ({ id, record }, wanted) => {
    const type = registry.edge(record.type, input.edge)
    if (type?.policy !== undefined) judge.foresee(type.policy, record, wanted)
    const read = type === undefined ? [] : (slices.get(id)?.entries ?? [])
    if (type === undefined || read.length === 0) return
    const { selection } = entriesPlan(query, call, { source: record.type, name: input.edge, type })
    foreseeNodes(
      judge,
      read.map(({ node }) => node),
      selection,
      wanted,
    )
  })
  const roots = presentRoots(query, call.ids, input.several, seen)
  const cases = roots.map(
    ({ record }): Case => ({ policy: registry.edge(record.type, input.edge)?.policy, record }),
  )
  const verdicts = yield* judged(judge, cases)
  return roots.map((root, index) => ({ ...root, isOpen: verdicts[index] === true }))
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

function* gatherBatch(context: Context, { shape, window, plan, sources }: Batch): Walk<PagesCell> {
  const ids = sources.map(({ record }) => record.id)
  assertHoldsFor(ids, shape, window)
  const open = sources.filter(({ isOpen }) => isOpen)
  const slices = open.flatMap(({ slice }) => slice ?? [])
  const first = slices.length === open.length ? slices : undefined
  const { selection } = plan
  const lists = { shape, window, selection, sources: open.map(({ record }) => record.id) }
  const read = yield* readPages(context, lists, first)
  const pages = withClosed(
    shape,
    sources.map(({ isOpen }) => isOpen),
    read,
  )
  return yield* gatherPages(context, plan, pages)
}

const projectBatches = <TPage>(
  { engine: { registry } }: Query,
  projection: Projection<unknown, TPage>,
  batches: readonly Batch[],
  gathered: readonly PagesCell[],
): Map<string, TPage> => {
  const answers = new Map<string, TPage>()
  batches.forEach(({ type, shape, window, plan: { selection }, sources }, batch) => {
    const cell = gathered[batch]
    const from = registry.type(type)
    if (cell === undefined || from === undefined) return
    const pageOf = projection.list({ shape, window, selection, from })
    sources.forEach(({ id, record }, index) => {
      answers.set(id, pageOf(cell, index, record.id))
    })
  })
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
  const gathered = yield* all(batches.map(batch => gatherBatch(context, batch)))
  const computing = context.computed()
  if (computing !== undefined) yield* settled(computing)
  return projectBatches(query, new Start(context), batches, gathered)
}
