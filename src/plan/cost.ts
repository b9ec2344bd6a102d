import { GraphError } from '../base/faults.ts'
import type { Limits } from './limits.ts'
import { costOfList } from './list-cost.ts'
import type { TypePlan } from './plan.ts'

/**
 * The cost of one record of any of some types without the 1 for its node, with at most `page` entries of each edge. Each
 * plan is computed once, however many ways lead to it.
 */
const costAt = (plans: Iterable<TypePlan>, page: number, known: Map<TypePlan, number>): number => {
  let most = 0
  for (const plan of plans) {
    const cost = known.get(plan) ?? costOfPlan(plan, page, known)
    known.set(plan, cost)
    most = Math.max(most, cost)
  }
  return most
}

const costOfPlan = (plan: TypePlan, page: number, known: Map<TypePlan, number>): number => {
  let cost = plan.ownCost
  for (const cell of plan.cells) {
    if (cell.kind === 'ref') cost += 1 + costAt(cell.selection.types.values(), page, known)
    if (cell.kind !== 'edge') continue
    const { selection } = cell.edge
    cost += costOfList(cell.edge, selection.policed, costAt(selection.types.values(), page, known), page)
  }
  return cost
}

/** The largest page at which a cost fits, by halving; 0 where none does. */
const largestFit = (costOfPage: (page: number) => number, limit: number, largest: number): number => {
  let fits = 0
  let fails = largest + 1
  while (fails - fits > 1) {
    const page = (fits + fails) >> 1
    if (costOfPage(page) <= limit) fits = page
    else fails = page
  }
  return fits
}

/** The roots of a query: single nodes, or the sources of an edge. */
export type Roots = {
  readonly count: number
  /** The limit of the edge; undefined: the roots are single nodes. */
  readonly edgeLimit: number | undefined
  readonly summary: boolean
  /** The number of rules with `tests` in the policy of a source; 0 for single nodes, since their plans count them. */
  readonly sourceRules: number
  /** The plans of the nodes, or of the entries of the edge. */
  readonly plans: readonly TypePlan[]
}

/** The cost of the roots if a record below them costs `below`, with at most `page` entries of each edge. */
const costOf = (
  { count, edgeLimit, summary, sourceRules, plans }: Roots,
  below: number,
  page = Number.POSITIVE_INFINITY,
): number => {
  if (edgeLimit === undefined) return count * (1 + below)
  const policed = plans.some(({ policy }) => policy !== undefined)
  return count * (1 + sourceRules + costOfList({ limit: edgeLimit, summary }, policed, below, page))
}

/** The cost of the roots and of all that is below them. */
export const costOfRoots = (roots: Roots): number => {
  let below = 0
  for (const { cost } of roots.plans) below = Math.max(below, cost)
  return costOf(roots, below)
}

/** What a call may cost: its roots, and the ids of the caller that are no roots, each of which costs 1. */
export type Priced = { readonly roots: readonly Roots[]; readonly absent: number }

/**
 * Returns the cost of a call. `fits` is the largest `limit` that would do on every edge.
 *
 * @throws GraphError `too_costly` with `{ cost, limit, fits }`.
 */
export const assertAffordable = (
  { roots, absent }: Priced,
  { cost: limit, page: largestPage }: Pick<Limits, 'cost' | 'page'>,
): number => {
  const cost = roots.reduce((sum, one) => sum + costOfRoots(one), absent)
  if (cost <= limit) return cost
  const costOfPage = (page: number): number => {
    const known = new Map<TypePlan, number>()
    return roots.reduce((sum, one) => sum + costOf(one, costAt(one.plans, page, known), page), absent)
  }
  const fits = largestFit(costOfPage, limit, largestPage)
  const hint = fits === 0 ? 'request fewer fields or ids' : `limit(${fits}) on every edge would fit`
  throw new GraphError(
    'too_costly',
    `(#1) Please reduce the amount of data you ask for: the cost is ${cost}, at most ${limit} is allowed; ${hint}`,
    { cost, limit, fits },
  )
}
