import { isPromiseLike } from '../base/awaitable.ts'
import { waitFor } from '../core/batching.ts'
import type { PagesCell } from '../core/selection-rows.ts'
import { createFirstPageWindow } from '../plan/link-query.ts'
import type { Plan, ScopeNeed } from '../plan/plan.ts'
import type { ParsedFields } from '../plan/planner.ts'
import { collectNodeChecks } from '../policy/visibility.ts'
import { createEmptyPage, createPageRequest } from '../read/pages.ts'
import { readSelection } from '../read/read-selection.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { EdgeEntry, NodeRecord } from '../store/contract.ts'
import { createPlannedNodes, type PlannedRoots, planEntries } from './plan-roots.ts'
import type { FormattedRead, QueryContext, ReadOperation } from './query.ts'
import { endFieldsOf, entryFieldsOf } from './root-fields.ts'
import { assertScopes, validateQuery } from './validate-query.ts'
import {
  createEntry,
  createLookupRequest,
  type EdgeEnds,
  type EdgeLookup,
  parseEnds,
  readVisibleEdge,
  type VisibleEdge,
} from './visible-edge.ts'

const scopesOf = (
  { query }: QueryContext<EdgeLookup>,
  { type }: NodeRecord,
  { scope }: EdgeType,
): readonly ScopeNeed[] => (scope === undefined ? [] : [{ scope, name: query.input.edge, type }])

/**
 * The read that decides whether a node has an edge to another node. An edge that the viewer may not see does
 * not exist for the viewer.
 */
export const HAS_EDGE_READ: ReadOperation<EdgeLookup, EdgeEnds, boolean> = {
  prepare: parseEnds,
  rootRequest: (query, ends) => createLookupRequest(query, ends, false, endFieldsOf(query, ends)),
  *read(context, ends, roots) {
    const { found } = yield* readVisibleEdge(context, ends, roots, {
      data: false,
      // biome-ignore lint/correctness/useYield: the validation of an entry reads.
      *validate(source, edgeType) {
        assertScopes(scopesOf(context, source, edgeType), context.session)
      },
    })
    return found !== false
  },
}

const NO_SUMMARY = { summary: false }

/** The cost of the source without its policy. The result contains no field of the source. */
const SOURCE_COST = 1

/** The window of a single entry. The page of the entry has no links. */
const ENTRY_WINDOW = createFirstPageWindow(() => '')

/**
 * Creates the planned roots of one entry. An entry costs as much as a single node (1 plus its fields),
 * whether the edge exists or not.
 */
const createPlannedEntry = (
  context: QueryContext<EdgeLookup>,
  parsedFields: ParsedFields,
  plan: Plan,
  source: NodeRecord,
  edgeType: EdgeType,
): PlannedRoots => ({
  ...createPlannedNodes(parsedFields, plan, undefined, 1),
  requiredScopes: scopesOf(context, source, edgeType),
})

/** Returns the entry of an edge in a list, or an empty list if the viewer sees no such entry. */
const entriesOf = ({ found, target }: VisibleEdge): readonly EdgeEntry[] =>
  typeof found === 'boolean' || target === undefined ? [] : [createEntry(found, target)]

type EntryRows = { readonly visibleEdge: VisibleEdge; readonly plan: Plan; readonly cell: PagesCell }

/**
 * The read of one entry of an edge by its target. The policies of the list apply. The result is a page with
 * the entry, or an empty page if the edge does not exist or the viewer may not see it. The page has no cursors.
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
  rootRequest: (query, { ends, parsedFields }) =>
    createLookupRequest(query, ends, true, entryFieldsOf(query, ends, parsedFields)),
  *read(context, { ends, parsedFields }, roots) {
    const { registry } = context.query.engine
    const planFor = (source: NodeRecord, edgeType: EdgeType): Plan =>
      planEntries(context, parsedFields, source.type, edgeType)
    const visibleEdge = yield* readVisibleEdge(context, ends, roots, {
      data: true,
      collectTargetChecks: (target, source, edgeType, pendingChecks) => {
        const { selection } = planFor(source, edgeType)
        collectNodeChecks(context.policyEvaluator, [target], selection, pendingChecks)
      },
      *validate(source, edgeType) {
        const plan = planFor(source, edgeType)
        const plannedEntry = createPlannedEntry(context, parsedFields, plan, source, edgeType)
        const sourceCost = SOURCE_COST + registry.sourcePolicyCostOf(source.type, edgeType)
        const validated = validateQuery(context, [plannedEntry], sourceCost, plan)
        if (isPromiseLike(validated)) yield* waitFor(validated)
      },
    })
    const plan = planFor(visibleEdge.source, visibleEdge.edgeType)
    const entries = entriesOf(visibleEdge)
    const nodes = entries.map(({ node }) => node)
    const rows = yield* readSelection(context, plan.selection, nodes, entries)
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
