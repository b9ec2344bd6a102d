import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { edgeNotFoundError } from '../plan/edge-not-found-error.ts'
import type { Plan, Window } from '../plan/plan.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { NodeRecord, RangeResult, StoreReadResult } from '../store/contract.ts'
import { type Course, waitFor } from './course.ts'
import {
  chooseEdgeReadMode,
  type EdgeReadMode,
  type EdgeRequest,
  type EdgeRequestInput,
  isSameMode,
} from './edge-request.ts'
import type { ExecutionContext } from './execution-context.ts'
import type { PageRequest } from './list-pages.ts'
import { type Outcome, unwrapOutcome } from './opening.ts'
import type { PendingChecks } from './policy-evaluator.ts'
import type { Query } from './query.ts'
import {
  alignToIds,
  findRoots,
  type RootNode,
  reportIfPartial,
  requireRoots,
  validateVisibleRoots,
} from './root-nodes.ts'
import {
  combineWithContext,
  type PlannedRoots,
  typePlansOf,
  type ValidatedGroups,
  validateEarly,
  validateQuery,
} from './validate-query.ts'
import { collectNodeChecks } from './visibility.ts'

/** A source with the part of its list that was read together with it. */
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

const createEdgeGroup = (
  query: Query,
  input: EdgeRequestInput,
  edgeRequest: EdgeRequest,
  type: string,
): EdgeGroup => {
  const { registry } = query.engine
  const edgeType = registry.getEdge(type, input.edge)
  if (edgeType === undefined) throw edgeNotFoundError(registry, type, input.edge)
  const mode = chooseEdgeReadMode(query.engine, edgeType, edgeRequest.order)
  return {
    type,
    edgeType,
    mode,
    pageRequest: {
      name: input.edge,
      order: mode.order,
      limit: edgeRequest.limit,
      summary: edgeRequest.summary,
    },
    window: edgeRequest.windowFor(mode),
    plan: planEntries(query, edgeRequest, { source: type, name: input.edge, type: edgeType }),
    sources: [],
  }
}

const mapRangeResults = (
  query: Query,
  { ids }: EdgeRequest,
  { ranges }: StoreReadResult,
): Map<string, RangeResult> => {
  const alignedResults = alignToIds(query, ids, ranges)
  const rangeResults = new Map<string, RangeResult>()
  for (const [index, id] of ids.entries()) {
    const rangeResult = alignedResults[index]
    if (rangeResult !== undefined) rangeResults.set(id, rangeResult)
  }
  return rangeResults
}

/**
 * Groups the sources by type. A list that was read ahead is used only if it was read in the mode of the
 * source's edge.
 */
const groupSources = (
  query: Query,
  input: EdgeRequestInput,
  edgeRequest: EdgeRequest,
  roots: readonly RootNode[],
  rangeResults: ReadonlyMap<string, RangeResult>,
): EdgeGroup[] => {
  const groups = new Map<string, EdgeGroup>()
  for (const { id, record } of roots) {
    reportIfPartial(query, input.isMultiId, () => {
      const group = groups.get(record.type) ?? createEdgeGroup(query, input, edgeRequest, record.type)
      groups.set(record.type, group)
      const hasSameMode =
        edgeRequest.assumedMode !== undefined && isSameMode(edgeRequest.assumedMode, group.mode)
      group.sources.push({ id, record, rangeResult: hasSameMode ? rangeResults.get(id) : undefined })
    })
  }
  return [...groups.values()]
}

/** Plans the fields of the entries of a source's edge. */
const planEntries = (
  { engine: { planner, registry }, call: { version } }: Query,
  { parsedFields }: EdgeRequest,
  sourceEdge: { readonly source: string; readonly name: string; readonly type: EdgeType },
): Plan =>
  planner.plan(parsedFields, {
    version: registry.resolveVersion(version),
    types: sourceEdge.type.targets,
    edge: sourceEdge,
  })

/**
 * Creates a function that adds the checks of the edge's policy and of the entries that were read ahead, so
 * that they are read together with those of the sources.
 */
