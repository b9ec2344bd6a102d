import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type {
  EdgeEntry,
  EdgePosition,
  EdgeRange,
  EdgeSlice,
  EdgeTest,
  NodeRecord,
  TokenRecord,
  Wave,
  WaveAnswer,
} from '../../store/contract.ts'
import { comparePositions } from '../../store/order.ts'
import { wholeToken } from '../../store/whole-token.ts'
import type { Row, Run } from './database.ts'
import type { ReadStatements } from './statements.ts'
import { fromStored, toStored } from './stored-text.ts'

/** Positions that no edge has: times end before them, and ids begin with 1. */
const FIRST: EdgePosition = { time: -8.64e15, target: '0' }
const LAST: EdgePosition = { time: 8.64e15 + 1, target: '0' }

const later = (a: EdgePosition, b: EdgePosition): EdgePosition => (comparePositions(a, b) < 0 ? b : a)
const earlier = (a: EdgePosition, b: EdgePosition): EdgePosition => (comparePositions(a, b) < 0 ? a : b)

/** A range as its statement takes it: the stretch of the list that it may answer, without its ends. */
const askedOf = ({ source, name, direction, from, minTime, maxTime, limit, count }: EdgeRange) => {
  const first = minTime === undefined ? FIRST : { time: minTime, target: '0' }
  const last = maxTime === undefined ? LAST : { time: maxTime + 1, target: '0' }
  const low = direction === 'oldest' && from !== undefined ? later(first, from) : first
  const high = direction === 'newest' && from !== undefined ? earlier(last, from) : last
  return {
    source,
    name: toStored(name),
    newest: direction === 'newest',
    low_time: low.time,
    low_target: low.target,
    high_time: high.time,
    high_target: high.target,
    // One row more tells whether there are more; a limit of 0 asks for the count alone.
    most: limit === 0 ? 0 : limit + 1,
    counted: count,
  }
}

/** A node as a row holds it. */
export const nodeOf = (id: NodeId, type: string, fields: string): NodeRecord => ({
  id,
  type: fromStored(type),
  fields: JSON.parse(fields),
})

const readNodes = async (run: Run, statements: ReadStatements, ids: readonly NodeId[]) => {
  if (ids.length === 0) return []
  const rows = await run(statements.nodes, [ids])
  const found = new Map<NodeId, NodeRecord>()
  for (const [id, type, fields] of rows)
    if (id && type != null && fields) found.set(id, nodeOf(id, type, fields))
  return ids.map(id => found.get(id))
}

const readTests = async (run: Run, statements: ReadStatements, tests: readonly EdgeTest[]) => {
  if (tests.length === 0) return []
  const asked = tests.map(({ source, name, target }) => ({ source, name: toStored(name), target }))
  const rows = await run(statements.tests, [JSON.stringify(asked)])
  const found = new Set(rows.map(([place]) => Number(place) - 1))
  return tests.map((_, index) => found.has(index))
}

const readTokens = async (run: Run, statements: ReadStatements, digests: readonly string[]) => {
  if (digests.length === 0) return []
  const rows = await run(statements.tokens, [digests.map(toStored)])
  const found = new Map<string, TokenRecord>()
  for (const [digest, record] of rows)
    if (digest != null && record) found.set(fromStored(digest), wholeToken(JSON.parse(record)))
  return digests.map(digest => found.get(digest))
}

/** What the rows of one range hold, before it is cut to its limit. */
type Found = { readonly entries: EdgeEntry[]; total: number | undefined }

const addRow = (found: Found, [, target, time, data, type, fields, total]: Row): void => {
  if (total != null) found.total = Number(total)
  if (!target || !time || type == null || !fields) return
  const node = nodeOf(target, type, fields)
  const own: JsonObject | undefined = data == null ? undefined : JSON.parse(data)
  found.entries.push({ target, time: Number(time), data: own, node })
}

/** The order is that of the index already, but SQL does not promise it. */
const sliceOf = ({ direction, limit }: EdgeRange, { entries, total }: Found): EdgeSlice => {
  entries.sort(direction === 'oldest' ? comparePositions : (a, b) => comparePositions(b, a))
  const more = entries.length > limit
  const taken = more ? entries.slice(0, limit) : entries
  const last = taken.at(-1)
  return { entries: taken, more, end: last && { time: last.time, target: last.target }, total }
}

const readRanges = async (run: Run, statements: ReadStatements, ranges: readonly EdgeRange[]) => {
  if (ranges.length === 0) return []
  const rows = await run(statements.ranges, [JSON.stringify(ranges.map(askedOf))])
  const found = ranges.map((): Found => ({ entries: [], total: undefined }))
  for (const row of rows) {
    const place = found[Number(row[0]) - 1]
    if (place !== undefined) addRow(place, row)
  }
  return ranges.map((range, index) => sliceOf(range, found[index] ?? { entries: [], total: undefined }))
}

/** Answers a wave by at most one statement for each part that asks something, all of them at once. */
export const readWave = async (run: Run, statements: ReadStatements, wave: Wave): Promise<WaveAnswer> => {
  const [nodes, ranges, tests, tokens] = await Promise.all([
    readNodes(run, statements, wave.nodes),
    readRanges(run, statements, wave.ranges),
    readTests(run, statements, wave.tests),
    readTokens(run, statements, wave.tokens),
  ])
  return { nodes, ranges, tests, tokens }
}
