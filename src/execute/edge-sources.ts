import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import type { Plan, Window } from '../plan/plan.ts'
import { unknownEdge } from '../plan/unknown-edge.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { EdgeSlice, NodeRecord, WaveAnswer } from '../store/contract.ts'
import { admit, admitEarly, type Entered, entered, plansOf, type Rooted } from './admit.ts'
import type { Context } from './context.ts'
import { type Course, settled } from './course.ts'
import { type EdgesCall, type EdgesInput, isSameManner, type Manner, mannerOf } from './edges-call.ts'
import type { Wanted } from './judge.ts'
import { type Outcome, resultOf } from './opening.ts'
import type { PageShape } from './page.ts'
import type { Query } from './query.ts'
import { enterRoots, foundRoots, placed, presentRoots, type Root, tolerate } from './roots.ts'
import { foreseeNodes } from './sift.ts'

/** A source with what was read of its list together with it. */
type Source = {
  readonly id: string
  readonly record: NodeRecord
  readonly slice: EdgeSlice | undefined
}

/** The sources of one type: their lists are read alike. */
export type SourceBatch = {
  readonly type: string
  readonly edge: EdgeType
  readonly manner: Manner
  readonly shape: PageShape
  readonly window: Window
  readonly plan: Plan
  readonly sources: Source[]
}

const newBatch = (query: Query, input: EdgesInput, call: EdgesCall, type: string): SourceBatch => {
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
): SourceBatch[] => {
  const batches = new Map<string, SourceBatch>()
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
  { plan, type, edge: { scope }, shape }: SourceBatch,
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

/** Admits the call for the sources that the viewer may see. */
export function* enterSources(
  query: Query,
  input: EdgesInput,
  call: EdgesCall,
  answer: WaveAnswer,
): Course<Entered<SourceBatch>> {
  const slices = slicesOf(query, call, answer)
  const { type } = input
  const early =
    type === undefined
      ? undefined
      : yield* admitEarly(() => {
          const all = rooted(query, call, newBatch(query, input, call, type), call.ids.length)
          return admit(query, [all])
        })
  const found = foundRoots(query, call.ids, type, answer.nodes)
  const enter = (seen: readonly (Root | undefined)[]): Awaitable<Entered<SourceBatch>> => {
    const roots = presentRoots(query, call.ids, input.several, seen)
    const batches = batchesOf(query, input, call, roots, slices)
    return entered(batches, contextFor(query, call, batches, early))
  }
  if (query.engine.registry.isPoliced)
    return yield* enterRoots(query, found, { foresee: listsOf(query, input, call, slices), enter })
  const admitted = enter(found)
  return isPromiseLike(admitted) ? yield* settled(admitted) : admitted
}

/** Of sources that are all tolerated nothing is read, whatever else is wrong with the call. */
const contextFor = (
  query: Query,
  call: EdgesCall,
  batches: readonly SourceBatch[],
  early: Outcome<Context> | undefined,
): Awaitable<Context> => {
  if (early !== undefined && (batches.length > 0 || 'value' in early)) return resultOf(early)
  const all = batches.map(batch => rooted(query, call, batch, batch.sources.length))
  const sources = all.reduce((sum, { count }) => sum + count, 0)
  return admit(query, all, call.ids.length - sources)
}
