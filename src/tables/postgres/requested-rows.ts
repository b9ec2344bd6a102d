import type { StatementParameter } from '../../stores/postgres/database.ts'
import { quoteIdentifier } from '../../stores/quote-identifier.ts'
import type { TableColumn } from '../model/table-model.ts'
import type { KeyText } from '../rows/key-texts.ts'
import { toParameter } from '../rows/key-texts.ts'
import { columnSql } from '../sql/sql-text.ts'
import { parameterType } from './column-sql.ts'
import { isLoose } from './loose-columns.ts'
import { toStatementParameter } from './part-values.ts'

/**
 * A requested row: its values by the names of its columns. The columns of keys are `k0`, `k1`, … of a node, `s0`, … of
 * the source of a list, `t0`, … of a target, and `f0`, … of the position at which a range begins, whose value is `o`.
 * A range has the times `lo` and `hi`, and at most `n` rows, of `m` examined and `c` counted ones.
 */
export type RequestedRow = { [name: string]: string | number | null }

/** The columns of requested rows, with their types. */
export type RequestedColumns = readonly (readonly [name: string, type: string])[]

/** The alias of the requested rows of a part. */
export const REQUESTED = 'requested'

/** Returns the columns of a key, whose names begin with a letter. */
export const requestedKey = (letter: string, columns: readonly TableColumn[]): RequestedColumns =>
  columns.map((column, index) => [`${letter}${index}`, requestedType(column)])

/** A key with a loose column is compared as text too, so it stays text. */
const requestedType = (column: TableColumn): string => (isLoose(column) ? 'text' : parameterType(column))

/** Returns the expressions of a requested key. */
export const requestedKeySql = (letter: string, columns: readonly TableColumn[]): readonly string[] =>
  columns.map((column, index) => {
    const reference = `${REQUESTED}.${letter}${index}`
    return isLoose(column) ? `${reference}::${parameterType(column)}` : reference
  })

/** Returns the conditions that a row has exactly the texts of a requested key. */
export const exactKeySql = (
  alias: string,
  letter: string,
  columns: readonly TableColumn[],
): readonly string[] =>
  columns.flatMap((column, index) =>
    isLoose(column) ? `${columnSql(alias, column)}::text collate "C" = ${REQUESTED}.${letter}${index}` : [],
  )

/** Adds the values of a key to a requested row. */
export const addKey = (
  row: RequestedRow,
  letter: string,
  columns: readonly TableColumn[],
  key: readonly KeyText[],
): void => {
  for (const [index, column] of columns.entries())
    row[`${letter}${index}`] = toParameter(column, key[index] ?? '')
}

/** The numbers of rows for which there are statements: few, so that few statements exist. */
const SIZES = [1, 16, 128, 1024]
const MAX_SIZE = 100_000

/** Returns the smallest of these numbers that is not smaller than a number of rows. */
export const sizeClassOf = (count: number): number => SIZES.find(size => count <= size) ?? MAX_SIZE

/**
 * Returns a row whose columns are parameters. The planner does not know the values of the subqueries, so that one plan
 * serves all.
 */
const rowSql = (columns: RequestedColumns, parameter: number): string => {
  const values = columns.map(
    ([name, type], index) => `(select $${parameter + index}::${type}) as ${quoteIdentifier(name)}`,
  )
  return `(select ${[...values, '1 as ordinal'].join(', ')})`
}

/**
 * Expands a JSON array of objects to rows, numbered from 1. SQL arrays would be planned again for each length, and
 * without the limit the planner would expect a hundred rows.
 */
const rowsSql = (columns: RequestedColumns, parameter: number, size: number): string => {
  const names = columns.map(([name]) => quoteIdentifier(name)).join(', ')
  const types = columns.map(([name, type]) => `${quoteIdentifier(name)} ${type}`).join(', ')
  return `(
  select * from rows from (json_to_recordset($${parameter}::json) as (${types})) with ordinality as rows (${names}, ordinal)
  limit ${size}
)`
}

/** Returns the requested rows of a part, whose parameters begin with a number. */
export const requestedRowsSql = (columns: RequestedColumns, parameter: number, size: number): string =>
  `${size === 1 ? rowSql(columns, parameter) : rowsSql(columns, parameter, size)} as ${REQUESTED}`

/** Returns the number of parameters of the requested rows of a part: a row alone has one for each column. */
export const rowParameterCount = (columns: RequestedColumns, size: number): number =>
  size === 1 ? columns.length : 1

/** Returns the parameters of the requested rows of a part. */
export const toRowParameters = (
  columns: RequestedColumns,
  rows: readonly RequestedRow[],
): readonly StatementParameter[] => {
  const [row, ...others] = rows
  return others.length > 0
    ? [JSON.stringify(rows)]
    : columns.map(([name]) => toStatementParameter(row?.[name] ?? null))
}
