import type { EdgeEntry, EdgeRange, EdgeSlice } from '../../store/contract.ts'
import { LONGEST_CHAIN } from './edge-lists.ts'
import { TARGET } from './edge-table.ts'
import { findList, type GraphTables } from './graph-tables.ts'
import type { Cut } from './sort-order.ts'

const NO_ENTRIES: readonly EdgeEntry[] = Object.freeze([])
const emptySlice = (total: number | undefined): EdgeSlice =>
  Object.freeze({ entries: NO_ENTRIES, more: false, end: undefined, total })
const EMPTY = emptySlice(undefined)
const EMPTY_COUNTED = emptySlice(0)

type Walk = { readonly isDownwards: boolean; readonly cut: Cut; readonly lastTime: number }

/** Answers ranges: O(log n) to find the start, and then a step for each entry. */
export class RangeReader {
  readonly #tables: GraphTables
  /** The edges of the range at hand, in walking direction. */
  #walked = new Uint32Array(2 * LONGEST_CHAIN)

  constructor(tables: GraphTables) {
    this.#tables = tables
  }

  read(range: EdgeRange): EdgeSlice {
    const { nodes, outgoing } = this.#tables
    const list = findList(this.#tables, nodes.find(range.source), range.name)
    const length = list === 0 ? 0 : outgoing.length(list)
    if (length === 0) return range.count ? EMPTY_COUNTED : EMPTY
    const total = range.count ? length : undefined
    if (range.limit <= 0) return { entries: NO_ENTRIES, more: false, end: undefined, total }
    const walk = walkOf(range)
    const most = Math.min(range.limit + 1, length)
    if (most > this.#walked.length) this.#walked = new Uint32Array(most)
    const count = outgoing.walk(list, walk.isDownwards, walk.cut, most, this.#walked)
    return this.#answer(walk, count, range.limit, total)
  }

  #answer(
    { isDownwards, lastTime }: Walk,
    count: number,
    limit: number,
    total: number | undefined,
  ): EdgeSlice {
    const { nodes, edges } = this.#tables
    const entries: EdgeEntry[] = []
    let more = false
    for (let index = 0; index < count; index++) {
      const edge = this.#walked[index] ?? 0
      const time = edges.time(edge)
      if (isDownwards ? time < lastTime : time > lastTime) break
      more = index === limit
      if (more) break
      const node = nodes.at(edges.get(edge, TARGET))
      if (node !== undefined) entries.push({ target: node.id, time, data: edges.data(edge), node })
    }
    const last = entries.at(-1)
    const end = last === undefined ? undefined : { time: last.time, target: last.target }
    return { entries, more, end, total }
  }
}

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
