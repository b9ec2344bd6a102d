import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import type { Plan } from '../plan/plan.ts'
import type { Asked } from '../plan/planner.ts'
import { type Metadata, metadataOf } from '../schema/metadata.ts'
import type { NodeRecord } from '../store/contract.ts'
import { askNodes, NOTHING } from '../store/nothing.ts'
import { admit, admitEarly, type Entered, entered, plansOf, type Rooted } from './admit.ts'
import { assertId } from './call.ts'
import type { Context } from './context.ts'
import { type Course, settled } from './course.ts'
import { asksMore, gather, readBelow } from './gather.ts'
import { type Gathered, groupByType } from './gathered.ts'
import type { Wanted } from './judge.ts'
import { type Asking, resultOf } from './opening.ts'
import type { Projection, StartProjection } from './projection.ts'
import type { Query } from './query.ts'
import {
  enterRoots,
  foundRoots,
  isRoot,
  judgeIds,
  nodeMissing,
  presentRoots,
  type Root,
  rootIds,
  rootMissing,
  waitsFor,
} from './roots.ts'
import { all, type Walk } from './walk.ts'

/** The roots of one plan: all of one type. */
type Batch = {
  readonly plan: Plan
  readonly type: string
  readonly ids: string[]
  readonly records: NodeRecord[]
}

const planAt = ({ engine, call }: Query, asked: Asked, types: readonly string[]): Plan =>
  engine.planner.plan(asked, { version: engine.registry.version(call.version), types, edge: undefined })

const planFor = (query: Query, asked: Asked, { id, record }: Root, type: string | undefined): Plan => {
  const isAnyViewer = id === 'me' && type === undefined
  return planAt(query, asked, isAnyViewer ? query.engine.registry.schema.viewers : [record.type])
}

const batchesOf = (query: Query, asked: Asked, roots: readonly Root[]): Batch[] => {
  const batches = new Map<string, Batch>()
  for (const root of roots) {
    const { id, record } = root
    // Of `me` every viewer's type is asked, of another id its own alone: the same type may have two plans.
    const key = `${id === 'me'} ${record.type}`
    const plan = planFor(query, asked, root, undefined)
    const batch = batches.get(key) ?? { plan, type: record.type, ids: [], records: [] }
    batches.set(key, batch)
    batch.ids.push(id)
    batch.records.push(record)
  }
  return [...batches.values()]
}

const rooted = ({ values }: Asked, plan: Plan, type: string, count: number): Rooted => ({
  plan,
  values,
  count,
  plans: plansOf(plan, type),
  edgeLimit: undefined,
  summary: false,
  sourceRules: 0,
  needs: [],
})

/** Whether an expression selects of the description itself, under its own name. */
const selectsMetadata = ({ selection }: Plan, type: string): boolean =>
  selection.types.get(type)?.steps.some(step => step.kind === 'metadata' && step.key === 'metadata') === true

const metadataFor = (
  query: Query,
  context: Context,
  plan: Plan,
  record: NodeRecord,
): Metadata | undefined => {
  const { registry } = query.engine
  const type = registry.type(record.type)
  if (query.call.metadata !== true || type === undefined || selectsMetadata(plan, record.type))
    return undefined
  const url = context.urlOf(record.id, type)
  return metadataOf(
    record.type,
    type,
    registry.version(query.call.version),
    edge => url + context.pathOf(edge),
  )
}

/** Adds the tests of what the plans will ask of the roots, so that they go out in the wave of the roots' own. */
const guardsOf =
  (query: Query, asked: Asked, type: string | undefined) =>
  (root: Root, wanted: Wanted): void => {
    const { record } = root
    const { types } = planFor(query, asked, root, type).selection
    for (const guard of types.get(record.type)?.guards ?? []) query.judge.foresee(guard, record, wanted)
  }

const admitNode = (query: Query, asked: Asked, plan: Plan, type: string): Awaitable<Context> =>
  admit(query, [rooted(asked, plan, type, 1)])

/** Admits a single node if the viewer may see it. */
const enterNode = (
  query: Query,
  root: Root,
  foresee: ReturnType<typeof guardsOf>,
  admission: () => Awaitable<Context>,
): Course<Context> =>
  enterRoots(query, [root], {
    foresee,
    enter([seen]) {
      if (seen === undefined) throw rootMissing(query, root.id)
      return admission()
    },
  })

/** What is asked of a single node. */
export type NodeInput = { readonly id: string; readonly type: string | undefined }

