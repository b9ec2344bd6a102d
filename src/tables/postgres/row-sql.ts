import { MAX_KEY_LENGTH } from '../../base/named-ids.ts'
import type { ColumnKind, OrderMapping, RowFilter, TableColumn, TypeMapping } from '../model/table-model.ts'
import { isTimestamp, toParameter } from '../rows/key-texts.ts'
import { MAX_POSITION_BYTES } from '../rows/positions.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import { isoToMicros } from '../rows/times.ts'
import { columnSql, oneOfSql } from '../sql/sql-text.ts'
import { localTimeSql, timeType } from './column-sql.ts'
import { valueAt } from './part-values.ts'
import { quoteLiteral } from './quote-literal.ts'

/**
 * Returns a constant of a declaration as a literal of the column's type, so that partial indexes match. A number alone
 * would be compared with a `float4` as a `float8`, and a time without its zone in that of the connection.
 */
const constantSql = (column: TableColumn, value: string | number | boolean): string => {
  if (!isTimestamp(column)) return quoteLiteral(column.kind === 'float' ? `${value}` : value)
  const time = quoteLiteral(toParameter(column, isoToMicros(`${value}`) ?? ''))
  return localTimeSql(`${timeType(column)} ${time}`, column)
}

const filterSql = (filter: RowFilter, alias: string, sessionFilters: SessionFilters): string => {
  const { column } = filter
  const reference = columnSql(alias, column)
  switch (filter.kind) {
    case 'null':
      return `${reference} is null`
    case 'notNull':
      return `${reference} is not null`
    case 'constants':
      return oneOfSql(
        reference,
        filter.values.map(value => constantSql(column, value)),
      )
    case 'session':
      return `${reference} = ${localTimeSql(valueAt(sessionFilters.indexOf(filter), timeType(column)), column)}`
  }
}

/** Returns the conditions of some filters. */
export const filtersSql = (
  filters: readonly RowFilter[],
  alias: string,
  sessionFilters: SessionFilters,
): readonly string[] => filters.map(filter => filterSql(filter, alias, sessionFilters))

/**
 * Returns the clause that gives an expression the collation of a column. Postgres rejects a comparison of columns with
 * different collations, or compares them in a collation that the index of the column does not have.
 */
const collateSql = (column: TableColumn, { collation }: TableColumn): string =>
  column.collation === collation ? '' : ` collate ${column.collation ?? 'pg_catalog."default"'}`

/**
 * Returns the conditions that make columns of an alias equal to expressions.
 *
 * @param sources The columns whose values the expressions are, unless they are values of the columns themselves.
 */
export const columnsEqualSql = (
  alias: string,
  columns: readonly TableColumn[],
  expressions: readonly string[],
  sources: readonly TableColumn[] = columns,
): readonly string[] =>
  columns.map((column, index) => {
    const collate = collateSql(column, sources[index] ?? column)
    return `${columnSql(alias, column)} = ${expressions[index]}${collate}`
  })

/** The kinds whose values may be longer than an id, or than the key of a position. */
const LONG_KINDS: ReadonlySet<ColumnKind> = new Set(['text', 'char', 'citext', 'numeric'])
/** The number of characters of an id that one byte of a key may need: `.hh`. */
const MAX_CHARACTERS_PER_BYTE = 3

const sumSql = (terms: readonly string[]): string => terms.join(' + ')

/**
 * Returns the condition that the id of a row is short enough. Most keys pass by the number of their bytes alone, and
 * a key of other values needs no condition.
 */
export const shortIdSql = (alias: string, columns: readonly TableColumn[]): readonly string[] => {
  if (!columns.some(({ kind }) => LONG_KINDS.has(kind))) return []
  const texts = columns.map(column => `${columnSql(alias, column)}::text`)
  const maxLength = MAX_KEY_LENGTH - (columns.length - 1)
  const bytes = sumSql(texts.map(text => `octet_length(${text})`))
  const escapedBytes = texts.map(text => `octet_length(regexp_replace(${text}, '[A-Za-z0-9_-]', '', 'g'))`)
  const isSurelyShort = `${bytes} <= ${Math.floor(maxLength / MAX_CHARACTERS_PER_BYTE)}`
  const isShort = `${bytes} + ${MAX_CHARACTERS_PER_BYTE - 1} * (${sumSql(escapedBytes)}) <= ${maxLength}`
  return [`(${isSurelyShort} or ${isShort})`]
}

/** Returns the conditions that a row has a position in an order. */
export const positionSql = (alias: string, { column, nulls }: OrderMapping): readonly string[] => {
  if (column === undefined) return []
  const reference = columnSql(alias, column)
  const isShort = `octet_length(${reference}::text) < ${MAX_POSITION_BYTES}`
  return [
    ...(nulls === 'skip' ? [`${reference} is not null`] : []),
    ...(LONG_KINDS.has(column.kind)
      ? [nulls === 'end' ? `(${reference} is null or ${isShort})` : isShort]
      : []),
  ]
}

/** Returns the conditions that a row is a node of a type. */
export const nodeSql = (
  type: TypeMapping,
  alias: string,
  sessionFilters: SessionFilters,
): readonly string[] => [...filtersSql(type.filters, alias, sessionFilters), ...shortIdSql(alias, type.keys)]
