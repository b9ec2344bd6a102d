import type { NodeId } from '../base/ids.ts'
import type { Plan, Window } from '../plan/plan.ts'
import { unknownName } from '../plan/unknown-name.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { CountedPage, LooseNode } from '../schema/inference/answer.ts'
import type { EdgeSlice, NodeRecord, Wave } from '../store/contract.ts'
import { NOTHING } from '../store/nothing.ts'
import { admit, type Rooted } from './admit.ts'
import type { Context } from './context.ts'
import { type EdgesCall, type EdgesInput, readEdgesCall } from './edges-call.ts'
import { gatherPages } from './gather.ts'
import type { PagesCell } from './gathered.ts'
import { EnvelopeWriter, type PageShape, rangeOf, readPages } from './page.ts'
import { Projector } from './project.ts'
import type { Query } from './query.ts'
import { rootRecord, tolerate } from './roots.ts'
import { together, type Walk } from './walk.ts'

/** A source with what was read of its list together with it. */
type Source = { readonly id: string; readonly record: NodeRecord; readonly slice: EdgeSlice | undefined }

/** The sources of one type: their lists are read alike. */
type Batch = {
  readonly type: string
  readonly edge: EdgeType
  readonly shape: PageShape
  readonly window: Window
  readonly plan: Plan
  readonly sources: Source[]
}

const waveOf = (query: Query, { edge }: EdgesInput, { ids, presumed, limit, summary }: EdgesCall): Wave => {
  const nodes = ids.map(id => query.resolve(id))
  if (presumed === undefined) return { ...NOTHING, nodes }
  const shape = { name: edge, order: presumed.order, limit, summary }
  return { ...NOTHING, nodes, ranges: nodes.map(id => rangeOf(id, shape, presumed.window)) }
}

const newBatch = (query: Query, input: EdgesInput, call: EdgesCall, type: string): Batch => {
  const { planner, registry } = query.engine
  const edge = registry.edge(type, input.edge)
  if (edge === undefined) throw unknownName(registry, [type], undefined, input.edge)
  const order = call.order ?? edge.order
  const version = registry.version(query.call.version)
  const source = { source: type, name: input.edge, type: edge }
  return {
    type,
    edge,
    shape: { name: input.edge, order, limit: call.limit, summary: call.summary },
    window: call.presumed?.order === order ? call.presumed.window : call.windowIn(order),
    plan: planner.plan(call.asked, { version, types: edge.targets, edge: source }),
    sources: [],
  }
}

const batchesOf = (
  query: Query,
  input: EdgesInput,
  call: EdgesCall,
  records: readonly (NodeRecord | undefined)[],
  slices: readonly EdgeSlice[],
): Batch[] => {
  const batches = new Map<string, Batch>()
  // All nodes before any name: a missing one is the first fault, wherever it stands.
  const roots = call.ids.map((id, index) =>
    tolerate(query, input.several, () => rootRecord(query, id, input.type, records[index])),
  )
  for (const [index, record] of roots.entries()) {
    tolerate(query, input.several, () => {
      const id = call.ids[index]
      if (record === undefined || id === undefined) return
      const batch = batches.get(record.type) ?? newBatch(query, input, call, record.type)
      batches.set(record.type, batch)
      const isRead = call.presumed?.order === batch.shape.order
      batch.sources.push({ id, record, slice: isRead ? slices[index] : undefined })
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
    type: undefined,
    edgeLimit: limit,
    needs: scope === undefined ? [] : [{ scope, name: shape.name, type }],
  })

function* gatherBatch(
  context: Context,
  { shape, window, plan, sources }: Batch,
  into: PagesCell[],
  index: number,
): Walk<void> {
  const ranges = sources.map(({ record }) => rangeOf(record.id, shape, window))
  const slices = sources.flatMap(({ slice }) => slice ?? [])
  const first = slices.length === sources.length ? slices : undefined
  const pages = yield* readPages(ranges, window.cursor === 'before', first)
  into[index] = yield* gatherPages(context, plan, pages)
}

function* gatherBatches(context: Context, batches: readonly Batch[]): Walk<PagesCell[]> {
  const all: PagesCell[] = []
  yield* together(batches.map((batch, index) => gatherBatch(context, batch, all, index)))
  return all
}

const projectBatches = (
  context: Context,
  batches: readonly Batch[],
  gathered: readonly PagesCell[],
): Map<string, CountedPage<LooseNode>> => {
  const projector = new Projector(context)
  const answers = new Map<string, CountedPage<LooseNode>>()
  batches.forEach(({ shape, window, sources }, batch) => {
    const cell = gathered[batch]
    if (cell === undefined) return
    const writer = new EnvelopeWriter(shape, window, (source: NodeId) => context.urlOf(source, shape.name))
    sources.forEach(({ id, record }, index) => {
      answers.set(id, projector.page(cell, index, record.id, writer))
    })
  })
  return answers
}

/** Reads the edges of one name of some nodes; the answers are keyed by the ids as they were asked. */
export const readEdges = async (
  query: Query,
  input: EdgesInput,
): Promise<Map<string, CountedPage<LooseNode>>> => {
  const { prepared: call, answer } = await query.open({
    prepare: () => readEdgesCall(query, input),
    wave: prepared => waveOf(query, input, prepared),
    waits: input.ids.includes('me'),
  })
  const batches = batchesOf(query, input, call, answer.nodes, answer.ranges)
  const context = admit(query, batches.map(rootedBy(call)))
  const gathered = await query.drive(gatherBatches(context, batches))
  await context.computed()
  return projectBatches(context, batches, gathered)
}
