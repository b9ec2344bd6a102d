import type { ColumnKind, OrderMapping, TableColumn } from '../model/table-model.ts'
import { isTimestamp } from '../rows/key-texts.ts'
import { hasZone } from '../rows/positions.ts'
import { columnSql } from '../sql/sql-text.ts'
import { quoteLiteral } from './quote-literal.ts'

/** The kinds whose values a JSON number would round, or whose JSON depends on settings or contains padding. */
const SELECTED_AS_TEXT: ReadonlySet<ColumnKind> = new Set(['int8', 'numeric', 'char', 'other'])

const secondsSql = (expression: string): string => `extract(epoch from ${expression})::text`

/** The times that a time zone moves by at most a day without leaving the limits of a `timestamptz`. */
const MIN_MOVABLE = `timestamp '4712-01-01 BC'`
const MAX_MOVABLE = `timestamp '290000-01-01'`

/** Returns the time of a `timestamp` in its zone. Times near the limits of the type, which cannot move, stay. */
const movedSecondsSql = (reference: string, timeZone: string): string => {
  const isMovable = `${reference} between ${MIN_MOVABLE} and ${MAX_MOVABLE}`
  const moved = `extract(epoch from ${reference} at time zone ${quoteLiteral(timeZone)})`
  return `(case when ${isMovable} then ${moved} else extract(epoch from ${reference}) end)::text`
}

/**
 * Returns a time of the type {@link timeType} as a value of a column. Times near the limits of a `timestamp`, which cannot
 * move, stay.
 */
export const localTimeSql = (time: string, column: TableColumn): string => {
  if (!hasZone(column)) return time
  const inUtc = `${time} at time zone 'UTC'`
  const isMovable = `${inUtc} between ${MIN_MOVABLE} and ${MAX_MOVABLE}`
  const moved = `${time} at time zone ${quoteLiteral(column.timeZone ?? 'UTC')}`
  return `case when ${isMovable} then ${moved} else ${inUtc} end`
}

/**
 * Returns the times of an array of `timestamp` in their zone. No field accepts an array of several dimensions, so it
 * stays as it is, as an empty one and NULL do.
 */
const movedArraySql = (reference: string, timeZone: string): string => {
  const items = `unnest(${reference}) with ordinality as item (time, position)`
  const moved = `select json_agg(${movedSecondsSql('item.time', timeZone)} order by item.position) from ${items}`
  return `case when array_ndims(${reference}) = 1 then (${moved}) else to_json(${reference}) end`
}

const arraySql = (reference: string, column: TableColumn): string => {
  if (SELECTED_AS_TEXT.has(column.kind)) return `${reference}::text[]`
  return hasZone(column) ? movedArraySql(reference, column.timeZone ?? 'UTC') : reference
}

/**
 * Returns the value of a column as JSON. It cannot fail on any stored value, and only the text of `other` depends on the
 * settings of the connection. Times are text in seconds since the epoch.
 */
export const valueSql = (alias: string, column: TableColumn): string => {
  const reference = columnSql(alias, column)
  if (column.isArray) return arraySql(reference, column)
  if (SELECTED_AS_TEXT.has(column.kind)) return `${reference}::text`
  if (!isTimestamp(column)) return reference
  return hasZone(column) ? movedSecondsSql(reference, column.timeZone ?? 'UTC') : secondsSql(reference)
}

/** Returns the key of a row. A time in a key is that of its column, without its zone. */
export const keyValueSql = (alias: string, column: TableColumn): string =>
  isTimestamp(column) ? secondsSql(columnSql(alias, column)) : valueSql(alias, column)

/** Returns the value that orders a row, in the form that the position reader expects. */
export const orderValueSql = (alias: string, { column, isTime }: OrderMapping): string => {
  if (column === undefined) return 'null'
  if (!isTime) return keyValueSql(alias, column)
  const seconds = secondsSql(columnSql(alias, column))
  return hasZone(column) ? `${seconds} || ' ' || ${valueSql(alias, column)}` : seconds
}

/** Returns the type of a parameter that is compared with a column. */
export const parameterType = ({ kind, sqlType }: TableColumn): string =>
  kind === 'char' ? 'bpchar' : sqlType

/** Returns the type of a parameter that is a time for a column with a time zone, and else a value of the column. */
export const timeType = (column: TableColumn): string =>
  hasZone(column) ? 'timestamptz' : parameterType(column)
