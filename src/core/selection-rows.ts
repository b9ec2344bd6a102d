import type { JsonValue } from '../base/json.ts'
import type { PlanStep, Selection, TypePlan } from '../plan/plan.ts'
import type { EdgeEntry, NodeRecord, RangeResult } from '../store/contract.ts'
import type { BadValue } from './bad-values.ts'
import type { ListPosition } from './list-position.ts'

/**
 * The entries of one page in the order of the edge, and whether the list has more entries in the direction of
 * the read.
 */
export type ListPage = Pick<RangeResult, 'entries' | 'hasMore'> & {
  /**
   * The number of entries of the whole list, or `undefined` if the count was not requested or is not
   * available.
   */
  readonly total: number | undefined
  /** The position of the last examined entry if the scan limit ended the page, or `undefined` otherwise. */
  readonly scanEndedAt?: ListPosition | undefined
  /** The positions of the entries, if a function of the schema returned them. */
  readonly positions?: readonly string[] | undefined
}

/** The values, nodes or pages of one step, by row, for all records of a group. */
export type Cell =
  | { readonly kind: 'values'; readonly values: readonly unknown[] }
  | { readonly kind: 'nodes'; readonly rows: SelectionRows }
  | PagesCell

/**
 * The pages of one edge. Page `i` contains the items of `rows` from `startIndexes[i]` up to `startIndexes[i +
 * 1]` (exclusive).
 */
export type PagesCell = {
  readonly kind: 'pages'
  readonly pages: readonly ListPage[]
  /** The page index of each row if some rows share a page, or `undefined` if page `i` belongs to row `i`. */
  readonly pageIndexes: readonly number[] | undefined
  readonly startIndexes: readonly number[]
  readonly rows: SelectionRows
}

/** The stored values of a field, by row. */
export type StoredValues = readonly (JsonValue | BadValue | undefined)[]

/**
 * Records of one type with the same plan. `entries[row]` is the edge that leads to `records[row]`, or
 * `undefined` if the record was not read as an entry of a list.
 */
export type TypeGroup = {
  readonly plan: TypePlan
  /** The steps of the plan for which the session has the required scopes. */
  readonly steps: readonly PlanStep[]
  readonly records: readonly NodeRecord[]
  readonly entries: readonly (EdgeEntry | undefined)[]
  readonly cells: (Cell | undefined)[]
  /** The decisions of each of the plan's `stepPolicies`, by row. */
  readonly visibleByPolicy: (readonly boolean[])[]
  /** The stored values of each step by row, read when they are first needed. */
  readonly storedValues: (StoredValues | undefined)[]
  /**
   * The public ids of the records, if ids differ between apps. They are looked up for all records at once.
   */
  publicIds: readonly string[] | undefined
}

/** The position of an item in its group. */
export type RowPosition = { readonly group: TypeGroup; readonly row: number }

/** The items of a selection, grouped by their types. */
export type SelectionRows = {
  readonly groups: readonly TypeGroup[]
  /**
   * The position of each item, or `undefined` for an item that is missing, left out, or of a type that is not
   * selected. The list itself is undefined if item `i` is row `i` of the only group.
   */
  readonly positions: readonly (RowPosition | undefined)[] | undefined
}

const selectGrantedSteps = (
  { steps, hasScopedFields }: TypePlan,
  scopes: readonly string[],
): readonly PlanStep[] =>
  hasScopedFields
    ? steps.filter(step => !('scope' in step) || step.scope === undefined || scopes.includes(step.scope))
    : steps

const createGroup = (
  plan: TypePlan,
  scopes: readonly string[],
  records: readonly NodeRecord[],
  entries: readonly (EdgeEntry | undefined)[],
): TypeGroup => ({
  plan,
  steps: selectGrantedSteps(plan, scopes),
  records,
  entries,
  cells: plan.cellSteps.map(() => undefined),
  visibleByPolicy: [],
  storedValues: [],
  publicIds: undefined,
})

const areAllOfType = (
  nodes: readonly (NodeRecord | undefined)[],
  type: string,
): nodes is readonly NodeRecord[] => {
  for (const node of nodes) if (node?.type !== type) return false
  return true
}

type GroupBuilder = {
  readonly group: TypeGroup
  readonly records: NodeRecord[]
  readonly entries: (EdgeEntry | undefined)[]
}

const createGroupBuilder = (plan: TypePlan, scopes: readonly string[]): GroupBuilder => {
  const records: NodeRecord[] = []
  const entries: (EdgeEntry | undefined)[] = []
  return { group: createGroup(plan, scopes, records, entries), records, entries }
}

const NO_ENTRIES: readonly EdgeEntry[] = []

/**
 * Groups nodes by type. Each group contains the steps for which the session has the required scopes. If all
 * nodes have the same type, the list is not copied.
 */
export const groupByType = (
  selection: Selection,
  scopes: readonly string[],
  nodes: readonly (NodeRecord | undefined)[],
  entries: readonly EdgeEntry[] = NO_ENTRIES,
): SelectionRows => {
  const plan = selection.onlyType ?? selection.types.get(nodes[0]?.type ?? '')
  if (plan !== undefined && areAllOfType(nodes, plan.type)) {
    return {
      groups: nodes.length === 0 ? [] : [createGroup(plan, scopes, nodes, entries)],
      positions: undefined,
    }
  }
  const builders = new Map<string, GroupBuilder>()
  const positions = nodes.map((node, index): RowPosition | undefined => {
    const typePlan = node && selection.types.get(node.type)
    if (node === undefined || typePlan === undefined) return undefined
    const builder = builders.get(node.type) ?? createGroupBuilder(typePlan, scopes)
    builders.set(node.type, builder)
    builder.entries.push(entries[index])
    return { group: builder.group, row: builder.records.push(node) - 1 }
  })
  return { groups: [...builders.values()].map(({ group }) => group), positions }
}
