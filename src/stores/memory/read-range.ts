import type { EdgeEntry, EdgeRange, EdgeSlice } from '../../store/contract.ts'
import { TARGET } from './edge-table.ts'
import { findList, type GraphTables } from './graph-tables.ts'
import type { Cut } from './sort-order.ts'

const NO_ENTRIES: readonly EdgeEntry[] = Object.freeze([])
const emptySlice = (total: number | undefined): EdgeSlice =>
  Object.freeze({ entries: NO_ENTRIES, more: false, end: undefined, total })
const EMPTY = emptySlice(undefined)
const EMPTY_COUNTED = emptySlice(0)

type Walk = { readonly isDownwards: boolean; readonly cut: Cut; readonly lastTime: number }

/** Starts behind `from`, there or not, or where the times asked for begin if that is further. */
const walkOf = ({ direction, from, minTime, maxTime }: EdgeRange): Walk => {
  const isDownwards = direction === 'newest'
  const earliest = minTime ?? Number.NEGATIVE_INFINITY
  const latest = maxTime ?? Number.POSITIVE_INFINITY
  const lastTime = isDownwards ? earliest : latest
  if (from !== undefined && (isDownwards ? from.time <= latest : from.time >= earliest)) {
    return { isDownwards, lastTime, cut: { key: from.time, id: from.target, reach: isDownwards ? 0 : 1 } }
  }
  const reach = isDownwards ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
  return { isDownwards, lastTime, cut: { key: isDownwards ? latest : earliest, id: '', reach } }
}

/** Answers a range of a list: O(log n) to find the start, and then a step for each entry. */
const readRange = (tables: GraphTables, list: number, range: EdgeRange): EdgeSlice => {
  const { limit, count } = range
  const length = list === 0 ? 0 : tables.outgoing.length(list)
  if (length === 0) return count ? EMPTY_COUNTED : EMPTY
  const total = count ? length : undefined
  if (limit <= 0) return { entries: NO_ENTRIES, more: false, end: undefined, total }
  const walk = walkOf(range)
  const walked = tables.outgoing.walk(list, walk.isDownwards, walk.cut, limit + 1)
  return sliceOf(tables, walk, walked, limit, total)
}

/** The slice of the edges walked, of which one may be too many, and the last ones too far. */
const sliceOf = (
  { nodes, edges }: GraphTables,
  { isDownwards, lastTime }: Walk,
  walked: readonly number[],
  limit: number,
  total: number | undefined,
): EdgeSlice => {
  const entries: EdgeEntry[] = []
  let more = false
  for (const edge of walked) {
    const time = edges.time(edge)
    if (isDownwards ? time < lastTime : time > lastTime) break
    more = entries.length === limit
    if (more) break
    const node = nodes.at(edges.get(edge, TARGET))
    if (node !== undefined) entries.push({ target: node.id, time, data: edges.data(edge), node })
  }
  const last = entries.at(-1)
  const end = last && { time: last.time, target: last.target }
  return { entries, more, end, total }
}

/** Answers ranges. All their sources are looked up first, then all their lists, so that many are waited for at once. */
export const readRanges = (tables: GraphTables, ranges: readonly EdgeRange[]): EdgeSlice[] => {
  const sources = tables.nodes.numbersOf(ranges.map(({ source }) => source))
  const lists = ranges.map(({ name }, index) => findList(tables, sources[index] ?? 0, name))
  return ranges.map((range, index) => readRange(tables, lists[index] ?? 0, range))
}
