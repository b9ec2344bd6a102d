import type { ListMapping, TableColumn } from '../model/table-model.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import type { EntryAliases, EntryRows } from '../sql/entry-rows.ts'
import { allOf, columnSql, tableSql } from '../sql/sql-text.ts'
import { isLoose } from './loose-columns.ts'
import { columnsEqualSql, filtersSql, nodeSql, positionSql } from './row-sql.ts'
import { selectedColumnsSql } from './selected-columns.ts'

/** Returns the names for a list in a depth of nested queries. The entries of a back edge are the targets. */
export const aliasesOf = ({ isJoin }: ListMapping, depth: number): EntryAliases => {
  const target = `target${depth}`
  return { entry: isJoin ? `entry${depth}` : target, target }
}

/** Returns the key of the source of a list. A collection has none. */
export const sourceKeysOf = ({ source }: ListMapping, alias: string | undefined): readonly string[] =>
  alias === undefined ? [] : (source?.keys ?? []).map(key => columnSql(alias, key))

/**
 * Returns the expressions that are equal to columns of the targets of a list, by their names, and the same for all of
 * them. Columns of other types, or whose equal values may differ, keep their own comparisons.
 */
export const constantsOf = (
  { isJoin, sourceColumns, source }: ListMapping,
  sourceKeys: readonly string[],
): ReadonlyMap<string, string> => {
  const constants = new Map<string, string>()
  if (isJoin) return constants
  for (const [index, column] of sourceColumns.entries()) {
    const [key, expression] = [source?.keys[index], sourceKeys[index]]
    const isSame = key?.sqlType === column.sqlType && key.collation === column.collation && !isLoose(column)
    if (isSame && expression !== undefined) constants.set(column.name, expression)
  }
  return constants
}

/** Returns the rows of the table of a list that are of a source, whether or not their targets are nodes. */
export const tableRowsSql = (
  { table, order, filters, sourceColumns, source }: ListMapping,
  { entry }: EntryAliases,
  sourceKeys: readonly string[],
  sessionFilters: SessionFilters,
): EntryRows => ({
  from: `${tableSql(table)} as ${entry}`,
  conditions: [
    ...columnsEqualSql(entry, sourceColumns, sourceKeys, source?.keys),
    ...filtersSql(filters, entry, sessionFilters),
    ...positionSql(entry, order),
  ],
})

/**
 * Returns the rows of the list of a source. The limit makes the planner look up each target by its key, even with
 * wrong statistics, and the filters of targets apply before any limit of the list.
 *
 * @param sourceKeys The key of the source, as expressions.
 * @param selected The columns of the target that the query uses.
 */
export const entryRowsSql = (
  list: ListMapping,
  aliases: EntryAliases,
  sourceKeys: readonly string[],
  sessionFilters: SessionFilters,
  selected: readonly TableColumn[] = [],
): EntryRows => {
  const { isJoin, targetColumns } = list
  const { entry, target } = aliases
  const { from, conditions } = tableRowsSql(list, aliases, sourceKeys, sessionFilters)
  if (!isJoin) return { from, conditions: [...conditions, ...nodeSql(list.target, target, sessionFilters)] }
  const joined = targetColumns.map(column => columnSql(entry, column))
  const targetConditions = [
    ...columnsEqualSql('node', list.target.keys, joined, targetColumns),
    ...nodeSql(list.target, 'node', sessionFilters),
  ]
  const lookup = `select ${selectedColumnsSql('node', selected)} from ${tableSql(list.target.table)} as node where ${allOf(targetConditions)} limit 1`
  return { from: `${from} cross join lateral (${lookup}) as ${target}`, conditions }
}
