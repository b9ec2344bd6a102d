import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { type ReadTask, waitFor } from '../core/batching.ts'
import { edgeNotFoundError } from '../plan/not-found-errors.ts'
import type { Plan } from '../plan/plan.ts'
import type { Window } from '../plan/window.ts'
import type { PendingChecks } from '../policy/edge-checks.ts'
import { collectNodeChecks } from '../policy/visibility.ts'
import { collectChecksAhead } from '../read/ahead-results.ts'
import { createPageRequest, type PageRequest } from '../read/pages.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { NodeRecord, RangeResult, StoreReadResult } from '../store/contract.ts'
import { type EdgeReadMode, requireEdgeReadMode } from './edge-read-modes.ts'
import { assumedModeOf, type EarlySources, type EdgeRequest, type EdgeRequestInput } from './edge-request.ts'
import { type PlannedRoots, planEntries, typePlansOf } from './plan-roots.ts'
import type { QueryContext } from './query.ts'
import {
  alignToIds,
  findRoots,
  type RootNode,
  reportIfPartial,
  requireRoots,
  validateVisibleRoots,
} from './root-nodes.ts'
import { validateEarly, validateQuery } from './validate-query.ts'

/** The data of a call that reads one edge. */
export type EdgeContext = QueryContext<EdgeRequestInput>

/** A source, and the part of its list that was read together with the source. */
type EdgeSource = {
  readonly id: string
  readonly record: NodeRecord
  readonly rangeResult: RangeResult | undefined
}

/** The sources of one type. Their lists are read in the same way. */
export type EdgeGroup = {
  readonly type: string
  readonly edgeType: EdgeType
  readonly mode: EdgeReadMode
  readonly pageRequest: PageRequest
  readonly window: Window
  readonly plan: Plan
  readonly sources: EdgeSource[]
}

const createEdgeGroup = (context: EdgeContext, edgeRequest: EdgeRequest, type: string): EdgeGroup => {
  const { engine, input } = context.query
  const edgeType = engine.registry.getEdge(type, input.edge)
  const mode = requireEdgeReadMode(engine, edgeRequest, type, input.edge)
  if (edgeType === undefined) throw edgeNotFoundError(engine.registry, type, input.edge)
  const { limit, summary, earlyPlan } = edgeRequest
  return {
    type,
    edgeType,
    mode,
    pageRequest: createPageRequest(mode.edgeList, limit, summary),
    window: edgeRequest.windowFor(mode, context),
    plan:
      earlyPlan?.source === type
        ? earlyPlan.plan
        : planEntries(context, edgeRequest.parsedFields, type, edgeType),
    sources: [],
  }
}

const mapRangeResults = ({ ids }: EdgeRequest, { ranges }: StoreReadResult): Map<string, RangeResult> => {
  const rangeResults = new Map<string, RangeResult>()
  for (const [index, rangeResult] of alignToIds(ids, ranges).entries()) {
    const id = ids[index]?.requestedId
    if (id !== undefined && rangeResult !== undefined) rangeResults.set(id, rangeResult)
  }
  return rangeResults
}

/**
 * Groups the sources by type. A list that was read ahead is used only if it was read in the mode of the
 * source's edge.
 */
const groupSources = (
  context: EdgeContext,
  edgeRequest: EdgeRequest,
  roots: readonly RootNode[],
  rangeResults: ReadonlyMap<string, RangeResult>,
): EdgeGroup[] => {
  const { query } = context
  const assumedMode = assumedModeOf(edgeRequest)
  const groups = new Map<string, EdgeGroup>()
  for (const { id, record } of roots) {
    reportIfPartial(query, query.input.isMultiId, () => {
      const group = groups.get(record.type) ?? createEdgeGroup(context, edgeRequest, record.type)
      groups.set(record.type, group)
      const rangeResult = group.mode === assumedMode ? rangeResults.get(id) : undefined
      group.sources.push({ id, record, rangeResult })
    })
  }
  return [...groups.values()]
}

/**
 * Creates a function that adds the checks of the edge's policy and of the entries that were read ahead, so
 * that they are read together with the checks of the sources.
 */
