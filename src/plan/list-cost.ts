const LIST_COST = 1
const LIST_UNDER_POLICY_COST = 10
const COUNT_UNDER_POLICY_COST = 100

/** The options of an edge that its cost depends on. */
type ListCostInput = { readonly limit: number; readonly summary: boolean }

/**
 * Computes the cost of one opened list with at most `maxPageSize` entries, each of which costs 1 and
 * `costBelow`. A list is under a policy if one of its target types has a policy.
 */
export const computeListCost = (
  { limit, summary }: ListCostInput,
  isUnderPolicy: boolean,
  costBelow: number,
  maxPageSize = limit,
): number => {
  const openingCost = isUnderPolicy ? LIST_UNDER_POLICY_COST : LIST_COST
  const countCost = isUnderPolicy && summary ? COUNT_UNDER_POLICY_COST : 0
  return openingCost + countCost + Math.min(maxPageSize, limit) * (1 + costBelow)
}
