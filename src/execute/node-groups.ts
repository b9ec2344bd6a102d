import type { Plan } from '../plan/plan.ts'
import type { ParsedFields } from '../plan/planner.ts'
import type { NodeRecord } from '../store/contract.ts'
import type { Query } from './query.ts'
import type { RootNode } from './root-nodes.ts'
import { type PlannedRoots, typePlansOf } from './validate-query.ts'

/** The roots of one plan: all of one type. */
export type NodeGroup = {
  readonly plan: Plan
  readonly type: string
  readonly ids: string[]
  readonly records: NodeRecord[]
}

/** Plans the fields of nodes of some types. */
export const planFields = (
  { engine, call }: Query,
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
  query: Query,
  parsedFields: ParsedFields,
  { id, record }: RootNode,
  type: string | undefined,
): Plan => {
  const isAnyViewer = id === 'me' && type === undefined
  return planFields(query, parsedFields, isAnyViewer ? query.engine.registry.schema.viewers : [record.type])
}

/** Groups the roots by their plans. */
export const groupRoots = (
  query: Query,
  parsedFields: ParsedFields,
  roots: readonly RootNode[],
): NodeGroup[] => {
  const groups = new Map<string, NodeGroup>()
  for (const root of roots) {
    const { id, record } = root
    // The plan of `me` includes all viewer types, the plan of another id only its own: a type may have two
    // plans.
    const key = `${id === 'me'} ${record.type}`
    const plan = planRoot(query, parsedFields, root, undefined)
    const group = groups.get(key) ?? { plan, type: record.type, ids: [], records: [] }
    groups.set(key, group)
    group.ids.push(id)
    group.records.push(record)
  }
  return [...groups.values()]
}

/** Creates the planned roots of several nodes of one type. */
export const createPlannedNodes = (
  { slotValues: values }: ParsedFields,
  plan: Plan,
  type: string,
  nodeCount: number,
): PlannedRoots => ({
  plan,
  slotValues: values,
  count: nodeCount,
  plans: typePlansOf(plan, type),
  edgeLimit: undefined,
  summary: false,
  sourceCheckRuleCount: 0,
  requiredScopes: [],
})
