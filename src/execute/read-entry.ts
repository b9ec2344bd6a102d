import { isPromiseLike } from '../base/awaitable.ts'
import { openWindow } from '../plan/link-query.ts'
import type { Plan } from '../plan/plan.ts'
import type { Asked } from '../plan/planner.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { NodeRecord } from '../store/contract.ts'
import { admit, plansOf, type Rooted } from './admit.ts'
import type { Context } from './context.ts'
import { type Course, settled } from './course.ts'
import { gather } from './gather.ts'
import type { PagesCell } from './gathered.ts'
import { askEdge, type EdgeQuestion, edgeWaits, seenEdge } from './has-edge.ts'
import { emptyPage } from './page.ts'
import type { StartProjection } from './projection.ts'
import type { Query } from './query.ts'
import { foreseeNodes } from './sift.ts'
import type { Walk } from './walk.ts'

const NO_SUMMARY = { summary: false }

/** The cost of the source without its policy. Nothing of the source is returned. */
const SOURCE = 1

/** One entry has nothing in front of it or behind it, so that there is nothing to link to. */
const WINDOW = openWindow(() => '')

/** A cell with a page of its own, without cursors: what is known of the edge is that it exists, not its time. */
function* gatherTarget(
  context: Context,
  { selection }: Plan,
  target: NodeRecord | undefined,
): Walk<PagesCell> {
  const nodes = target === undefined ? [] : [target]
  const gathered = yield* gather(context, selection, nodes)
  return { kind: 'pages', pages: [emptyPage(NO_SUMMARY)], starts: [0, nodes.length], gathered, of: undefined }
}

/** The members that an entry has in its list, and not alone: read off the plan, so that no data shows in them. */
const remarkLeftOut = (context: Context, edge: string, plan: Plan): void => {
  for (const { steps } of plan.selection.types.values()) {
    for (const step of steps) {
      if (step.kind === 'time' || (step.kind === 'value' && step.entry))
        context.remark(
          `Field ${step.key} of the edge ${edge} is left out: one entry has the fields of its node alone`,
        )
    }
  }
}

/**
 * Reads one entry of an edge by its target, under the rules of the list: a page with the entry, or an empty one if the edge
 * does not exist or the viewer may not see it. Fields of the edge itself, its time included, are left out: a store says of
 * one edge only whether it exists.
 */
export function* readEntry<TPage>(
  query: Query,
  question: EdgeQuestion,
  Start: StartProjection<unknown, TPage>,
): Course<TPage> {
  const { edge } = question
  const { planner, registry } = query.engine
  const { prepared: asked, answer } = yield* query.open({
    ask() {
      const wave = askEdge(query, question)
      registry.version(query.call.version)
      return { prepared: planner.ask(query.call.fields), wave }
    },
    waits: edgeWaits(question),
  })
  const planOf = ({ type: source }: NodeRecord, type: EdgeType): Plan =>
    planner.plan(asked, {
      version: registry.version(query.call.version),
      types: type.targets,
      edge: { source, name: edge, type },
    })
  const { source, declared, target } = yield* seenEdge(query, question, answer, (end, from, type, wanted) =>
    foreseeNodes(query.judge, [end], planOf(from, type).selection, wanted),
  )
  const plan = planOf(source, declared)
  const sourceCost = SOURCE + registry.rulesWithChecks(source.type)
  const admitted = admit(query, [rooted(asked, plan, edge, source, declared)], sourceCost)
  const context = isPromiseLike(admitted) ? yield* settled(admitted) : admitted
  remarkLeftOut(context, edge, plan)
  const cell = yield* gatherTarget(context, plan, target)
  const computing = context.computed()
  if (computing !== undefined) yield* settled(computing)
  const shape = { name: edge, order: declared.order, limit: 1, ...NO_SUMMARY }
  const from = { appScoped: registry.type(source.type)?.appScoped ?? false }
  const projection = new Start(context)
  const writer = projection.list({ shape, window: WINDOW, selection: plan.selection, from })
  return context.isLarge
    ? yield* projection.pageInStretches(cell, 0, source.id, writer)
    : projection.pageOf(cell, 0, source.id, writer)
}

/** The entry is a node of its own: it costs 1 and its fields, whether the edge exists or not. */
const rooted = (
  { values }: Asked,
  plan: Plan,
  name: string,
  { type }: NodeRecord,
  { scope }: EdgeType,
): Rooted => ({
  plan,
  values,
  count: 1,
  plans: plansOf(plan),
  edgeLimit: undefined,
  summary: false,
  sourceRules: 0,
  needs: scope === undefined ? [] : [{ scope, name, type }],
})
