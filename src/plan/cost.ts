import { GraphError, REDUCE_DATA_MESSAGE } from '../base/errors.ts'
import type { FieldExpression } from '../fields/expression.ts'
import type { CountKind } from '../schema/edge.ts'
import type { ValueField } from '../schema/field.ts'
import type { FieldType, MemberType } from '../schema/field-type.ts'
import type { Limits } from './limits.ts'
import type { EdgePlan, TypePlan } from './plan.ts'

const COMPUTED_COST = 1
const COLLECTION_COST = 5
const LIST_COST = 1
const FILTERED_LIST_COST = 10
/** The cost of a count that takes more work than a lookup: under a policy or a filter, or row by row. */
const EXAMINED_COUNT_COST = 100

/** The cost of a field that reads whether the record has an edge to the viewer. */
export const VIEWER_EDGE_COST = 1

const computeMemberCost = ({ type, weight }: MemberType, fields: FieldExpression | undefined): number =>
  weight ?? computeTypeCost(type, fields)

const computeMembersCost = (
  members: ReadonlyMap<string, MemberType>,
  fields: FieldExpression | undefined,
): number => {
  let cost = 0
  if (fields === undefined)
    for (const member of members.values()) cost += computeMemberCost(member, undefined)
  for (const { name, fields: innerFields } of fields ?? []) {
    const member = members.get(name)
    if (member !== undefined) cost += computeMemberCost(member, innerFields)
  }
  return cost
}

/**
 * Computes the cost of a value. The cost of a list, a map or JSON does not depend on the selected members. The cost
 * of an object is the sum of its selected members.
 */
const computeTypeCost = ({ parts }: FieldType, fields: FieldExpression | undefined): number => {
  if (parts === undefined) return 0
  if ('items' in parts || 'values' in parts || 'json' in parts) return COLLECTION_COST
  if ('data' in parts) return computeTypeCost(parts.data, fields)
  return 'members' in parts ? computeMembersCost(parts.members, fields) : 0
}

/**
 * Computes the cost of a field's value in one record. `fields` selects members of the value; `undefined`
 * selects all members.
 */
export const computeValueCost = (
  { type, weight, resolve }: Pick<ValueField, 'type' | 'weight' | 'resolve'>,
  fields: FieldExpression | undefined,
): number => weight ?? Math.max(resolve === undefined ? 0 : COMPUTED_COST, computeTypeCost(type, fields))

/** The options of an edge that determine its cost. */
type ListCostInput = Pick<EdgePlan, 'limit' | 'summary' | 'countKind'>

/**
 * Computes the cost of one opened list with at most `maxPageSize` entries. Each entry costs 1 plus
 * `costBelow`. A list is filtered if one of its target types has a policy, or if its edge has a filter.
 */
export const computeListCost = (
  { limit, summary, countKind }: ListCostInput,
  isFiltered: boolean,
  costBelow: number,
  maxPageSize = limit,
): number => {
  const openingCost = isFiltered ? FILTERED_LIST_COST : LIST_COST
  const countCost = summary && (isFiltered || countKind === 'exact') ? EXAMINED_COUNT_COST : 0
  return openingCost + countCost + Math.min(maxPageSize, limit) * (1 + costBelow)
}

/**
 * Computes the maximum cost of a record that can have any of the given types, if each edge returns at most
 * `maxPageSize` entries. The cost of 1 for the node itself is not included. `isEntry` is whether the record is
 * an entry of a list. The cost of each plan is computed once, even if the expression leads to it several times.
 */
const computeMaxCost = (
  plans: Iterable<TypePlan>,
  maxPageSize: number,
  costsByPlan: Map<TypePlan, number>,
  isEntry: boolean,
): number => {
  let maxCost = 0
  for (const plan of plans) {
    const cost = costsByPlan.get(plan) ?? computePlanCost(plan, maxPageSize, costsByPlan)
    costsByPlan.set(plan, cost)
    maxCost = Math.max(maxCost, cost + (isEntry ? 0 : plan.inheritedDepth))
  }
  return maxCost
}

