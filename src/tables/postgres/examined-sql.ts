import { compareRows } from '../sql/sql-text.ts'
import { jsonArraySql } from './json-arrays.ts'
import { type OrderedRows, renameColumns, type UsedColumns } from './ordered-rows.ts'

/** The rows of a range under conditions. All members but `used` are SQL. */
export type ExaminedRows = {
  readonly rows: OrderedRows
  /** The columns that the other expressions use. */
  readonly used: UsedColumns
  /** The index of the condition that holds. */
  readonly held: string
  /** An entry. */
  readonly item: string
  /** The position of a row. */
  readonly position: string
  /** The maximum number of entries, and of rows to examine. */
  readonly rowLimit: string
  readonly maxExamined: string
}

/** The columns that order the rows of a range. None of their values is NULL. */
export type RowOrder = { readonly columns: readonly string[]; readonly isNewest: boolean }

const EXAMINED = 'examined'
const HELD = `${EXAMINED}.held`
const ORDINAL = `${EXAMINED}.ordinal`
const IS_LAST = `${EXAMINED}.is_last`
const PAGE = 'page'
const COUNTED = 'counted'

/**
 * Returns the JSON value `[rows, null]`: the rows that pass, and the last row that was examined, as
 * `[held, row, ordinal, is_last]`. `held` is the index of the condition that holds, and `row` is an entry, or the
 * position of a row that does not pass. The window ends as soon as the page is full, because its rows are already in
 * its order. Its frame of rows spares the server the comparison of neighbours.
 */
export const numberedRowsSql = ({
  rows: { from, order },
  used,
  held,
  item,
  position,
  rowLimit,
  maxExamined,
}: ExaminedRows): string => {
  const { renamed, restored } = renameColumns(used, EXAMINED)
  const row = `case when ${HELD} is null then ${position} else ${item} end`
  return `(select json_build_array(coalesce(json_agg(${PAGE}.item), '[]'::json), null) from (
  select json_build_array(${HELD}, ${row}, ${ORDINAL}, ${IS_LAST}) as item from (
    select row_number() over list as ordinal, lead(true) over list is null as is_last, ${held} as held, ${renamed} from ${from}
    window list as (${order} rows unbounded preceding) ${order} limit ${maxExamined}
  ) as ${EXAMINED} ${restored}
  where ${HELD} is not null or ${IS_LAST} or ${ORDINAL} = ${maxExamined} limit ${rowLimit}
) as ${PAGE})`
}

/** Returns the end of a full page, whose last entry is the last row that was examined. */
const endOfPageSql = ({ rows: { from } }: ExaminedRows, { columns, isNewest }: RowOrder): string => {
  const last = columns.map((_, index) => `${PAGE}.last${index}`)
  const count = `select count(*) from ${from} and ${compareRows(columns, isNewest ? '>=' : '<=', last)}`
  const rest = `select from ${from} and ${compareRows(columns, isNewest ? '<' : '>', last)}`
  return `json_build_array(0, null, (${count}), not exists (${rest}))`
}

/** Returns the end of a page that is not full: the last row of the range, or the last one that may be examined. */
const endOfRowsSql = (
  { rows: { from, order }, position, maxExamined }: ExaminedRows,
  { columns, isNewest }: RowOrder,
): string => {
  const isLast = `${COUNTED}.size <= ${maxExamined}`
  const reversed = columns.map(column => `${column} ${isNewest ? 'asc' : 'desc'}`).join(', ')
  const lastOfRange = `select ${position} from ${from} order by ${reversed} limit 1`
  const lastExamined = `select ${position} from ${from} ${order} offset ${maxExamined} - 1 limit 1`
  const end = jsonArraySql([
    'null',
    `case when ${isLast} then (${lastOfRange}) else (${lastExamined}) end`,
    `least(${COUNTED}.size, ${maxExamined})`,
    isLast,
  ])
  const size = `select count(*) as size from (select from ${from} limit ${maxExamined} + 1) as ${EXAMINED}`
  return `(select ${end} from (${size}) as ${COUNTED})`
}

/**
 * Returns the JSON value `[rows, end]`: the rows that pass as `[held, row]`, and the last row that was examined as in
 * {@link numberedRowsSql}. The rows are counted in their index when the last entry is known, which takes a third of the
 * time of numbering them.
 */
export const countedRowsSql = (examined: ExaminedRows, rowOrder: RowOrder): string => {
  const { rows, used, held, item, rowLimit, maxExamined } = examined
  const { renamed, restored } = renameColumns(used, EXAMINED)
  const last = rowOrder.columns.map((column, index) => `(array_agg(${column}))[count(*)] as last${index}`)
  return `(select json_build_array(${PAGE}.rows, case when ${PAGE}.size = ${rowLimit}
  then ${endOfPageSql(examined, rowOrder)} else ${endOfRowsSql(examined, rowOrder)} end) from (
  select coalesce(json_agg(json_build_array(${HELD}, ${item})), '[]'::json) as rows, count(*) as size, ${last.join(', ')} from (
    select ${EXAMINED}.* from (
      select ${held} as held, ${renamed} from ${rows.from} ${rows.order} limit ${maxExamined}
    ) as ${EXAMINED} where ${HELD} is not null limit ${rowLimit}
  ) as ${EXAMINED} ${restored}
) as ${PAGE})`
}
