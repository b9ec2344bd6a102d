import type { Roots } from '../plan/cost.ts'
import type { Plan, ScopeNeed, TypePlan } from '../plan/plan.ts'
import type { ParsedFields, PlanTarget } from '../plan/planner.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { Query, QueryContext } from './query.ts'
import type { RootNode } from './root-nodes.ts'

/**
 * Plans fields for a target. Before the token of the call is accepted, only a cached plan is returned, because
 * a caller without a token must not cause the work of a compilation.
 */
const planEarly = (
  { engine, context }: Query,
  parsedFields: ParsedFields,
  target: PlanTarget,
): Plan | undefined =>
  context === undefined
    ? engine.planner.findPlan(parsedFields, target)
    : engine.planner.plan(parsedFields, target)

const toNodesTarget = ({ engine, call }: Query, types: readonly string[]): PlanTarget => ({
  version: engine.registry.resolveVersion(call.version),
  types,
  edge: undefined,
})

/** Plans the fields of nodes that can have any of the given types. */
export const planFields = (
  { query }: QueryContext,
  parsedFields: ParsedFields,
  types: readonly string[],
): Plan => query.engine.planner.plan(parsedFields, toNodesTarget(query, types))

/**
 * Plans the fields of a root before it is read. Returns `undefined` if its types are not known: without a type,
 * only the types of `me` are.
 */
export const planRootEarly = (
  query: Query,
  parsedFields: ParsedFields,
  id: string,
  type: string | undefined,
): Plan | undefined => {
  if (type === undefined && id !== 'me') return undefined
  const types = type === undefined ? query.engine.registry.schema.viewers : [type]
  return planEarly(query, parsedFields, toNodesTarget(query, types))
}

/** Plans the fields of a root. */
export const planRoot = (
  context: QueryContext,
  parsedFields: ParsedFields,
  { id, record }: RootNode,
  type: string | undefined,
): Plan => {
  const isAnyViewer = id === 'me' && type === undefined
  const { viewers } = context.query.engine.registry.schema
  return planFields(context, parsedFields, isAnyViewer ? viewers : [record.type])
}

const toEntriesTarget = (
  { engine, call, input }: Query<{ readonly edge: string }>,
  source: string,
  type: EdgeType,
): PlanTarget => ({
  version: engine.registry.resolveVersion(call.version),
  types: type.targets,
  edge: { source, name: input.edge, type },
})

/** Plans the fields of entries: the entries of the edge that the call reads, for sources of one type. */
export const planEntries = (
  { query }: QueryContext<{ readonly edge: string }>,
  parsedFields: ParsedFields,
  source: string,
  type: EdgeType,
): Plan => query.engine.planner.plan(parsedFields, toEntriesTarget(query, source, type))

/** Plans the fields of entries before the sources are read. */
export const planEntriesEarly = (
  query: Query<{ readonly edge: string }>,
  parsedFields: ParsedFields,
  source: string,
): Plan | undefined => {
  const type = query.engine.registry.getEdge(source, query.input.edge)
  return type && planEarly(query, parsedFields, toEntriesTarget(query, source, type))
}

/** A plan and its roots: single nodes of one type, or the entries of an edge. */
export type PlannedRoots = Roots & {
  readonly plan: Plan
  readonly slotValues: readonly string[]
  /** The scopes that the edge of the call requires; empty for single nodes. */
  readonly requiredScopes: readonly ScopeNeed[]
}

/**
 * Returns the plan of one root type. Without a `type`, returns the plans of all types that the roots or
 * entries may have.
 */
export const typePlansOf = ({ selection }: Plan, type?: string): readonly TypePlan[] => {
  const planOfType = type === undefined ? undefined : selection.types.get(type)
  return planOfType === undefined ? [...selection.types.values()] : [planOfType]
}

/**
 * Creates the planned roots of single nodes of one type. Without a `type`, they may have any type of the
 * plan.
 */
export const createPlannedNodes = (
  { slotValues }: ParsedFields,
  plan: Plan,
  type: string | undefined,
  count: number,
): PlannedRoots => ({
  plan,
  slotValues,
  count,
  plans: typePlansOf(plan, type),
  edgeLimit: undefined,
  summary: false,
  countKind: 'stored',
  isFiltered: false,
  sourcePolicyCost: 0,
  requiredScopes: [],
})
