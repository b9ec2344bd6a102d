import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { EdgeEntry, EdgePosition, EdgeRange, EdgeSlice } from '../../store/contract.ts'
import type { SqliteDatabase, SqliteValue } from './sqlite-client.ts'
import { prepareJsonQuery } from './statements.ts'

/** What a statement answers of an edge and the node that it leads to. */
type Row = [target: NodeId, time: number, data: JsonObject | null, type: string, fields: JsonObject]
const WIDTH = 5

/** How many edges there are, and the rows end to end: as lists in a list they would take longer to parse. */
type ListItem = readonly [total: number | null, ...rows: Row[number][]]

/** Answers lists that are all asked for alike but for their source, in the order of the sources. */
export type RangeQuery = (range: EdgeRange, sources: readonly NodeId[]) => readonly EdgeSlice[]

const LATEST = 8.64e15
const EARLIEST = -LATEST

/**
 * Each list is read from where it begins, in the order of the table, no further than its limit. Ids go in as
 * numbers of JSON, which SQLite reads whole, and are answered as text, since JavaScript would round them. A bare parameter as the limit would have SQLite plan the
 * statement anew at every call, which takes longer than most lists.
 */
const sqlOf = (isNewest: boolean, isWhole: boolean): string => {
  const [beyond, within, order] = isNewest ? ['<', '>=', 'desc'] : ['>', '<=', 'asc']
  const bounds = isWhole ? '' : `and (e.time, e.target) ${beyond} (?, ?) and e.time ${within} ?`
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
    ) as answer
    from json_each(?) list`
}

/** Whether the walk is over all of the list, so that its count tells whether there are more than are answered. */
const isWhole = ({ from, minTime, maxTime }: EdgeRange): boolean =>
  from === undefined && minTime === undefined && maxTime === undefined

/** The position beyond which a walk begins: `from`, or where the times asked for begin if that is further. */
const startOf = ({ direction, from, minTime, maxTime }: EdgeRange): EdgePosition => {
  const isNewest = direction === 'newest'
  const isBegun =
    from !== undefined && (isNewest ? from.time <= (maxTime ?? LATEST) : from.time >= (minTime ?? EARLIEST))
  if (isBegun) return from
  // No id is 0: below it in the next millisecond, or above it in this one, is all that the times admit.
  return { time: isNewest ? (maxTime ?? LATEST) + 1 : (minTime ?? EARLIEST), target: '0' }
}

/** The times and positions that a walk over a part of a list is bound by. */
const boundsOf = (range: EdgeRange): [SqliteValue, SqliteValue, SqliteValue] => {
  const start = startOf(range)
  const last = range.direction === 'newest' ? (range.minTime ?? EARLIEST) : (range.maxTime ?? LATEST)
  return [start.time, BigInt(start.target), last]
}

const sliceOf = (list: ListItem, range: EdgeRange): EdgeSlice => {
  const { limit } = range
  const total = list[0]
  const read = Math.floor(list.length / WIDTH)
  const answered = Math.min(read, limit)
  const entries: EdgeEntry[] = []
  for (let row = 0, at = 1; row < answered; row++, at += WIDTH) {
    const target = list[at] as Row[0]
    const time = list[at + 1] as Row[1]
    const data = list[at + 2] as Row[2]
    const type = list[at + 3] as Row[3]
    const fields = list[at + 4] as Row[4]
    entries.push({ target, time, data: data ?? undefined, node: { id: target, type, fields } })
  }
  const last = entries[answered - 1]
  const end = last && { time: last.time, target: last.target }
  const more = isWhole(range) ? read === limit && limit > 0 && (total ?? 0) > read : read > limit
  return { entries, more, end, total: range.count ? (total ?? 0) : undefined }
}

/**
 * Whether there are more than are answered, a walk over a whole list tells from the count; any other reads an edge more,
 * whose node takes longer to read and to parse than a count.
 */
export const prepareRangeQuery = (database: SqliteDatabase): RangeQuery => {
  const prepare = (isNewest: boolean, isWhole: boolean) =>
    prepareJsonQuery<ListItem>(database, sqlOf(isNewest, isWhole))
  const wholes = { newest: prepare(true, true), oldest: prepare(false, true) }
  const parts = { newest: prepare(true, false), oldest: prepare(false, false) }
  return (range, sources) => {
    const { direction, limit, count } = range
    const name = JSON.stringify(range.name)
    const list = `[${sources.join()}]`
    const lists = isWhole(range)
      ? wholes[direction](name, count || limit > 0 ? 1 : 0, limit, list)
      : parts[direction](name, count ? 1 : 0, ...boundsOf(range), limit > 0 ? limit + 1 : 0, list)
    return lists.map(list => sliceOf(list, range))
  }
}
