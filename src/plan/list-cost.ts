/** How the list of an edge is opened, as far as its cost depends on it. */
export type OpenedList = {
  /** The entries of a page at the most. */
  readonly limit: number
  readonly summary: boolean
  /** Whether the list is under a policy: one of its target types has a policy. */
  readonly policed: boolean
}

const OPENED = 1
const OPENED_UNDER_POLICY = 10
const COUNTED_UNDER_POLICY = 100

/** The cost of one opened list with at most `page` entries, each of which costs 1 and `below`. */
export const costOfList = ({ limit, summary, policed }: OpenedList, below: number, page = limit): number => {
  const opened = policed ? OPENED_UNDER_POLICY : OPENED
  const counted = policed && summary ? COUNTED_UNDER_POLICY : 0
  return opened + counted + Math.min(page, limit) * (1 + below)
}
