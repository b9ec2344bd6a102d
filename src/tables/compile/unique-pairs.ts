import { containKey } from '../description/column-sets.ts'
import type { ListMapping, RowFilter } from '../model/table-model.ts'
import type { CompileContext } from './compile-context.ts'
import type { DescribedTable } from './described-table.ts'

type JoinList = Pick<ListMapping, 'sourceColumns' | 'targetColumns' | 'filters'> & {
  readonly table: DescribedTable
}

/** Whether all rows that a filter lets through have the same value in its column. */
export const isConstant = (filter: RowFilter): boolean =>
  filter.kind === 'session' || (filter.kind === 'constants' && filter.values.length === 1)

/** Adds an error unless a unique key shows that each pair of source and target has at most one row. */
export const checkPairs = (
  { issues }: CompileContext,
  location: string,
  { table, sourceColumns, targetColumns, filters }: JoinList,
): void => {
  if (sourceColumns.length === 0 || targetColumns.length === 0) return
  const constantColumns = filters.filter(isConstant).map(({ column }) => column)
  const fixed = [...sourceColumns, ...targetColumns, ...constantColumns].map(({ name }) => name)
  if (containKey(fixed, table.uniqueKeys)) return
  const pair = [...sourceColumns, ...targetColumns].map(({ name }) => name).join(', ')
  const advice = 'go through a view of the distinct pairs, or make the table a type of its own'
  const received = `rows of ${table.key} that may have equal ${pair}; ${advice}`
  issues.add(location, 'each pair of source and target', 'in at most one row of the join table', received)
}
