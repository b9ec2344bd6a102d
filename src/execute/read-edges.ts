import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import type { Plan, Window } from '../plan/plan.ts'
import { unknownEdge } from '../plan/unknown-edge.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { EdgeSlice, NodeRecord, Wave, WaveAnswer } from '../store/contract.ts'
import { askNodes, NOTHING } from '../store/nothing.ts'
import { admit, admitEarly, type Entered, entered, plansOf, type Rooted } from './admit.ts'
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
import { judged, type Wanted } from './judge.ts'
import { type Outcome, resultOf } from './opening.ts'
import { assertHoldsFor, type PageShape, rangeOf, siftedLimit, withClosed } from './page.ts'
import type { Projection, StartProjection } from './projection.ts'
import type { Query } from './query.ts'
import {
  enterRoots,
  foundRoots,
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
  return { ...NOTHING, nodes, ranges: nodes.map(id => rangeOf(id, shape, window, first)) }
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

/** What was read of the lists together with the sources, by the ids as they were asked. */
const slicesOf = (query: Query, { ids }: EdgesCall, { ranges }: WaveAnswer): Map<string, EdgeSlice> => {
  const read = placed(query, ids, ranges)
  const slices = new Map<string, EdgeSlice>()
  for (const [index, id] of ids.entries()) {
    const slice = read[index]
    if (slice !== undefined) slices.set(id, slice)
  }
  return slices
}

/** What was read before the sources were known is of use where it was read in the manner of their edge. */
const batchesOf = (
  query: Query,
  input: EdgesInput,
  call: EdgesCall,
  roots: readonly Root[],
  slices: ReadonlyMap<string, EdgeSlice>,
): Batch[] => {
  const batches = new Map<string, Batch>()
  for (const { id, record } of roots) {
    tolerate(query, input.several, () => {
      const batch = batches.get(record.type) ?? newBatch(query, input, call, record.type)
      batches.set(record.type, batch)
      const isRead = call.presumed !== undefined && isSameManner(call.presumed, batch.manner)
      batch.sources.push({ id, record, slice: isRead ? slices.get(id) : undefined })
    })
  }
  return [...batches.values()]
}

/** What is asked of the entries of the edge of a source. */
const entriesPlan = (
  { engine: { planner, registry }, call: { version } }: Query,
  { asked }: EdgesCall,
  source: { readonly source: string; readonly name: string; readonly type: EdgeType },
): Plan =>
  planner.plan(asked, { version: registry.version(version), types: source.type.targets, edge: source })

/** Adds the tests of the edge's policy and of what was read of the list, so that they go out in the wave of the sources' own. */
const listsOf =
  (query: Query, input: EdgesInput, call: EdgesCall, slices: ReadonlyMap<string, EdgeSlice>) =>
  ({ id, record }: Root, wanted: Wanted): void => {
    const { judge, engine } = query
    const type = engine.registry.edge(record.type, input.edge)
    if (type?.policy !== undefined) judge.foresee(type.policy, record, wanted)
    const read = type === undefined ? [] : (slices.get(id)?.entries ?? [])
    if (type === undefined || read.length === 0) return
    const { selection } = entriesPlan(query, call, { source: record.type, name: input.edge, type })
    const nodes = read.map(({ node }) => node)
    foreseeNodes(judge, nodes, selection, wanted)
  }

const rooted = (
  { engine }: Query,
  { asked, limit, summary }: EdgesCall,
  { plan, type, edge: { scope }, shape }: Batch,
  count: number,
): Rooted => ({
  plan,
  values: asked.values,
  count,
  plans: plansOf(plan),
  edgeLimit: limit,
  summary,
  sourceRules: engine.registry.rulesWithChecks(type),
  needs: scope === undefined ? [] : [{ scope, name: shape.name, type }],
})

/** Admits the call for sources of a type that it names, whichever of them the viewer may see. */
const admitAll = (query: Query, input: EdgesInput, call: EdgesCall, type: string): Awaitable<Context> =>
  admit(query, [rooted(query, call, newBatch(query, input, call, type), call.ids.length)])

/** Of sources that are all tolerated nothing is read, whatever else is wrong with the call. */
const contextFor = (
  query: Query,
  call: EdgesCall,
  batches: readonly Batch[],
  early: Outcome<Context> | undefined,
): Awaitable<Context> => {
  if (early !== undefined && (batches.length > 0 || 'value' in early)) return resultOf(early)
  const all = batches.map(batch => rooted(query, call, batch, batch.sources.length))
  const sources = all.reduce((sum, { count }) => sum + count, 0)
  return admit(query, all, call.ids.length - sources)
}

function* gatherBatch(
  context: Context,
  { edge: { policy }, shape, window, plan, sources }: Batch,
): Walk<PagesCell> {
  const ids = sources.map(({ record }) => record.id)
  assertHoldsFor(ids, shape, window)
  const isOpen =
    policy &&
    (yield* judged(
      context.judge,
      sources.map(({ record }) => ({ policy, record })),
    ))
  const open = isOpen === undefined ? sources : sources.filter((_, index) => isOpen[index])
  const slices = open.flatMap(({ slice }) => slice ?? [])
  const first = slices.length === open.length ? slices : undefined
  const { selection } = plan
  const lists = { shape, window, selection, sources: open.map(({ record }) => record.id) }
  const read = yield* readPages(context, lists, first)
  return yield* gatherPages(context, plan, isOpen === undefined ? read : withClosed(shape, isOpen, read))
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
  const slices = slicesOf(query, call, answer)
  const { type } = input
  const early = type === undefined ? undefined : yield* admitEarly(() => admitAll(query, input, call, type))
  const enter = (seen: readonly (Root | undefined)[]): Awaitable<Entered<Batch>> => {
    const roots = presentRoots(query, call.ids, input.several, seen)
    const batches = batchesOf(query, input, call, roots, slices)
    return entered(batches, contextFor(query, call, batches, early))
  }
  const found = foundRoots(query, call.ids, type, answer.nodes)
  const admitted = query.engine.registry.isPoliced
    ? yield* enterRoots(query, found, { foresee: listsOf(query, input, call, slices), enter })
    : enter(found)
  const { batches, context } = isPromiseLike(admitted) ? yield* settled(admitted) : admitted
  const gathered = yield* all(batches.map(batch => gatherBatch(context, batch)))
  const computing = context.computed()
  if (computing !== undefined) yield* settled(computing)
  return projectBatches(query, new Start(context), batches, gathered)
}
