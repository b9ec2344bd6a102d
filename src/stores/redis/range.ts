import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { EdgeEntry, EdgePosition, EdgeRange, NodeRecord, RangeResult } from '../../store/contract.ts'
import { type Command, createCommand, createScriptCommand, parseListReply } from './commands.ts'
import {
  type Generation,
  hasDataSuffix,
  parseMember,
  parseMemberGeneration,
  toMember,
  withoutDataSuffix,
} from './encoding.ts'
import { READ_RANGE_SCRIPT } from './read-scripts.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { ReadReply, RoundTrip } from './round-trip.ts'
import { decodeData } from './stored-json.ts'

/** An edge of a list, whether or not its target still exists. */
export type ListRow = EdgePosition & { readonly member: string }

/** The data of edges by member. It does not contain edges without data. */
type EdgeDataByMember = ReadonlyMap<string, JsonObject>

export const NO_DATA: EdgeDataByMember = new Map()

/** The replies for a range, without the nodes of its targets. */
export type RangePage = {
  readonly range: EdgeRange
  readonly total: number | undefined
  readonly hasMore: boolean
  /** The rows in the direction of the range. */
  readonly rows: readonly ListRow[]
  /** The data of the rows; undefined until it is read. */
  readonly data: EdgeDataByMember | undefined
}

/** A page with the data of its edges. */
export type CompletePage = RangePage & { readonly data: EdgeDataByMember }

export const isComplete = (page: RangePage): page is CompletePage => page.data !== undefined

/**
 * Creates the command of the script that reads a number of rows of a range, oldest first. With the key of the
 * data, the script reads the data too.
 */
const createRangeScriptCommand = (
  { direction, from, minTime, maxTime }: EdgeRange,
  count: number,
  ...keys: readonly [list: string, ...data: string[]]
): Command => {
  const timeLimits = [`${minTime ?? ''}`, `${maxTime ?? ''}`]
  const position = from === undefined ? ['', ''] : [`${from.time}`, toMember(from.target)]
  return createScriptCommand(READ_RANGE_SCRIPT, keys, [direction, `${count}`, ...timeLimits, ...position])
}

/**
 * Creates the command that reads a number of rows of a range, oldest first. It needs a script only for a position
 * or a time limit.
 */
export const createRowsCommand = (listKey: string, range: EdgeRange, count: number): Command => {
  const { direction, from, minTime, maxTime } = range
  if (from !== undefined || minTime !== undefined || maxTime !== undefined)
    return createRangeScriptCommand(range, count, listKey)
  const bounds = direction === 'newest' ? [`${-count}`, '-1'] : ['0', `${count - 1}`]
  return createCommand('zrange', listKey, ...bounds, 'WITHSCORES')
}

/** Decodes alternating members and times. */
const decodeRows = (cells: readonly unknown[]): ListRow[] => {
  const rows: ListRow[] = []
  for (let index = 0; index < cells.length; index += 2) {
    const member = String(cells[index])
    rows.push({ target: parseMember(member), time: Number(cells[index + 1]), member })
  }
  return rows
}

/**
 * Assigns the texts to the rows with data, in order. Returns undefined if an edge was written after its row
 * was read.
 */
const matchData = (rows: readonly ListRow[], texts: readonly unknown[]): EdgeDataByMember | undefined => {
  const dataByMember = new Map<string, JsonObject>()
  for (const [index, row] of rows.filter(({ member }) => hasDataSuffix(member)).entries()) {
    const text = texts[index]
    if (typeof text !== 'string') return undefined
    const [time, edgeData] = decodeData(text)
    if (time !== row.time) return undefined
    dataByMember.set(row.member, edgeData)
  }
  return dataByMember
}

/** Creates a page, without the data of its edges. */
const toPage = (range: EdgeRange, oldestFirstRows: readonly ListRow[], total: unknown): RangePage => {
  const rows = range.direction === 'newest' ? oldestFirstRows.toReversed() : [...oldestFirstRows]
  const hasMore = rows.length > range.limit
  if (hasMore) rows.pop()
  const data = rows.some(({ member }) => hasDataSuffix(member)) ? undefined : NO_DATA
  return { range, total: range.count ? Number(total) : undefined, hasMore, rows, data }
}

