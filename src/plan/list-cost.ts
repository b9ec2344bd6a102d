const OPENED = 1
const OPENED_UNDER_POLICY = 10
const COUNTED_UNDER_POLICY = 100

/** How the list of an edge is read, as far as its cost depends on it. */
type ListRead = { readonly limit: number; readonly summary: boolean }

/**
 * The cost of one opened list with at most `page` entries, each of which costs 1 and `below`. A list is under a policy if one
 * of its target types has a policy.
 */
export const costOfList = (
  { limit, summary }: ListRead,
  isUnderPolicy: boolean,
  below: number,
  page = limit,
): number => {
  const opened = isUnderPolicy ? OPENED_UNDER_POLICY : OPENED
  const counted = isUnderPolicy && summary ? COUNTED_UNDER_POLICY : 0
  return opened + counted + Math.min(page, limit) * (1 + below)
}
