import { isObject, type JsonValue } from '../../base/json.ts'
import type { SelectedRow } from '../rows/record-layout.ts'
import { compareRows } from '../sql/sql-text.ts'
import { flattenRow, isJsonArray, jsonArraySql } from './json-arrays.ts'
import { type OrderedRows, renameColumns, type UsedColumns } from './ordered-rows.ts'
import type { JoinedRef } from './record-plan.ts'

/** The rows of a range under conditions. All members but `used` are SQL. */
export type ExaminedRows = {
  readonly rows: OrderedRows
  /** The columns that the other expressions use. */
  readonly used: UsedColumns
  /** The index of the condition that holds. */
  readonly held: string
  /** Returns the values of an entry. `number` counts the rows that pass, from 1. */
  readonly item: (number: string) => readonly string[]
  /** The values of the position of a row. */
  readonly position: readonly string[]
  /** The maximum number of entries, and of rows to examine. */
  readonly rowLimit: string
  readonly maxExamined: string
}

/** A ref whose node is joined, and the index of the condition that only holds if it leads to one. */
export type RequiredRef = Pick<JoinedRef, 'join' | 'isFound'> & { readonly index: number }

/** The columns that order the rows of a range. None of their values is NULL. */
export type RowOrder = { readonly columns: readonly string[]; readonly isNewest: boolean }

const EXAMINED = 'examined'
const HELD = `${EXAMINED}.held`
/** The condition that a row may pass: a join under it looks up nothing for the others. */
export const IS_HELD = `${HELD} is not null`
const NUMBER = 'row_number() over ()'
const ORDINAL = `${EXAMINED}.ordinal`
const IS_LAST = `${EXAMINED}.is_last`
const PAGE = 'page'
const COUNTED = 'counted'

/** The number of values of an examined row before those of its entry or position: `[held, ordinal, is_last, …]`. */
export const EXAMINED_START = 3

/**
 * Returns the rows that pass, and the last row that was examined. `held` is the index of the condition that holds, and
 * the values after `is_last` are an entry, or the position of a row that does not pass: then `held` is NULL. The window
 * ends as soon as the page is full, because its rows are already in its order. Its frame of rows spares the server the
 * comparison of neighbours.
 */
export const numberedRowsSql = (
  { rows: { from, order }, used, held, item, position, rowLimit, maxExamined }: ExaminedRows,
  joined?: RequiredRef,
): string => {
  const { renamed, restored } = renameColumns(used, EXAMINED)
  const passes =
    joined === undefined
      ? IS_HELD
      : `(${HELD} <> ${joined.index} or ${HELD} = ${joined.index} and ${joined.isFound})`
  const start = [ORDINAL, IS_LAST]
  const [entry, end] = [
    jsonArraySql([HELD, ...start, ...item(NUMBER)]),
    jsonArraySql(['null', ...start, ...position]),
  ]
  return `(select coalesce(json_agg(${PAGE}.item), '[]'::json) from (
  select case when ${passes} then ${entry} else ${end} end as item from (
    select row_number() over list as ordinal, lead(true) over list is null as is_last, ${held} as held, ${renamed} from ${from}
    window list as (${order} rows unbounded preceding) ${order} limit ${maxExamined}
  ) as ${EXAMINED} ${restored} ${joined?.join ?? ''}
  where ${passes} or ${IS_LAST} or ${ORDINAL} = ${maxExamined} limit ${rowLimit}
) as ${PAGE})`
}

/**
 * Returns the end of a full page, whose last entry is the last row that was examined. What reads the range again is
 * ordered and limited, or the server could take reading the whole table for faster.
 */
const endOfPageSql = (
  { rows: { from, order }, maxExamined }: ExaminedRows,
  { columns, isNewest }: RowOrder,
): string => {
  const last = columns.map((_, index) => `${PAGE}.last${index}`)
  const counted = `select from ${from} and ${compareRows(columns, isNewest ? '>=' : '<=', last)} ${order} limit ${maxExamined}`
  const next = `select true from ${from} and ${compareRows(columns, isNewest ? '<' : '>', last)} ${order} limit 1`
  return jsonArraySql(['0', `(select count(*) from (${counted}) as ${COUNTED})`, `(${next}) is null`])
}

/** Returns the end of a page that is not full: the last row of the range, or the last one that may be examined. */
const endOfRowsSql = (
  { rows: { from, order }, position, maxExamined }: ExaminedRows,
  { columns, isNewest }: RowOrder,
): string => {
  const size = `${COUNTED}.size`
  const reversed = columns.map(column => `${column} ${isNewest ? 'asc' : 'desc'}`).join(', ')
  const lastOfRange = `select ${jsonArraySql(['null', size, 'true', ...position])} from ${from} order by ${reversed} limit 1`
  const lastExamined = `select ${jsonArraySql(['null', maxExamined, 'false', ...position])} from ${from} ${order} offset ${maxExamined} - 1 limit 1`
  const sizes = `select count(*) as size from (select from ${from} ${order} limit ${maxExamined} + 1) as ${EXAMINED}`
  return `(select case when ${size} <= ${maxExamined} then (${lastOfRange}) else (${lastExamined}) end from (${sizes}) as ${COUNTED})`
}

/**
 * Returns the JSON value `{ rows, end }`: the rows that pass, and the last row that was examined, which is NULL if the
 * range is empty. All have the form of {@link numberedRowsSql}, but those that pass have no number. The rows are counted
 * in their index when the last entry is known, which takes a third of the time of numbering them. Postgres does not
 * execute the window of those that pass if no entry uses their number.
 */
export const countedRowsSql = (examined: ExaminedRows, rowOrder: RowOrder): string => {
  const { rows, used, held, item, rowLimit, maxExamined } = examined
  const { renamed, restored } = renameColumns(used, EXAMINED)
  const last = rowOrder.columns.map((column, index) => `(array_agg(${column}))[count(*)] as last${index}`)
  const entry = jsonArraySql([HELD, 'null', 'null', ...item(`${EXAMINED}.number`)])
  return `(select json_build_object('rows', ${PAGE}.rows, 'end', case when ${PAGE}.size = ${rowLimit}
  then ${endOfPageSql(examined, rowOrder)} else ${endOfRowsSql(examined, rowOrder)} end) from (
  select coalesce(json_agg(${entry}), '[]'::json) as rows, count(*) as size, ${last.join(', ')} from (
    select ${EXAMINED}.*, ${NUMBER} as number from (
      select ${held} as held, ${renamed} from ${rows.from} ${rows.order} limit ${maxExamined}
    ) as ${EXAMINED} where ${IS_HELD} limit ${rowLimit}
  ) as ${EXAMINED} ${restored}
) as ${PAGE})`
}

/** The rows that pass, and the last row that was examined, which has no values if the range is empty. */
type ReadRows = { readonly rows: readonly SelectedRow[]; readonly end: SelectedRow }

/** Reads the rows of a range, numbered or counted. */
export const readExaminedRows = (page: JsonValue | undefined): ReadRows => {
  const counted = isObject(page) && !isJsonArray(page) ? page : undefined
  const values = counted?.rows ?? page
  const rows: SelectedRow[] = []
  let end: SelectedRow = []
  for (const value of isJsonArray(values) ? values : []) {
    if (!isJsonArray(value)) continue
    end = flattenRow(value)
    if (end[0] !== null) rows.push(end)
  }
  if (counted !== undefined) end = isJsonArray(counted.end) ? flattenRow(counted.end) : []
  return { rows, end }
}
