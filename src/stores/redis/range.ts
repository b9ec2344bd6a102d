import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { EdgeEntry, EdgePosition, EdgeRange, NodeRecord, RangeResult } from '../../store/contract.ts'
import { type Command, createCommand, createScriptCommand, parseListReply } from './command-sender.ts'
import { decodeData, hasDataSuffix, parseMember, type RedisKeys, toMember } from './encoding.ts'
import type { ReadReply, RoundTrip } from './round-trip.ts'
import { READ_RANGE_SCRIPT } from './scripts.ts'

/** An edge of a list, whether or not its target still exists. */
type EdgeRow = EdgePosition & { readonly hasData: boolean }

/** The data of edges by target. It does not contain edges without data. */
type EdgeDataByTarget = ReadonlyMap<NodeId, JsonObject>

const NO_DATA: EdgeDataByTarget = new Map()

/** The replies for a range, without the nodes of its targets. */
export type RangePage = {
  readonly range: EdgeRange
  readonly total: number | undefined
  readonly hasMore: boolean
  /** The rows in the direction of the range. */
  readonly rows: readonly EdgeRow[]
  /** The data of the rows; undefined until it is read. */
  readonly data: EdgeDataByTarget | undefined
}

/** A page with the data of its edges. */
export type CompletePage = RangePage & { readonly data: EdgeDataByTarget }

export const isComplete = (page: RangePage): page is CompletePage => page.data !== undefined

/**
 * Creates the command of the script that reads one row more than the page, oldest first. With the key of the
 * data, the script reads the data too.
 */
const createRangeScriptCommand = (
  range: EdgeRange,
  ...keys: readonly [list: string, ...data: string[]]
): Command => {
  const { direction, from, minTime, maxTime, limit } = range
  const timeLimits = [`${minTime ?? ''}`, `${maxTime ?? ''}`]
  const position = from === undefined ? ['', ''] : [`${from.time}`, toMember(from.target)]
  return createScriptCommand(READ_RANGE_SCRIPT, keys, [direction, `${limit + 1}`, ...timeLimits, ...position])
}

/**
 * Creates the command that reads one row more than the page, oldest first. It needs a script only for a
 * position or a time limit.
 */
const createRowsCommand = (keys: RedisKeys, range: EdgeRange): Command => {
  const { source, name, direction, from, minTime, maxTime, limit } = range
  const listKey = keys.list(source, name)
  if (from !== undefined || minTime !== undefined || maxTime !== undefined)
    return createRangeScriptCommand(range, listKey)
  const bounds = direction === 'newest' ? [`${-1 - limit}`, '-1'] : ['0', `${limit}`]
  return createCommand('zrange', listKey, ...bounds, 'WITHSCORES')
}

/** Decodes alternating members and times. */
const decodeRows = (cells: readonly unknown[]): EdgeRow[] => {
  const rows: EdgeRow[] = []
  for (let index = 0; index < cells.length; index += 2) {
    const member = String(cells[index])
    rows.push({ target: parseMember(member), time: Number(cells[index + 1]), hasData: hasDataSuffix(member) })
  }
  return rows
}

/**
 * Assigns the texts to the rows with data, in order. Returns undefined if an edge was written after its row
 * was read.
 */
const matchData = (rows: readonly EdgeRow[], texts: readonly unknown[]): EdgeDataByTarget | undefined => {
  const dataByTarget = new Map<NodeId, JsonObject>()
  for (const [index, row] of rows.filter(({ hasData }) => hasData).entries()) {
    const text = texts[index]
    if (typeof text !== 'string') return undefined
    const [time, edgeData] = decodeData(text)
    if (time !== row.time) return undefined
    dataByTarget.set(row.target, edgeData)
  }
  return dataByTarget
}

/** Creates a page, without the data of its edges. */
const toPage = (range: EdgeRange, oldestFirstRows: readonly EdgeRow[], total: unknown): RangePage => {
  const rows = range.direction === 'newest' ? oldestFirstRows.toReversed() : [...oldestFirstRows]
  const hasMore = rows.length > range.limit
  if (hasMore) rows.pop()
  const data = rows.some(({ hasData }) => hasData) ? undefined : NO_DATA
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
  const readCells = range.limit > 0 ? roundTrip.enqueue(createRowsCommand(keys, range)) : () => []
  return () => toPage(range, decodeRows(parseListReply(readCells())), readTotal())
}

/**
 * Enqueues reads of the data of a page. The result is a page without data if an edge was written after its
 * row was read.
 */
export const enqueueData = (roundTrip: RoundTrip, keys: RedisKeys, page: RangePage): (() => RangePage) => {
  if (isComplete(page)) return () => page
  const { range, rows } = page
  const members = rows.flatMap(({ hasData, target }) => (hasData ? toMember(target) : []))
  const readTexts = roundTrip.enqueue(
    createCommand('hmget', keys.edgeData(range.source, range.name), ...members),
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
  const readReply = roundTrip.enqueue(createRangeScriptCommand(range, listKey, dataKey))
  return () => {
    const [cells, texts] = parseListReply(readReply())
    const rows = decodeRows(parseListReply(cells))
    const data = matchData(rows, parseListReply(texts))
    if (data === undefined) throw new Error(`an edge of ${listKey} lacks its data`)
    return { ...toPage(range, rows, readTotal()), data }
  }
}

/**
 * Creates the result of a page. Omits an edge whose target is deleted but which is not purged yet.
 * `lastExamined` and `hasMore` include it, so that the next read continues correctly.
 */
export const toRangeResult = (
  { rows, total, hasMore, data }: CompletePage,
  nodes: ReadonlyMap<NodeId, NodeRecord>,
): RangeResult => {
  const entries: EdgeEntry[] = []
  for (const { target, time } of rows) {
    const node = nodes.get(target)
    if (node !== undefined) entries.push({ target, time, data: data.get(target), node })
  }
  const last = rows.at(-1)
  return { entries, hasMore, lastExamined: last && { time: last.time, target: last.target }, total }
}