const createListCheckCollector =
  (context: EdgeContext, edgeRequest: EdgeRequest, rangeResults: ReadonlyMap<string, RangeResult>) =>
  ({ id, record }: RootNode, pendingChecks: PendingChecks): void => {
    const { policyEvaluator, query } = context
    const edgeType = query.engine.registry.getEdge(record.type, query.input.edge)
    if (edgeType?.policy !== undefined) policyEvaluator.collectChecks(edgeType.policy, record, pendingChecks)
    const entries = edgeType === undefined ? [] : (rangeResults.get(id)?.entries ?? [])
    if (edgeType === undefined || entries.length === 0) return
    const { selection } = planEntries(context, edgeRequest.parsedFields, record.type, edgeType)
    const nodes = entries.map(({ node }) => node)
    collectNodeChecks(policyEvaluator, nodes, selection, pendingChecks)
    collectChecksAhead(context, selection.types.values(), nodes, pendingChecks)
  }

/** Creates the planned roots of the sources of a group. */
const createPlannedSources = (
  { query }: EdgeContext,
  { parsedFields, limit, summary }: EdgeRequest,
  { plan, type, edgeType, mode: { isFiltered }, pageRequest }: EdgeGroup,
  count: number,
): PlannedRoots => ({
  plan,
  slotValues: parsedFields.slotValues,
  count,
  plans: typePlansOf(plan),
  edgeLimit: limit,
  summary,
  countKind: edgeType.count.kind,
  isFiltered,
  sourcePolicyCost: query.engine.registry.sourcePolicyCostOf(type, edgeType),
  requiredScopes:
    edgeType.scope === undefined ? [] : [{ scope: edgeType.scope, name: pageRequest.name, type }],
})

/**
 * Validates the groups if the early validation has not accepted them. Throws the error of a failed early
 * validation, unless `partial` has left out all sources. In that case, nothing is read.
 */
const validateGroups = (
  context: EdgeContext,
  edgeRequest: EdgeRequest,
  groups: readonly EdgeGroup[],
  earlySources: EarlySources | undefined,
): Awaitable<readonly EdgeGroup[]> => {
  // The viewer's node may have been deleted and added with another type since the token was issued.
  const isOfType = earlySources !== undefined && groups.every(({ type }) => type === earlySources.type)
  const early = isOfType ? earlySources.validation : undefined
  if (early?.isValid === true) return groups
  if (early !== undefined && groups.length > 0) throw early.error
  const plannedRoots = groups.map(group =>
    createPlannedSources(context, edgeRequest, group, group.sources.length),
  )
  const sourceCount = plannedRoots.reduce((sum, { count }) => sum + count, 0)
  return validateQuery(context, plannedRoots, edgeRequest.ids.length - sourceCount, groups)
}

/** Validates and charges a call whose sources have a known type before the sources are read or evaluated. */
export function* validateSourcesEarly(
  context: EdgeContext,
  edgeRequest: EdgeRequest,
  type: string,
): ReadTask<EarlySources> {
  let plan: Plan | undefined
  const validation = yield* validateEarly(context, () => {
    const group = createEdgeGroup(context, edgeRequest, type)
    plan = group.plan
    return createPlannedSources(context, edgeRequest, group, edgeRequest.ids.length)
  })
  return { type, validation, plan }
}

/** Validates the call for the sources that the viewer may see. */
export function* validateSources(
  context: EdgeContext,
  edgeRequest: EdgeRequest,
  result: StoreReadResult,
): ReadTask<readonly EdgeGroup[]> {
  const { engine, input } = context.query
  const { ids } = edgeRequest
  const { type, isMultiId } = input
  const rangeResults = mapRangeResults(edgeRequest, result)
  const early =
    edgeRequest.early === undefined && type !== undefined
      ? yield* validateSourcesEarly(context, edgeRequest, type)
      : edgeRequest.early
  const foundRoots = findRoots(engine, ids, type, result.nodes)
  const validate = (visibleRoots: readonly (RootNode | undefined)[]): Awaitable<readonly EdgeGroup[]> => {
    const roots = requireRoots(context, ids, isMultiId, visibleRoots)
    return validateGroups(
      context,
      edgeRequest,
      groupSources(context, edgeRequest, roots, rangeResults),
      early,
    )
  }
  const collectChecks = createListCheckCollector(context, edgeRequest, rangeResults)
  if (engine.registry.hasPolicy)
    return yield* validateVisibleRoots(context, foundRoots, { collectChecks, validate })
  const validated = validate(foundRoots)
  return isPromiseLike(validated) ? yield* waitFor(validated) : validated
}