const enqueueTotal = (
  roundTrip: RoundTrip,
  keys: RedisKeys,
  { source, name, count }: EdgeRange,
): ReadReply => (count ? roundTrip.enqueue(createCommand('zcard', keys.list(source, name))) : () => undefined)

/** Enqueues reads of the edges of a range, and of their count. */
export const enqueueRange = (roundTrip: RoundTrip, keys: RedisKeys, range: EdgeRange): (() => RangePage) => {
  const readTotal = enqueueTotal(roundTrip, keys, range)
  const listKey = keys.list(range.source, range.name)
  // One row more than the page shows whether there are more.
  const readCells =
    range.limit > 0 ? roundTrip.enqueue(createRowsCommand(listKey, range, range.limit + 1)) : () => []
  return () => toPage(range, decodeRows(parseListReply(readCells())), readTotal())
}

/**
 * Enqueues reads of the data of a page. The result is a page without data if an edge was written after its
 * row was read.
 */
export const enqueueData = (roundTrip: RoundTrip, keys: RedisKeys, page: RangePage): (() => RangePage) => {
  if (isComplete(page)) return () => page
  const { range, rows } = page
  const fields = rows.flatMap(({ member }) => (hasDataSuffix(member) ? withoutDataSuffix(member) : []))
  const readTexts = roundTrip.enqueue(
    createCommand('hmget', keys.edgeData(range.source, range.name), ...fields),
  )
  return () => ({ ...page, data: matchData(rows, parseListReply(readTexts())) })
}

/** Enqueues an atomic read of a range with the data of its edges. */
export const enqueueRangeWithData = (
  roundTrip: RoundTrip,
  keys: RedisKeys,
  range: EdgeRange,
): (() => CompletePage) => {
  const [listKey, dataKey] = [keys.list(range.source, range.name), keys.edgeData(range.source, range.name)]
  const readTotal = enqueueTotal(roundTrip, keys, range)
  const readReply = roundTrip.enqueue(createRangeScriptCommand(range, range.limit + 1, listKey, dataKey))
  return () => {
    const [cells, texts] = parseListReply(readReply())
    const rows = decodeRows(parseListReply(cells))
    const data = matchData(rows, parseListReply(texts))
    if (data === undefined) throw new Error(`an edge of ${listKey} lacks its data`)
    return { ...toPage(range, rows, readTotal()), data }
  }
}

/** The existing nodes of a read, and the generations of those that were deleted before. */
export class FoundNodes {
  readonly #nodes = new Map<NodeId, NodeRecord>()
  readonly #generations = new Map<NodeId, Generation>()

  get(id: NodeId): NodeRecord | undefined {
    return this.#nodes.get(id)
  }

  generationOf(id: NodeId): Generation {
    return this.#generations.get(id) ?? ''
  }

  add(node: NodeRecord, generation: Generation): void {
    this.#nodes.set(node.id, node)
    if (generation !== '') this.#generations.set(node.id, generation)
  }

  /** Returns the target of a row; undefined if the edge leads to a generation that was deleted. */
  findTarget({ target, member }: ListRow): NodeRecord | undefined {
    const node = this.#nodes.get(target)
    const isCurrent = parseMemberGeneration(member) === this.generationOf(target)
    return isCurrent ? node : undefined
  }
}

/**
 * Creates the result of a page. Omits an edge whose target is deleted but which is not purged yet.
 * `lastExamined` and `hasMore` include it, so that the next read continues correctly.
 */
export const toRangeResult = (
  { rows, total, hasMore, data }: CompletePage,
  findTarget: (row: ListRow) => NodeRecord | undefined,
): RangeResult => {
  const entries: EdgeEntry[] = []
  for (const row of rows) {
    const node = findTarget(row)
    if (node !== undefined)
      entries.push({ target: row.target, time: row.time, data: data.get(row.member), node })
  }
  const last = rows.at(-1)
  return { entries, hasMore, lastExamined: last && { time: last.time, target: last.target }, total }
}
