import type { Roots } from '../plan/cost.ts'
import type { Plan, ScopeNeed, TypePlan } from '../plan/plan.ts'
import type { ParsedFields } from '../plan/planner.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { QueryContext } from './query.ts'
import type { RootNode } from './root-nodes.ts'

/** Plans the fields of nodes of some types. */
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

/** Plans the fields of the entries of the edge of a call, for one type of its sources. */
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
  /** The scopes that the roots themselves require. */
  readonly requiredScopes: readonly ScopeNeed[]
}

/**
 * The plans of the roots of one type; without a `type`, the plans of all types, which the entries of an edge
 * may have.
 */
export const typePlansOf = ({ selection }: Plan, type?: string): readonly TypePlan[] => {
  const planOfType = type === undefined ? undefined : selection.types.get(type)
  return planOfType === undefined ? [...selection.types.values()] : [planOfType]
}

/** Creates the planned roots of single nodes: of one type; without a `type`, of any type of the plan. */
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
  sourceCheckRuleCount: 0,
  requiredScopes: [],
})
