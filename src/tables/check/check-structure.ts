import { quoteIdentifier } from '../../stores/quote-identifier.ts'
import { excludesNull } from '../compile/compile-order.ts'
import { containKey } from '../description/column-sets.ts'
import type { DatabaseDescription, Dialect, TableDescription } from '../description/database-description.ts'
import { type DescriptionDifference, findTableDifferences } from '../introspect/description-differences.ts'
import { listsOf, rowFiltersOf } from '../model/lists.ts'
import type { ListMapping, TableModel, TableName, UsedTable } from '../model/table-model.ts'
import { tableSql } from '../sql/sql-text.ts'
import type { TableFinding } from './findings.ts'
import { findNeededIndex, isServedBy, type NeededIndex } from './needed-index.ts'

/** Finds the description of a table by its name in the database. */
type FindTable = (name: TableName) => TableDescription | undefined

const createFinder = ({ tables }: DatabaseDescription): FindTable => {
  const all = Object.values(tables)
  return ({ schema, name }) => all.find(table => table.schema === schema && table.name === name)
}

/** The parts of a table that a graph depends on. Indexes are checked by what lists need. */
const DRIFT_SUBJECTS: readonly DescriptionDifference['subject'][] = ['table', 'key', 'column', 'unique']

const checkTable = (
  { key, name, description, usedBy }: UsedTable,
  claimsRowSecurity: boolean,
  findTable: FindTable,
): readonly TableFinding[] => {
  const table = findTable(name)
  if (table === undefined) return [{ kind: 'missingTable', table: key, usedBy }]
  const drift = findTableDifferences(key, description, table)
    .filter(({ kind, subject }) => kind !== 'new' && DRIFT_SUBJECTS.includes(subject))
    .map((difference): TableFinding => ({ kind: 'changedTable', difference }))
  const isUnsecured = (claimsRowSecurity || description.rowSecurity) && !table.rowSecurity && !table.view
  return isUnsecured ? [...drift, { kind: 'missingRowSecurity', table: key }] : drift
}

const checkOrder = (list: ListMapping, findTable: FindTable): readonly TableFinding[] => {
  const { path, order, table } = list
  const { column } = order
  const description = column && findTable(table)?.columns[column.name]
  if (column === undefined || order.nulls !== 'none' || !description?.nullable) return []
  const isExcluded = excludesNull(rowFiltersOf(list), column)
  return isExcluded ? [] : [{ kind: 'nullableOrder', list: path, column: column.name }]
}

/** Prints the statement that creates an index. In SQLite, an index needs a name. */
const printIndex = (dialect: Dialect, { table, constants, sorted }: NeededIndex): string => {
  const columns = [...constants, ...sorted]
  const name = dialect === 'sqlite' ? ` ${quoteIdentifier([table.name, ...columns].join('_'))}` : ''
  return `create index${name} on ${tableSql(table)} (${columns.map(quoteIdentifier).join(', ')})`
}

/** Whether an index that a list needs serves another list too. */
const servesToo = (
  dialect: Dialect,
  other: NeededIndex,
  { table, constants, sorted }: NeededIndex,
): boolean =>
  table.schema === other.table.schema &&
  table.name === other.table.name &&
  isServedBy(dialect, other, { columns: [...constants, ...sorted] })

/** Returns the indexes without those whose lists another one serves too. */
const withoutServed = (dialect: Dialect, needed: readonly NeededIndex[]): readonly NeededIndex[] => {
  let kept = needed
  // Of two indexes that serve each other's lists, the first one stays.
  for (const index of needed.toReversed())
    if (kept.some(other => other !== index && servesToo(dialect, index, other)))
      kept = kept.filter(other => other !== index)
  return kept
}

/** Whether a list has at most one entry. Then its order needs no index. */
const isSingle = ({ constants }: NeededIndex, { key, uniques }: TableDescription): boolean =>
  containKey(constants, [key, ...uniques])

const findMissingIndexes = (
  dialect: Dialect,
  lists: readonly ListMapping[],
  findTable: FindTable,
): readonly TableFinding[] => {
  const missing = lists.flatMap(list => {
    const index = findNeededIndex(dialect, list)
    const table = findTable(list.table)
    // Lists over views use the indexes of other tables.
    if (table === undefined || table.view) return []
    const needed = isSingle(index, table) ? { ...index, sorted: [] } : index
    return table.indexes.some(index => isServedBy(dialect, needed, index))
      ? []
      : [{ path: list.path, needed }]
  })
  const needed = missing.map(({ needed }) => needed)
  return withoutServed(dialect, needed).map(index => {
    const served = missing.filter(({ needed }) => servesToo(dialect, needed, index))
    return {
      kind: 'missingIndex',
      lists: [...new Set(served.map(({ path }) => path))],
      statement: printIndex(dialect, index),
    }
  })
}

/**
 * Compares a graph over tables with the tables that the database has now. `rowSecurity` are the tables, by their names
 * in the description, that should have row-level security, in addition to those that the description says have it.
 */
export const checkStructure = (
  model: TableModel,
  database: DatabaseDescription,
  rowSecurity: readonly string[],
): readonly TableFinding[] => {
  const findTable = createFinder(database)
  const lists = listsOf(model)
  return [
    ...model.tables.flatMap(table => checkTable(table, rowSecurity.includes(table.key), findTable)),
    ...lists.flatMap(list => checkOrder(list, findTable)),
    ...findMissingIndexes(model.dialect, lists, findTable),
  ]
}
