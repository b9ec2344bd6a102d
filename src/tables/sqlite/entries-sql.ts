import type { ListMapping } from '../model/table-model.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import type { EntryAliases, EntryRows } from '../sql/entry-rows.ts'
import { allOf, tableSql } from '../sql/sql-text.ts'
import { filtersSql, nodeSql, ownKeySql, positionSql, referenceEqualsSql, referencesOf } from './row-sql.ts'
import { keyParameters } from './sql-template.ts'

/** The names of the rows of the list that a query is about. */
export const ENTRY_ALIASES: EntryAliases = { entry: 'entry', target: 'target' }

/** Returns the names for a list. The entries of a back edge are the targets. */
export const aliasesOf = (
  { isJoin }: ListMapping,
  { entry, target }: EntryAliases = ENTRY_ALIASES,
): EntryAliases => (isJoin ? { entry, target } : { entry: target, target })

/**
 * Returns the entries of a list of a source whose row need not be a node. The targets are looked up for each entry,
 * and their filters apply before any limit of the list.
 */
export const entriesOf = (
  list: ListMapping,
  aliases: EntryAliases,
  sourceKey: readonly string[],
  sessionFilters: SessionFilters,
): EntryRows => {
  const { entry, target } = aliases
  const { table, isJoin, order, filters, sourceColumns, targetColumns } = list
  const conditions = [
    ...referenceEqualsSql(entry, sourceColumns, list.source?.keys ?? [], sourceKey),
    ...filtersSql(filters, entry, sessionFilters),
    ...positionSql(entry, order),
    ...nodeSql(list.target, target, sessionFilters),
  ]
  const from = `${tableSql(table)} as ${entry}`
  if (!isJoin) return { from, conditions }
  // SQLite reads the tables of a cross join in their order.
  return {
    from: `${from} cross join ${tableSql(list.target.table)} as ${target}`,
    conditions: [
      ...referenceEqualsSql(target, list.target.keys, targetColumns, referencesOf(entry, targetColumns)),
      ...conditions,
    ],
  }
}

/** Returns the row of the source of a list, which must be a node. */
export const sourceRowSql = (
  { source }: ListMapping,
  sessionFilters: SessionFilters,
): EntryRows | undefined =>
  source && {
    from: `${tableSql(source.table)} as source`,
    conditions: [
      ...ownKeySql('source', source.keys, keyParameters('s', source.keys)),
      ...nodeSql(source, 'source', sessionFilters),
    ],
  }

/** Returns the rows of a list whose source is the node of the parameters `s`. */
export const listRowsSql = (list: ListMapping, sessionFilters: SessionFilters): EntryRows => {
  const sourceKey = keyParameters('s', list.source?.keys ?? [])
  const rows = entriesOf(list, aliasesOf(list), sourceKey, sessionFilters)
  const source = sourceRowSql(list, sessionFilters)
  if (source === undefined) return rows
  // SQLite evaluates it once, because it depends on no row.
  const exists = `exists (select 1 from ${source.from} where ${allOf(source.conditions)})`
  return { from: rows.from, conditions: [...rows.conditions, exists] }
}
