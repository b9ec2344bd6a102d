/** A node of a plan, with the rows that it returned and read in each of its loops. */
export type PlanNode = {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

/** Counts the rows of a table that the nodes of a plan read. */
export const countRead = (node: PlanNode, table: string): number => {
  const below = (node.Plans ?? []).reduce((sum, child) => sum + countRead(child, table), 0)
  if (node['Relation Name'] !== table) return below
  const perLoop =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)
  return below + Math.round(perLoop * (node['Actual Loops'] ?? 0))
}
