import { isConstant } from '../compile/unique-pairs.ts'
import { containKey } from '../description/column-sets.ts'
import { listsOf } from '../model/lists.ts'
import type { RowFilter, TableColumn, TableModel, TableName, UsedTable } from '../model/table-model.ts'
import { quoteLiteral } from '../postgres/quote-literal.ts'
import * as postgres from '../postgres/row-sql.ts'
import { SessionFilters } from '../rows/session-texts.ts'
import { allOf, columnSql, tableSql } from '../sql/sql-text.ts'
import * as sqlite from '../sqlite/row-sql.ts'
import type { ReadNumber } from './check-values.ts'
import type { TableFinding } from './findings.ts'

/** Rows of which no two may have the same values in some columns: those of a type, or of a join table. */
type KeyedRows = {
  /** The type, or the edge of a join table. */
  readonly owner: string
  readonly table: TableName
  readonly columns: readonly TableColumn[]
  readonly filters: readonly RowFilter[]
}

const ALIAS = 'counted'

const keyedRowsOf = (model: TableModel): readonly KeyedRows[] => [
  ...[...model.types.values()].map(({ name, table, keys, filters }) => ({
    owner: name,
    table,
    columns: keys,
    filters,
  })),
  ...listsOf(model)
    .filter(({ isJoin }) => isJoin)
    .map(({ path, table, sourceColumns, targetColumns, filters }) => ({
      owner: path,
      table,
      columns: [...sourceColumns, ...targetColumns],
      filters,
    })),
]

/** Whether a table is that of the rows, and a unique key of it covers their columns. Views have none. */
const hasUniqueKey = ({ table, columns, filters }: KeyedRows, { name, description }: UsedTable): boolean => {
  if (tableSql(name) !== tableSql(table)) return false
  const fixed = [...columns, ...filters.filter(isConstant).map(({ column }) => column)].map(
    ({ name }) => name,
  )
  return containKey(fixed, [description.key, ...description.uniques])
}

/** Returns the number of tables that inherit from a table: its keys do not cover their rows, unlike those of partitions. */
const countHeirsSql = (table: TableName): string => `select count(*) from pg_inherits
  join pg_class on pg_class.oid = inhrelid
  where inhparent = to_regclass(${quoteLiteral(tableSql(table))}) and not relispartition`

/** Returns the number of keys that several rows have. Rows of different sessions may have one key. */
const countRepeatedSql = (model: TableModel, { table, columns, filters }: KeyedRows): string => {
  const { filtersSql } = model.dialect === 'postgres' ? postgres : sqlite
  const bySession = filters.filter(({ kind }) => kind === 'session')
  const constant = filters.filter(({ kind }) => kind !== 'session')
  const keys = columns.map(column => columnSql(ALIAS, column))
  const conditions = [
    ...filtersSql(constant, ALIAS, new SessionFilters(model)),
    ...keys.map(key => `${key} is not null`),
  ]
  const groups = [...keys, ...bySession.map(({ column }) => columnSql(ALIAS, column))]
  const repeated = `select 1 from ${tableSql(table)} as ${ALIAS} where ${allOf(conditions)}
    group by ${groups.join(', ')} having count(*) > 1`
  return `select count(*) from (${repeated}) as repeated`
}

/** Returns a function that runs each statement once. */
const runOnce = (read: ReadNumber): ReadNumber => {
  const numbers = new Map<string, Promise<number>>()
  return sql => {
    const number = numbers.get(sql) ?? read(sql)
    numbers.set(sql, number)
    return number
  }
}

/**
 * Counts the keys that several rows have, of which pages would repeat or lose some. Only rows of views, of keys that
 * are declared, and of tables from which others inherit can have them.
 */
export const checkKeys = async (model: TableModel, read: ReadNumber): Promise<readonly TableFinding[]> => {
  const readOnce = runOnce(read)
  const canInherit = model.dialect === 'postgres'
  const counts = new Map<string, number>()
  for (const rows of keyedRowsOf(model)) {
    const isCovered = model.tables.some(used => hasUniqueKey(rows, used))
    if (isCovered && !(canInherit && (await readOnce(countHeirsSql(rows.table))) > 0)) continue
    const count = await readOnce(countRepeatedSql(model, rows))
    // The lists of an edge have different filters.
    counts.set(rows.owner, Math.max(count, counts.get(rows.owner) ?? 0))
  }
  return [...counts].flatMap(([owner, count]) =>
    count === 0 ? [] : [{ kind: 'repeatedKeys', owner, count }],
  )
}
