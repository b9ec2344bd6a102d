import type { Roots } from '../plan/cost.ts'
import type { Plan, ScopeNeed, TypePlan } from '../plan/plan.ts'
import type { ParsedFields } from '../plan/planner.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { QueryContext } from './query.ts'
import type { RootNode } from './root-nodes.ts'

/** Plans the fields of nodes that can have any of the given types. */
export const planFields = (
  { query: { engine, call } }: QueryContext,
  parsedFields: ParsedFields,
  types: readonly string[],
): Plan =>
  engine.planner.plan(parsedFields, {
    version: engine.registry.resolveVersion(call.version),
    types,
    edge: undefined,
  })

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

/** Plans the fields of entries: the entries of the edge that the call reads, for sources of one type. */
export const planEntries = (
  { query: { engine, call, input } }: QueryContext<{ readonly edge: string }>,
  parsedFields: ParsedFields,
  source: string,
  type: EdgeType,
): Plan =>
  engine.planner.plan(parsedFields, {
    version: engine.registry.resolveVersion(call.version),
    types: type.targets,
    edge: { source, name: input.edge, type },
  })

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
  isFiltered: false,
  sourcePolicyCost: 0,
  requiredScopes: [],
})