const askNode = (query: Query, id: string): Asking<Asked> => {
  const { engine, call } = query
  assertId('id', id, engine.appIds !== undefined)
  engine.registry.version(call.version)
  const prepared = engine.planner.ask(call.fields)
  const raw = query.resolve(id)
  return { prepared, wave: raw === undefined ? NOTHING : askNodes([raw]) }
}

/** Reads a single node; the answer is in the form of the projection. */
export function* readNode<TNode>(
  query: Query,
  { id, type }: NodeInput,
  Start: StartProjection<TNode, unknown>,
): Course<TNode> {
  const { engine } = query
  const { prepared: asked, answer } = yield* query.open({
    ask: () => askNode(query, id),
    waits: waitsFor(id),
  })
  const early =
    type === undefined
      ? undefined
      : yield* admitEarly(() => admitNode(query, asked, planAt(query, asked, [type]), type))
  const record = answer.nodes[0]
  if (record === undefined || !isRoot(query, id, type, record)) throw rootMissing(query, id)
  const root = { id, record }
  const plan = planFor(query, asked, root, type)
  const admission = () => (early === undefined ? admitNode(query, asked, plan, record.type) : resultOf(early))
  const admitted = engine.registry.isPoliced
    ? yield* enterNode(query, root, guardsOf(query, asked, type), admission)
    : admission()
  const context = isPromiseLike(admitted) ? yield* settled(admitted) : admitted
  // As `gather` does, without a walk of its own: most calls of one node ask for nothing below it.
  const gathered = groupByType(plan.selection, [root.record])
  if (asksMore(gathered)) yield* readBelow(context, gathered)
  const computing = context.computed()
  if (computing !== undefined) yield* settled(computing)
  const projection = new Start(context)
  const metadata = metadataFor(query, context, plan, root.record)
  const node = context.isLarge
    ? yield* projection.itemInStretches(gathered, 0, metadata)
    : projection.item(gathered, 0, metadata)
  if (node === undefined) throw nodeMissing(id)
  return node
}

/** Reads single nodes; the answers, in the form of the projection, are keyed by the ids as they were asked. */
export function* readNodes<TNode>(
  query: Query,
  asked: readonly string[],
  Start: StartProjection<TNode, unknown>,
): Course<Map<string, TNode>> {
  const { engine, call } = query
  const {
    prepared: { ids, fields },
    answer,
  } = yield* query.open({
    ask() {
      const ids = judgeIds(query, asked, true)
      engine.registry.version(call.version)
      const fields = engine.planner.ask(call.fields)
      return { prepared: { ids, fields }, wave: askNodes(rootIds(query, ids, true)) }
    },
    waits: asked.some(waitsFor),
  })
  const found = foundRoots(query, ids, undefined, answer.nodes)
  const enter = (seen: readonly (Root | undefined)[]): Awaitable<Entered<Batch>> => {
    const roots = presentRoots(query, ids, true, seen)
    const batches = batchesOf(query, fields, roots)
    const all = batches.map(({ plan, type, records }) => rooted(fields, plan, type, records.length))
    return entered(batches, admit(query, all, ids.length - roots.length))
  }
  const foresee = guardsOf(query, fields, undefined)
  const admitted = engine.registry.isPoliced
    ? yield* enterRoots(query, found, { foresee, enter })
    : enter(found)
  const { batches, context } = isPromiseLike(admitted) ? yield* settled(admitted) : admitted
  const gathered = yield* all(batches.map(({ plan, records }) => gather(context, plan.selection, records)))
  const computing = context.computed()
  if (computing !== undefined) yield* settled(computing)
  return yield* projectBatches({ query, context, projection: new Start(context) }, batches, gathered)
}

type Projecting<TNode> = {
  readonly query: Query
  readonly context: Context
  readonly projection: Projection<TNode, unknown>
}

function* projectBatches<TNode>(
  { query, context, projection }: Projecting<TNode>,
  batches: readonly Batch[],
  gathered: readonly Gathered[],
): Walk<Map<string, TNode>> {
  const answers = new Map<string, TNode>()
  for (const [batch, { plan, ids, records }] of batches.entries()) {
    const group = gathered[batch]
    for (const [index, id] of ids.entries()) {
      const record = records[index]
      if (group === undefined || record === undefined) continue
      const metadata = metadataFor(query, context, plan, record)
      const answer = context.isLarge
        ? yield* projection.itemInStretches(group, index, metadata)
        : projection.item(group, index, metadata)
      if (answer !== undefined) answers.set(id, answer)
    }
  }
  return answers
}
