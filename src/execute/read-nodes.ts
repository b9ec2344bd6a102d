import { isPromiseLike } from '../base/awaitable.ts'
import type { Plan } from '../plan/plan.ts'
import type { Asked } from '../plan/planner.ts'
import { type Metadata, metadataOf } from '../schema/metadata.ts'
import type { NodeRecord } from '../store/contract.ts'
import { NOTHING } from '../store/nothing.ts'
import { admit, type Rooted } from './admit.ts'
import type { Context } from './context.ts'
import { gather } from './gather.ts'
import type { Gathered } from './gathered.ts'
import type { Wanted } from './judge.ts'
import type { Projection, StartProjection } from './projection.ts'
import type { Query } from './query.ts'
import { foundRoots, judgeIds, judgeRoots, presentRoots, type Root, rootIds, waitsFor } from './roots.ts'
import { together, type Walk } from './walk.ts'

/** What is asked of single nodes. */
export type NodesInput = {
  readonly ids: readonly string[]
  readonly type: string | undefined
  /** Whether an id at fault may be left out under `partial`. */
  readonly several: boolean
}

/** The roots of one plan: all of one type. */
type Batch = {
  readonly plan: Plan
  readonly type: string
  readonly ids: string[]
  readonly records: NodeRecord[]
}

const planFor = (
  query: Query,
  asked: Asked,
  id: string,
  type: string | undefined,
  record: NodeRecord,
): Plan => {
  const { planner, registry } = query.engine
  const types = id === 'me' && type === undefined ? registry.schema.viewers : [record.type]
  return planner.plan(asked, { version: registry.version(query.call.version), types, edge: undefined })
}

const batchesOf = (query: Query, type: string | undefined, asked: Asked, roots: readonly Root[]): Batch[] => {
  const batches = new Map<string, Batch>()
  for (const { id, record } of roots) {
    // Of `me` every viewer's type is asked, of another id its own alone: the same type may have two plans.
    const key = `${id === 'me'} ${record.type}`
    const plan = planFor(query, asked, id, type, record)
    const batch = batches.get(key) ?? { plan, type: record.type, ids: [], records: [] }
    batches.set(key, batch)
    batch.ids.push(id)
    batch.records.push(record)
  }
  return [...batches.values()]
}

function* gatherBatch(
  context: Context,
  { plan, records }: Batch,
  into: Gathered[],
  index: number,
): Walk<void> {
  into[index] = yield* gather(context, plan.selection, records)
}

function* gatherBatches(context: Context, batches: readonly Batch[]): Walk<Gathered[]> {
  const all: Gathered[] = []
  yield* together(batches.map((batch, index) => gatherBatch(context, batch, all, index)))
  return all
}

const metadataFor = (query: Query, context: Context, record: NodeRecord): Metadata | undefined => {
  const { registry } = query.engine
  const type = registry.type(record.type)
  if (query.call.metadata !== true || type === undefined) return undefined
  return metadataOf(record.type, type, registry.version(query.call.version), edge =>
    context.urlOf(record.id, type, edge),
  )
}

/** Reads single nodes; the answers, in the form of the projection, are keyed by the ids as they were asked. */
export const readNodes = async <TNode>(
  query: Query,
  input: NodesInput,
  Start: StartProjection<TNode, unknown>,
): Promise<Map<string, TNode>> => {
  const { engine, call } = query
  const {
    prepared: { ids, asked },
    answer,
  } = await query.open({
    prepare() {
      const ids = judgeIds(query, input.ids, input.several)
      engine.registry.version(call.version)
      return { ids, asked: engine.planner.ask(call.fields) }
    },
    wave: prepared => ({ ...NOTHING, nodes: rootIds(query, prepared.ids) }),
    waits: input.ids.some(waitsFor),
  })
  const { type, several } = input
  const found = foundRoots(query, ids, type, answer.nodes)
  const foresee = ({ id, record }: Root, wanted: Wanted): void => {
    const { types } = planFor(query, asked, id, type, record).selection
    for (const guard of types.get(record.type)?.guards ?? []) query.judge.foresee(guard, record, wanted)
  }
  const judged = engine.registry.isPoliced ? judgeRoots(query, found, foresee) : found
  const seen = isPromiseLike(judged) ? await judged : judged
  const roots = presentRoots(query, ids, several, seen)
  const batches = batchesOf(query, type, asked, roots)
  const admitted = admit(query, batches.map(rootedBy(asked)))
  const context = isPromiseLike(admitted) ? await admitted : admitted
  const gathered = await query.drive(gatherBatches(context, batches))
  await context.computed()
  return projectBatches({ query, context, projection: new Start(context) }, batches, gathered)
}

const rootedBy =
  ({ values }: Asked) =>
  ({ plan, type, records }: Batch): Rooted => ({
    plan,
    values,
    count: records.length,
    type,
    edgeLimit: undefined,
    needs: [],
  })

type Projecting<TNode> = {
  readonly query: Query
  readonly context: Context
  readonly projection: Projection<TNode, unknown>
}

const projectBatches = <TNode>(
  { query, context, projection }: Projecting<TNode>,
  batches: readonly Batch[],
  gathered: readonly Gathered[],
): Map<string, TNode> => {
  const answers = new Map<string, TNode>()
  batches.forEach(({ ids, records }, batch) => {
    const group = gathered[batch]
    ids.forEach((id, index) => {
      const record = records[index]
      const answer = group && record && projection.item(group, index, metadataFor(query, context, record))
      if (answer !== undefined) answers.set(id, answer)
    })
  })
  return answers
}
