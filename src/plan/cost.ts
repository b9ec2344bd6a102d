import { GraphError } from '../base/faults.ts'
import type { TypePlan } from './plan.ts'

/**
 * The nodes below one record of any of some types, where no edge answers more than `page` entries. Each plan is counted
 * once, however many ways lead to it.
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
  let cost = 0
  for (const cell of plan.cells) {
    if (cell.kind === 'ref') cost += 1 + costAt(cell.selection.types.values(), page, known)
    if (cell.kind !== 'edge') continue
    cost += Math.min(page, cell.edge.limit) * (1 + costAt(cell.edge.selection.types.values(), page, known))
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

/** The roots of a query: single nodes, or the entries of an edge at its limit; `plans` are those of their types. */
export type Roots = {
  readonly count: number
  readonly edgeLimit: number | undefined
  readonly plans: readonly TypePlan[]
}

const costOf = ({ count, edgeLimit, plans }: Roots, page: number): number => {
  const below = 1 + costAt(plans, page, new Map())
  return count * (edgeLimit === undefined ? below : 1 + Math.min(page, edgeLimit) * below)
}

/** Σ over the roots of 1 and the nodes of every edge and ref below, each edge at its limit. */
export const costOfRoots = ({ count, edgeLimit, plans }: Roots): number => {
  let below = 1
  for (const plan of plans) below = Math.max(below, 1 + plan.cost)
  return count * (edgeLimit === undefined ? below : 1 + edgeLimit * below)
}

/**
 * The nodes that a query may answer; refuses more than the limit. `fits` is the largest `limit` that would do on every edge.
 *
 * @throws GraphError `too_costly` with `{ cost, limit, fits }`.
 */
export const assertAffordable = (all: readonly Roots[], limit: number, largestPage: number): number => {
  const cost = all.reduce((sum, roots) => sum + costOfRoots(roots), 0)
  if (cost <= limit) return cost
  const fits = largestFit(
    page => all.reduce((sum, roots) => sum + costOf(roots, page), 0),
    limit,
    largestPage,
  )
  const hint = fits === 0 ? 'ask for fewer edges' : `a limit of ${fits} on every edge would fit`
  throw new GraphError(
    'too_costly',
    `(#1) Please reduce the amount of data you ask for: it may come to ${cost} nodes, at most ${limit} are allowed; ${hint}`,
    { cost, limit, fits },
  )
}