const computePlanCost = (plan: TypePlan, maxPageSize: number, costsByPlan: Map<TypePlan, number>): number => {
  let cost = plan.ownCost
  for (const step of plan.cellSteps) {
    if (step.kind === 'ref')
      cost += 1 + computeMaxCost(step.selection.types.values(), maxPageSize, costsByPlan, false)
    if (step.kind !== 'edge') continue
    const { selection, isFiltered } = step.edge
    cost += computeListCost(
      step.edge,
      isFiltered,
      computeMaxCost(selection.types.values(), maxPageSize, costsByPlan, true),
      maxPageSize,
    )
  }
  return cost
}

/**
 * Finds the largest page size whose cost is within the limit, with a binary search. Returns 0 if there is
 * none.
 */
const findLargestFit = (
  costOfPageSize: (pageSize: number) => number,
  costLimit: number,
  maxPageSize: number,
): number => {
  let fittingSize = 0
  let failingSize = maxPageSize + 1
  while (failingSize - fittingSize > 1) {
    const pageSize = (fittingSize + failingSize) >> 1
    if (costOfPageSize(pageSize) <= costLimit) fittingSize = pageSize
    else failingSize = pageSize
  }
  return fittingSize
}

/** The roots of a query: single nodes, or the sources of an edge. */
export type Roots = {
  readonly count: number
  /** The limit of the edge, or `undefined` if the roots are single nodes. */
  readonly edgeLimit: number | undefined
  readonly summary: boolean
  /** How the lists of the edge are counted. */
  readonly countKind: CountKind
  /** Whether entries of the edge may be left out: for a policy of a target, or by a filter. */
  readonly isFiltered: boolean
  /** The cost of the policies of a source and its edge, or 0 for single nodes, whose plans include it. */
  readonly sourcePolicyCost: number
  /** The plans of the nodes, or of the entries of the edge. */
  readonly plans: readonly TypePlan[]
}

/**
 * Computes the cost of the roots if each record below them costs `costBelow`, with at most `maxPageSize`
 * entries of each edge.
 */
const computeCost = (
  { count, edgeLimit, summary, countKind, sourcePolicyCost, isFiltered }: Roots,
  costBelow: number,
  maxPageSize = Number.POSITIVE_INFINITY,
): number => {
  if (edgeLimit === undefined) return count * (1 + costBelow)
  return (
    count *
    (1 +
      sourcePolicyCost +
      computeListCost({ limit: edgeLimit, summary, countKind }, isFiltered, costBelow, maxPageSize))
  )
}

/** Computes the cost of the roots and of everything below them. */
export const computeRootsCost = (roots: Roots): number => {
  let costBelow = 0
  const isEntry = roots.edgeLimit !== undefined
  for (const { cost, inheritedDepth } of roots.plans)
    costBelow = Math.max(costBelow, cost + (isEntry ? 0 : inheritedDepth))
  return computeCost(roots, costBelow)
}

/**
 * The parts of a call that have a cost: its roots, and the number of ids that are not roots. Each of these
 * ids costs 1.
 */
export type CostInput = { readonly roots: readonly Roots[]; readonly nonRootCount: number }

/**
 * Returns the cost of a call.
 *
 * @throws GraphError `query_too_expensive` with `{ cost, limit, fits }`. `fits` is the largest `limit` that
 * would keep the cost within the limit if every edge used it, or 0 if there is none.
 */
export const assertAffordable = (
  { roots, nonRootCount }: CostInput,
  { cost: costLimit, page: maxPageSize }: Pick<Limits, 'cost' | 'page'>,
): number => {
  const cost = roots.reduce((sum, group) => sum + computeRootsCost(group), nonRootCount)
  if (cost <= costLimit) return cost
  const costOfPageSize = (pageSize: number): number => {
    const costsByPlan = new Map<TypePlan, number>()
    return roots.reduce((sum, group) => {
      const costBelow = computeMaxCost(group.plans, pageSize, costsByPlan, group.edgeLimit !== undefined)
      return sum + computeCost(group, costBelow, pageSize)
    }, nonRootCount)
  }
  const fittingLimit = findLargestFit(costOfPageSize, costLimit, maxPageSize)
  const hint = fittingLimit === 0 ? 'request fewer fields or ids' : `use limit(${fittingLimit}) on every edge`
  throw new GraphError(
    'query_too_expensive',
    `(#1) ${REDUCE_DATA_MESSAGE}: the cost is ${cost}, but at most ${costLimit} is allowed; ${hint}`,
    { cost, limit: costLimit, fits: fittingLimit },
  )
}
