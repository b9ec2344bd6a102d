import { compareIds, type NodeId } from '../../base/ids.ts'
import type { EdgeEntry, EdgeRange, EdgeSlice } from '../../store/contract.ts'
import { LONGEST_CHAIN } from './edge-lists.ts'
import { TARGET } from './edge-table.ts'
import { findList, type GraphTables } from './graph-tables.ts'

const NO_ENTRIES: readonly EdgeEntry[] = Object.freeze([])
const emptySlice = (total: number | undefined): EdgeSlice =>
  Object.freeze({ entries: NO_ENTRIES, more: false, end: undefined, total })
const EMPTY = emptySlice(undefined)
const EMPTY_COUNTED = emptySlice(0)

/** Where a walk starts, behind a position or, without a target, with all of its time, and the last time it may reach. */
type Walk = {
  readonly isDownwards: boolean
  readonly time: number
  readonly target: NodeId | undefined
  readonly lastTime: number
}

const walkOf = ({ direction, from, minTime, maxTime }: EdgeRange): Walk => {
  const isDownwards = direction === 'newest'
  const firstTime = isDownwards
    ? (maxTime ?? Number.POSITIVE_INFINITY)
    : (minTime ?? Number.NEGATIVE_INFINITY)
  const lastTime = isDownwards ? (minTime ?? Number.NEGATIVE_INFINITY) : (maxTime ?? Number.POSITIVE_INFINITY)
  const startsAtFrom = from !== undefined && (isDownwards ? from.time <= firstTime : from.time >= firstTime)
  return startsAtFrom
    ? { isDownwards, time: from.time, target: from.target, lastTime }
    : { isDownwards, time: firstTime, target: undefined, lastTime }
}

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
    const count = outgoing.walk(list, walk.isDownwards, edge => this.#isAhead(walk, edge), most, this.#walked)
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

  /** Whether an edge lies in the direction of the walk from its start. */
  #isAhead({ isDownwards, time, target }: Walk, edge: number): boolean {
    const { nodes, edges } = this.#tables
    const edgeTime = edges.time(edge)
    if (edgeTime !== time) return isDownwards ? edgeTime < time : edgeTime > time
    if (target === undefined) return true
    const order = compareIds(nodes.at(edges.get(edge, TARGET))?.id ?? '', target)
    return isDownwards ? order < 0 : order > 0
  }
}
