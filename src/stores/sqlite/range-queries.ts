import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { EdgeEntry, EdgePosition, EdgeRange, RangeResult } from '../../store/contract.ts'
import { toSourceNumber } from '../source-number.ts'
import { prepareJsonQuery, type SqliteDatabase, type SqliteValue } from './connection.ts'
import type { SqliteIdColumn } from './id-column.ts'

/** The columns of an edge and its target. */
type EntryColumns = [target: NodeId, time: number, data: JsonObject | null, type: string, fields: JsonObject]
const COLUMNS_PER_ENTRY = 5

/**
 * The count, and the columns of all rows. They are in one flat array, because nested arrays take longer to
 * parse.
 */
type PackedList = readonly [total: number | null, ...rows: EntryColumns[number][]]

/** Reads ranges that differ only in their source. Returns their results in the order of the sources. */
export type RangeQuery = (range: EdgeRange, sources: readonly NodeId[]) => readonly RangeResult[]

const LATEST_TIME = 8.64e15
const EARLIEST_TIME = -LATEST_TIME

/**
 * Creates the SQL of a range query. It reads each list in the order of the table, up to the limit. Ids are
 * returned as text, because JavaScript would round numbers. The limit is wrapped in a `cast`: with a plain parameter,
 * SQLite would plan the statement again at every call, which takes longer than reading most lists.
 */
const createRangeSql = (isNewestFirst: boolean, coversWholeList: boolean): string => {
  const [startOperator, endOperator, order] = isNewestFirst ? ['<', '>=', 'desc'] : ['>', '<=', 'asc']
  const bounds = coversWholeList
    ? ''
    : `and (e.time, e.target) ${startOperator} (?, ?) and e.time ${endOperator} ?`
  return `
    with name (id) as (select id from names where text = ?)
    select group_concat(
      '[' || case when ? then coalesce((
        select total from counts c where c.source = list.value and c.name = (select id from name)
      ), 0) else 'null' end || coalesce((
        select ',"' || group_concat(entry, ',"') from (
          select e.target || '",' || e.time || coalesce(',' || e.data || ',', ',null,')
            || n.type || ',' || n.fields as entry
          from edges e cross join nodes n on n.id = e.target
          where e.source = list.value and e.name = (select id from name) ${bounds}
          order by e.time ${order}, e.target ${order}
          limit cast(? as integer)
        )
      ), '') || ']'
    ) as result
    from json_each(?) list`
}

/**
 * Whether a range covers the whole list, so that the count of the list shows whether there are more entries.
 */
const isWholeList = ({ from, minTime, maxTime }: EdgeRange): boolean =>
  from === undefined && minTime === undefined && maxTime === undefined

/**
 * Returns the position after which a range begins: `from`, or the time limit if that is further in its
 * direction.
 */
const findStartPosition = ({ direction, from, minTime, maxTime }: EdgeRange): EdgePosition => {
  const isNewestFirst = direction === 'newest'
  const startsAtFrom =
    from !== undefined &&
    (isNewestFirst ? from.time <= (maxTime ?? LATEST_TIME) : from.time >= (minTime ?? EARLIEST_TIME))
  if (startsAtFrom) return from
  // Every id of either kind is after 0, so this position is before all edges of its millisecond.
  return { time: isNewestFirst ? (maxTime ?? LATEST_TIME) + 1 : (minTime ?? EARLIEST_TIME), target: '0' }
}

/**
 * Returns the parameters for the bounds of a range: the time and target after which it begins, and its last
 * time.
 */
const toBoundParameters = (
  range: EdgeRange,
  { toParameter }: SqliteIdColumn,
): [SqliteValue, SqliteValue, SqliteValue] => {
  const start = findStartPosition(range)
  const lastTime =
    range.direction === 'newest' ? (range.minTime ?? EARLIEST_TIME) : (range.maxTime ?? LATEST_TIME)
  return [start.time, toParameter(start.target), lastTime]
}

const toRangeResult = (list: PackedList, range: EdgeRange): RangeResult => {
  const { limit } = range
  const total = list[0]
  const rowCount = Math.floor(list.length / COLUMNS_PER_ENTRY)
  const entryCount = Math.min(rowCount, limit)
  const entries: EdgeEntry[] = []
  for (let row = 0, offset = 1; row < entryCount; row++, offset += COLUMNS_PER_ENTRY) {
    const target = list[offset] as EntryColumns[0]
    const time = list[offset + 1] as EntryColumns[1]
    const data = list[offset + 2] as EntryColumns[2]
    const type = list[offset + 3] as EntryColumns[3]
    const fields = list[offset + 4] as EntryColumns[4]
    entries.push({ target, time, data: data ?? undefined, node: { id: target, type, fields } })
  }
  const last = entries[entryCount - 1]
  const lastExamined = last && { time: last.time, target: last.target }
  const hasMore = isWholeList(range)
    ? rowCount === limit && limit > 0 && (total ?? 0) > rowCount
    : rowCount > limit
  return { entries, hasMore, lastExamined, total: range.count ? (total ?? 0) : undefined }
}

/**
 * Prepares the queries, and returns a function that runs the right query for a range. If the range covers the
 * whole list, the count shows whether there are more entries. Otherwise, the query reads one more entry,
 * which takes longer than reading a count.
 */
export const prepareRangeQuery = (database: SqliteDatabase, ids: SqliteIdColumn): RangeQuery => {
  const prepare = (isNewestFirst: boolean, coversWholeList: boolean) =>
    prepareJsonQuery<PackedList>(database, createRangeSql(isNewestFirst, coversWholeList))
  const wholeListQueries = { newest: prepare(true, true), oldest: prepare(false, true) }
  const partialListQueries = { newest: prepare(true, false), oldest: prepare(false, false) }
  return (range, sources) => {
    const { direction, limit, count } = range
    const name = JSON.stringify(range.name)
    const sourcesJson = ids.toJsonArray(sources.map(toSourceNumber))
    const packedLists = isWholeList(range)
      ? wholeListQueries[direction](name, count || limit > 0 ? 1 : 0, limit, sourcesJson)
      : partialListQueries[direction](
          name,
          count ? 1 : 0,
          ...toBoundParameters(range, ids),
          limit > 0 ? limit + 1 : 0,
          sourcesJson,
        )
    return packedLists.map(list => toRangeResult(list, range))
  }
}
