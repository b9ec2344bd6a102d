import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import type { Plan } from '../plan/plan.ts'
import type { Asked } from '../plan/planner.ts'
import { type Metadata, metadataOf } from '../schema/metadata.ts'
import type { NodeRecord } from '../store/contract.ts'
import { NOTHING } from '../store/nothing.ts'
import { admit, type Rooted } from './admit.ts'
import { assertId } from './call.ts'
import type { Context } from './context.ts'
import { gather } from './gather.ts'
import type { Gathered } from './gathered.ts'
import type { Projection, StartProjection } from './projection.ts'
import type { Query } from './query.ts'
import {
  foundRoots,
  isRoot,
  judgeIds,
  judgeRoots,
  nodeMissing,
  presentRoots,
  type Root,
  rootIds,
  waitsFor,
} from './roots.ts'
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

const planFor = (query: Query, asked: Asked, { id, record }: Root, type: string | undefined): Plan => {
  const { planner, registry } = query.engine
  const types = id === 'me' && type === undefined ? registry.schema.viewers : [record.type]
  return planner.plan(asked, { version: registry.version(query.call.version), types, edge: undefined })
}

const batchesOf = (query: Query, type: string | undefined, asked: Asked, roots: readonly Root[]): Batch[] => {
  const batches = new Map<string, Batch>()
  for (const root of roots) {
    const { id, record } = root
    // Of `me` every viewer's type is asked, of another id its own alone: the same type may have two plans.
    const key = `${id === 'me'} ${record.type}`
    const plan = planFor(query, asked, root, type)
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

const rooted = ({ values }: Asked, plan: Plan, type: string, count: number): Rooted => ({
  plan,
  values,
  count,
  type,
  edgeLimit: undefined,
  needs: [],
})

const metadataFor = (query: Query, context: Context, record: NodeRecord): Metadata | undefined => {
  const { registry } = query.engine
  const type = registry.type(record.type)
  if (query.call.metadata !== true || type === undefined) return undefined
  return metadataOf(record.type, type, registry.version(query.call.version), edge =>
    context.urlOf(record.id, type, edge),
  )
}

/** Leaves out what the viewer may not see. What the plans will ask of the rest goes out in the same wave. */
const judgeFound = (
  query: Query,
  found: readonly (Root | undefined)[],
  type: string | undefined,
  asked: Asked,
): Awaitable<readonly (Root | undefined)[]> => {
  if (!query.engine.registry.isPoliced) return found
  return judgeRoots(query, found, (root, wanted) => {
    const { record } = root
    const { types } = planFor(query, asked, root, type).selection
    for (const guard of types.get(record.type)?.guards ?? []) query.judge.foresee(guard, record, wanted)
  })
}

/** What is asked of a single node. */
export type NodeInput = { readonly id: string; readonly type: string | undefined }

/** Reads a single node; the answer is in the form of the projection. */
export const readNode = async <TNode>(
  query: Query,
  { id, type }: NodeInput,
  Start: StartProjection<TNode, unknown>,
): Promise<TNode> => {
  const { engine, call } = query
  const opened = query.open({
    prepare() {
      assertId('id', id, engine.appIds !== undefined)
      engine.registry.version(call.version)
      return engine.planner.ask(call.fields)
    },
    wave() {
      const raw = query.resolve(id)
      return raw === undefined ? NOTHING : { ...NOTHING, nodes: [raw] }
    },
    waits: waitsFor(id),
  })
  const { prepared: asked, answer } = isPromiseLike(opened) ? await opened : opened
  const record = answer.nodes[0]
  const isFound = record !== undefined && isRoot(query, id, type, record)
  const judged = judgeFound(query, [isFound ? { id, record } : undefined], type, asked)
  const [root] = isPromiseLike(judged) ? await judged : judged
  if (root === undefined) throw nodeMissing(id)
  const plan = planFor(query, asked, root, type)
  const admitted = admit(query, [rooted(asked, plan, root.record.type, 1)])
  const context = isPromiseLike(admitted) ? await admitted : admitted
  const gathering = query.lead(gather(context, plan.selection, [root.record]))
  const gathered = isPromiseLike(gathering) ? await gathering : gathering
  const computing = context.computed()
  if (computing !== undefined) await computing
  const node = new Start(context).item(gathered, 0, metadataFor(query, context, root.record))
  if (node === undefined) throw nodeMissing(id)
  return node
}

/** Reads single nodes; the answers, in the form of the projection, are keyed by the ids as they were asked. */
export const readNodes = async <TNode>(
  query: Query,
  input: NodesInput,
  Start: StartProjection<TNode, unknown>,
): Promise<Map<string, TNode>> => {
  const [first] = input.ids
  if (!input.several && first !== undefined)
    return new Map([[first, await readNode(query, { id: first, type: input.type }, Start)]])
  const { engine, call } = query
  const opened = query.open({
    prepare() {
      const ids = judgeIds(query, input.ids, input.several)
      engine.registry.version(call.version)
      return { ids, asked: engine.planner.ask(call.fields) }
    },
    wave: prepared => ({ ...NOTHING, nodes: rootIds(query, prepared.ids) }),
    waits: input.ids.some(waitsFor),
  })
  const {
    prepared: { ids, asked },
    answer,
  } = isPromiseLike(opened) ? await opened : opened
  const { type, several } = input
  const found = foundRoots(query, ids, type, answer.nodes)
  const judged = judgeFound(query, found, type, asked)
  const seen = isPromiseLike(judged) ? await judged : judged
  const roots = presentRoots(query, ids, several, seen)
  const batches = batchesOf(query, type, asked, roots)
  const admitted = admit(
    query,
    batches.map(({ plan, type, records }) => rooted(asked, plan, type, records.length)),
  )
  const context = isPromiseLike(admitted) ? await admitted : admitted
  const gathering = query.lead(gatherBatches(context, batches))
  const gathered = isPromiseLike(gathering) ? await gathering : gathering
  const computing = context.computed()
  if (computing !== undefined) await computing
  return projectBatches({ query, context, projection: new Start(context) }, batches, gathered)
}

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
