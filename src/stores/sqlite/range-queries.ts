import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { EdgeEntry, EdgePosition, EdgeRange, RangeResult } from '../../store/contract.ts'
import { prepareJsonQuery, type SqliteDatabase, type SqliteValue } from './connection.ts'

/** The columns of an edge and its target. */
type EntryColumns = [target: NodeId, time: number, data: JsonObject | null, type: string, fields: JsonObject]
const COLUMNS_PER_ENTRY = 5

/** The count, and the columns of all rows in one flat list, since nested lists take longer to parse. */
type PackedList = readonly [total: number | null, ...rows: EntryColumns[number][]]

/** Reads lists that differ only in their source, in the order of the sources. */
export type RangeQuery = (range: EdgeRange, sources: readonly NodeId[]) => readonly RangeResult[]

const LATEST_TIME = 8.64e15
const EARLIEST_TIME = -LATEST_TIME

/**
 * Creates the statement. It reads each list from its start, in the order of the table, up to the limit. Ids
 * are passed as JSON numbers, which SQLite reads exactly, and returned as text, since JavaScript would round
 * them. With a plain parameter as the limit, SQLite would plan the statement again at every call, which takes
 * longer than most lists.
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

/** Whether the walk covers the whole list, so that its count shows whether there are more entries. */
const isWholeList = ({ from, minTime, maxTime }: EdgeRange): boolean =>
  from === undefined && minTime === undefined && maxTime === undefined

/** Returns the position after which a walk begins: `from`, or the time limit if that is further. */
const findStartPosition = ({ direction, from, minTime, maxTime }: EdgeRange): EdgePosition => {
  const isNewestFirst = direction === 'newest'
  const startsAtFrom =
    from !== undefined &&
    (isNewestFirst ? from.time <= (maxTime ?? LATEST_TIME) : from.time >= (minTime ?? EARLIEST_TIME))
  if (startsAtFrom) return from
  // No id is 0, so this position in the next millisecond, or in this one, includes exactly the times within
  // the limit.
  return { time: isNewestFirst ? (maxTime ?? LATEST_TIME) + 1 : (minTime ?? EARLIEST_TIME), target: '0' }
}

/** Returns the bounds of times and positions of a walk over a part of a list. */
const toBoundParameters = (range: EdgeRange): [SqliteValue, SqliteValue, SqliteValue] => {
  const start = findStartPosition(range)
  const lastTime =
    range.direction === 'newest' ? (range.minTime ?? EARLIEST_TIME) : (range.maxTime ?? LATEST_TIME)
  return [start.time, BigInt(start.target), lastTime]
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
 * Prepares the queries, and returns a function that runs the one for a range. A walk over a whole list uses
 * the count to know whether there are more entries. Any other reads one more edge, whose node takes longer to
 * read and to parse than a count.
 */
export const prepareRangeQuery = (database: SqliteDatabase): RangeQuery => {
  const prepare = (isNewestFirst: boolean, coversWholeList: boolean) =>
    prepareJsonQuery<PackedList>(database, createRangeSql(isNewestFirst, coversWholeList))
  const wholeListQueries = { newest: prepare(true, true), oldest: prepare(false, true) }
  const partialListQueries = { newest: prepare(true, false), oldest: prepare(false, false) }
  return (range, sources) => {
    const { direction, limit, count } = range
    const name = JSON.stringify(range.name)
    const sourcesJson = `[${sources.join()}]`
    const packedLists = isWholeList(range)
      ? wholeListQueries[direction](name, count || limit > 0 ? 1 : 0, limit, sourcesJson)
      : partialListQueries[direction](
          name,
          count ? 1 : 0,
          ...toBoundParameters(range),
          limit > 0 ? limit + 1 : 0,
          sourcesJson,
        )
    return packedLists.map(list => toRangeResult(list, range))
  }
}