const createListCheckCollector =
  (
    query: Query,
    input: EdgeRequestInput,
    edgeRequest: EdgeRequest,
    rangeResults: ReadonlyMap<string, RangeResult>,
  ) =>
  ({ id, record }: RootNode, pendingChecks: PendingChecks): void => {
    const { policyEvaluator, engine } = query
    const edgeType = engine.registry.getEdge(record.type, input.edge)
    if (edgeType?.policy !== undefined) policyEvaluator.collectChecks(edgeType.policy, record, pendingChecks)
    const entries = edgeType === undefined ? [] : (rangeResults.get(id)?.entries ?? [])
    if (edgeType === undefined || entries.length === 0) return
    const { selection } = planEntries(query, edgeRequest, {
      source: record.type,
      name: input.edge,
      type: edgeType,
    })
    const nodes = entries.map(({ node }) => node)
    collectNodeChecks(policyEvaluator, nodes, selection, pendingChecks)
  }

/** Creates the planned roots of the sources of a group. */
const createPlannedSources = (
  { engine }: Query,
  { parsedFields, limit, summary }: EdgeRequest,
  { plan, type, edgeType: { scope }, pageRequest }: EdgeGroup,
  sourceCount: number,
): PlannedRoots => ({
  plan,
  slotValues: parsedFields.slotValues,
  count: sourceCount,
  plans: typePlansOf(plan),
  edgeLimit: limit,
  summary,
  sourceCheckRuleCount: engine.registry.checkRuleCountOf(type),
  requiredScopes: scope === undefined ? [] : [{ scope, name: pageRequest.name, type }],
})

/** Validates the call for the sources that the viewer may see. */
export function* validateSources(
  query: Query,
  input: EdgeRequestInput,
  edgeRequest: EdgeRequest,
  result: StoreReadResult,
): Course<ValidatedGroups<EdgeGroup>> {
  const rangeResults = mapRangeResults(query, edgeRequest, result)
  const { type } = input
  const earlyOutcome =
    type === undefined
      ? undefined
      : yield* validateEarly(() => {
          const group = createEdgeGroup(query, input, edgeRequest, type)
          return validateQuery(query, [
            createPlannedSources(query, edgeRequest, group, edgeRequest.ids.length),
          ])
        })
  const foundRoots = findRoots(query, edgeRequest.ids, type, result.nodes)
  const validateRoots = (
    visibleRoots: readonly (RootNode | undefined)[],
  ): Awaitable<ValidatedGroups<EdgeGroup>> => {
    const roots = requireRoots(query, edgeRequest.ids, input.isMultiId, visibleRoots)
    const groups = groupSources(query, input, edgeRequest, roots, rangeResults)
    return combineWithContext(groups, validateGroups(query, edgeRequest, groups, earlyOutcome))
  }
  if (query.engine.registry.hasPolicy)
    return yield* validateVisibleRoots(query, foundRoots, {
      collectChecks: createListCheckCollector(query, input, edgeRequest, rangeResults),
      validate: validateRoots,
    })
  const validatedGroups = validateRoots(foundRoots)
  return isPromiseLike(validatedGroups) ? yield* waitFor(validatedGroups) : validatedGroups
}

/**
 * Validates the groups. An early result is returned instead, unless it is an error and `partial` has left out
 * all sources: then nothing is read, and the error does not matter.
 */
const validateGroups = (
  query: Query,
  edgeRequest: EdgeRequest,
  groups: readonly EdgeGroup[],
  earlyOutcome: Outcome<ExecutionContext> | undefined,
): Awaitable<ExecutionContext> => {
  if (earlyOutcome !== undefined && (groups.length > 0 || 'value' in earlyOutcome))
    return unwrapOutcome(earlyOutcome)
  const plannedRoots = groups.map(group =>
    createPlannedSources(query, edgeRequest, group, group.sources.length),
  )
  const sourceCount = plannedRoots.reduce((sum, { count }) => sum + count, 0)
  return validateQuery(query, plannedRoots, edgeRequest.ids.length - sourceCount)
}
