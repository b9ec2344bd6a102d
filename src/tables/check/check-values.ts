import type { Dialect } from '../description/database-description.ts'
import { listsOf } from '../model/lists.ts'
import type { ListMapping, OrderMapping, TableColumn, TableModel } from '../model/table-model.ts'
import * as postgres from '../postgres/row-sql.ts'
import { allOf, tableSql } from '../sql/sql-text.ts'
import * as sqlite from '../sqlite/row-sql.ts'
import { validKeySql } from '../sqlite/valid-cells.ts'
import type { TableFinding } from './findings.ts'

/** Runs a statement that returns one number. */
export type ReadNumber = (sql: string) => Promise<number>

const ALIAS = 'counted'

/** The conditions with which the table store leaves rows out: those of ids, and those of positions. */
type StoreConditions = {
  readonly id: (keys: readonly TableColumn[]) => readonly string[]
  readonly position: (order: OrderMapping) => readonly string[]
}

const CONDITIONS: { readonly [dialect in Dialect]: StoreConditions } = {
  postgres: {
    id: keys => postgres.shortIdSql(ALIAS, keys),
    position: order => postgres.positionSql(ALIAS, order),
  },
  sqlite: {
    id: keys => validKeySql(keys, sqlite.referencesOf(ALIAS, keys)),
    position: order => sqlite.positionSql(ALIAS, order),
  },
}

const countOthers = (table: ListMapping['table'], conditions: readonly string[]): string =>
  `select count(*) from ${tableSql(table)} as ${ALIAS} where not (${allOf(conditions)})`

const checkIds = async (
  { dialect, types }: TableModel,
  read: ReadNumber,
): Promise<readonly TableFinding[]> => {
  const findings: TableFinding[] = []
  for (const { name, table, keys } of types.values()) {
    const conditions = CONDITIONS[dialect].id(keys)
    const count = conditions.length === 0 ? 0 : await read(countOthers(table, conditions))
    if (count > 0) findings.push({ kind: 'unusableKeys', type: name, count })
  }
  return findings
}

const checkOrders = async (model: TableModel, read: ReadNumber): Promise<readonly TableFinding[]> => {
  const counts = new Map<string, number>()
  const findings: TableFinding[] = []
  for (const { path, order, table } of listsOf(model)) {
    // Rows without a value are left out by declaration.
    const conditions = CONDITIONS[model.dialect].position({ ...order, nulls: 'end' })
    if (order.column === undefined || conditions.length === 0) continue
    const sql = countOthers(table, conditions)
    const count = counts.get(sql) ?? (await read(sql))
    counts.set(sql, count)
    if (count > 0) findings.push({ kind: 'unusableValues', list: path, column: order.column.name, count })
  }
  return findings
}

/**
 * Counts the rows that are not nodes because of their keys, and those that a list leaves out because of the values that
 * order them: values that are too long and, in SQLite, values of another kind than their column. Reads whole tables.
 */
export const checkValues = async (model: TableModel, read: ReadNumber): Promise<readonly TableFinding[]> => [
  ...(await checkIds(model, read)),
  ...(await checkOrders(model, read)),
]
