import { isPromiseLike } from '../base/awaitable.ts'
import { waitFor } from '../core/batching.ts'
import type { PagesCell } from '../core/selection-rows.ts'
import { createFirstPageWindow } from '../plan/link-query.ts'
import type { Plan } from '../plan/plan.ts'
import type { ParsedFields } from '../plan/planner.ts'
import { collectNodeChecks } from '../policy/visibility.ts'
import { createEmptyPage, createPageRequest } from '../read/pages.ts'
import { readSelection } from '../read/read-selection.ts'
import { createPlannedNodes, type PlannedRoots, planEntries } from './plan-roots.ts'
import type { FormattedRead, QueryContext, ReadOperation } from './query.ts'
import { assertScopes, validateQuery } from './validate-query.ts'
import {
  createLookupRequest,
  type EdgeEnds,
  type EdgeLookup,
  parseEnds,
  readVisibleEdge,
  type VisibleEdge,
} from './visible-edge.ts'

/**
 * The read that decides whether a node has an edge to another node. An edge that the viewer may not see does
 * not exist for the viewer.
 */
export const HAS_EDGE_READ: ReadOperation<EdgeLookup, EdgeEnds, boolean> = {
  prepare: parseEnds,
  rootRequest: createLookupRequest,
  *read(context, ends, roots) {
    const { source, edgeType, target } = yield* readVisibleEdge(context, ends, roots)
    const { scope } = edgeType
    const { edge: name } = context.query.input
    if (scope !== undefined) assertScopes([{ scope, name, type: source.type }], context.session)
    return target !== undefined
  },
}

const NO_SUMMARY = { summary: false }

/** The cost of the source without its policy. The result contains no field of the source. */
const SOURCE_COST = 1

/** The window of a single entry. The page of the entry has no links. */
const ENTRY_WINDOW = createFirstPageWindow(() => '')

/**
 * Reports the selected fields of the edge, which a single entry does not have. The messages depend only on
 * the plan, so they reveal no data.
 */
const reportOmittedFields = ({ debugMessages, query }: QueryContext<EdgeLookup>, plan: Plan): void => {
  for (const { steps } of plan.selection.types.values()) {
    for (const step of steps) {
      if (step.kind === 'time' || (step.kind === 'value' && step.isEdgeField))
        debugMessages.addIfDebug(
          `Field ${step.key} of the edge ${query.input.edge} is left out: a single entry has only the fields of its node`,
        )
    }
  }
}

/**
 * Creates the planned roots of one entry. An entry costs as much as a single node (1 plus its fields),
 * whether the edge exists or not.
 */
const createPlannedEntry = (
  { query }: QueryContext<EdgeLookup>,
  parsedFields: ParsedFields,
  plan: Plan,
  { source, edgeType: { scope } }: VisibleEdge,
): PlannedRoots => ({
  ...createPlannedNodes(parsedFields, plan, undefined, 1),
  requiredScopes: scope === undefined ? [] : [{ scope, name: query.input.edge, type: source.type }],
})

type EntryRows = { readonly visibleEdge: VisibleEdge; readonly plan: Plan; readonly cell: PagesCell }

/**
 * The read of one entry of an edge by its target. The policies of the list apply. The result is a page with
 * the entry, or an empty page if the edge does not exist or the viewer may not see it. The page contains no
 * cursors and neither the fields nor the time of the edge, because a store returns only whether a single edge
 * exists.
 */
export const ENTRY_READ: FormattedRead<
  EdgeLookup,
  { readonly ends: EdgeEnds; readonly parsedFields: ParsedFields },
  EntryRows,
  'page'
> = {
  form: 'page',
  prepare(query) {
    const { engine, call } = query
    const ends = parseEnds(query)
    engine.registry.resolveVersion(call.version)
    return { ends, parsedFields: engine.planner.parse(call.fields) }
  },
  rootRequest: (query, { ends }) => createLookupRequest(query, ends),
  *read(context, { ends, parsedFields }, roots) {
    const visibleEdge = yield* readVisibleEdge(
      context,
      ends,
      roots,
      (targetNode, sourceNode, edgeType, pendingChecks) => {
        const { selection } = planEntries(context, parsedFields, sourceNode.type, edgeType)
        collectNodeChecks(context.policyEvaluator, [targetNode], selection, pendingChecks)
      },
    )
    const { source, edgeType, target } = visibleEdge
    const plan = planEntries(context, parsedFields, source.type, edgeType)
    const sourceCost = SOURCE_COST + context.query.engine.registry.sourcePolicyCostOf(source.type, edgeType)
    const plannedEntry = createPlannedEntry(context, parsedFields, plan, visibleEdge)
    const validated = validateQuery(context, [plannedEntry], sourceCost, plan)
    if (isPromiseLike(validated)) yield* waitFor(validated)
    reportOmittedFields(context, plan)
    const nodes = target === undefined ? [] : [target]
    const rows = yield* readSelection(context, plan.selection, nodes)
    const pages = [createEmptyPage(NO_SUMMARY)]
    const startIndexes = [0, nodes.length]
    return { visibleEdge, plan, cell: { kind: 'pages', pages, startIndexes, rows, pageIndexes: undefined } }
  },
  *format(context, { visibleEdge: { source, mode }, plan, cell }, formatter) {
    const { engine } = context.query
    const writer = formatter.createPagingWriter({
      pageRequest: createPageRequest(mode.edgeList, 1, false),
      window: ENTRY_WINDOW,
      selection: plan.selection,
      sourceType: { appScoped: engine.registry.getType(source.type)?.appScoped ?? false },
    })
    return context.isLargeResult
      ? yield* formatter.formatPageWithPauses(cell, 0, source.id, writer)
      : formatter.formatPage(cell, 0, source.id, writer)
  },
}
