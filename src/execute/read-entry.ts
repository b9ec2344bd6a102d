import { isPromiseLike } from '../base/awaitable.ts'
import { createFirstPageWindow } from '../plan/link-query.ts'
import type { Plan } from '../plan/plan.ts'
import type { ParsedFields } from '../plan/planner.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { NodeRecord } from '../store/contract.ts'
import { type Course, waitFor } from './course.ts'
import type { ExecutionContext } from './execution-context.ts'
import type { FormatterConstructor } from './formatter.ts'
import { createEdgeLookupRequest, type EdgeLookup, lookupNeedsSession, readVisibleEdge } from './has-edge.ts'
import { createEmptyPage } from './list-pages.ts'
import type { Query } from './query.ts'
import { readSelection } from './read-selection.ts'
import type { ReadTask } from './read-task.ts'
import type { PagesCell } from './selection-rows.ts'
import { type PlannedRoots, typePlansOf, validateQuery } from './validate-query.ts'
import { collectNodeChecks } from './visibility.ts'

const NO_SUMMARY = { summary: false }

/** The cost of the source without its policy. Nothing of the source is returned. */
const SOURCE_COST = 1

/** The window of a single entry, whose page has no links. */
const ENTRY_WINDOW = createFirstPageWindow(() => '')

/**
 * Reads the target into a cell with one page. The page has no cursors, because the time of the edge is not
 * known.
 */
function* readTarget(
  context: ExecutionContext,
  { selection }: Plan,
  target: NodeRecord | undefined,
): ReadTask<PagesCell> {
  const nodes = target === undefined ? [] : [target]
  const rows = yield* readSelection(context, selection, nodes)
  return {
    kind: 'pages',
    pages: [createEmptyPage(NO_SUMMARY)],
    startIndexes: [0, nodes.length],
    rows,
    pageIndexes: undefined,
  }
}

/**
 * Reports the fields that an entry has only in its list. The messages depend only on the plan, so that they
 * reveal no data.
 */
const reportOmittedFields = (context: ExecutionContext, edge: string, plan: Plan): void => {
  for (const { steps } of plan.selection.types.values()) {
    for (const step of steps) {
      if (step.kind === 'time' || (step.kind === 'value' && step.isEdgeField))
        context.addDebugMessage(
          `Field ${step.key} of the edge ${edge} is left out: one entry has the fields of its node alone`,
        )
    }
  }
}

/**
 * Reads one entry of an edge by its target, under the policies of the list. Returns a page with the entry, or
 * an empty page if the edge does not exist or the viewer may not see it. Fields of the edge itself and its
 * time are left out, because a store returns of a single edge only whether it exists.
 */
export function* readEntry<TPage>(
  query: Query,
  lookup: EdgeLookup,
  FormatterClass: FormatterConstructor<unknown, TPage>,
): Course<TPage> {
  const { edge } = lookup
  const { planner, registry } = query.engine
  const { prepared: parsedFields, result } = yield* query.open({
    prepare() {
      const request = createEdgeLookupRequest(query, lookup)
      registry.resolveVersion(query.call.version)
      return { prepared: planner.parse(query.call.fields), request }
    },
    needsSession: lookupNeedsSession(lookup),
  })
  const planEntry = ({ type: source }: NodeRecord, type: EdgeType): Plan =>
    planner.plan(parsedFields, {
      version: registry.resolveVersion(query.call.version),
      types: type.targets,
      edge: { source, name: edge, type },
    })
  const { source, edgeType, target } = yield* readVisibleEdge(
    query,
    lookup,
    result,
    (targetNode, sourceNode, edgeType, pendingChecks) =>
      collectNodeChecks(
        query.policyEvaluator,
        [targetNode],
        planEntry(sourceNode, edgeType).selection,
        pendingChecks,
      ),
  )
  const plan = planEntry(source, edgeType)
  const sourceCost = SOURCE_COST + registry.checkRuleCountOf(source.type)
  const validated = validateQuery(
    query,
    [createPlannedEntry(parsedFields, plan, edge, source, edgeType)],
    sourceCost,
  )
  const context = isPromiseLike(validated) ? yield* waitFor(validated) : validated
  reportOmittedFields(context, edge, plan)
  const cell = yield* readTarget(context, plan, target)
  const pendingFields = context.waitForComputedFields()
  if (pendingFields !== undefined) yield* waitFor(pendingFields)
  const pageRequest = { name: edge, order: edgeType.order, limit: 1, ...NO_SUMMARY }
  const sourceType = { appScoped: registry.getType(source.type)?.appScoped ?? false }
  const formatter = new FormatterClass(context)
  const writer = formatter.createPagingWriter({
    pageRequest,
    window: ENTRY_WINDOW,
    selection: plan.selection,
    sourceType,
  })
  return context.isLargeResult
    ? yield* formatter.formatPageWithPauses(cell, 0, source.id, writer)
    : formatter.formatPage(cell, 0, source.id, writer)
}

/**
 * Creates the planned roots of one entry, which costs as much as a single node: 1 and its fields, whether the
 * edge exists or not.
 */
const createPlannedEntry = (
  { slotValues: values }: ParsedFields,
  plan: Plan,
  name: string,
  { type }: NodeRecord,
  { scope }: EdgeType,
): PlannedRoots => ({
  plan,
  slotValues: values,
  count: 1,
  plans: typePlansOf(plan),
  edgeLimit: undefined,
  summary: false,
  sourceCheckRuleCount: 0,
  requiredScopes: scope === undefined ? [] : [{ scope, name, type }],
})
