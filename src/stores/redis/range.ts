import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { EdgeEntry, EdgePosition, EdgeRange, EdgeSlice, NodeRecord } from '../../store/contract.ts'
import { type Command, command, runScript } from './command.ts'
import { fromMember, isMarked, type Keys, toMember } from './keys.ts'
import { decodeData } from './records.ts'
import type { Reply, Round } from './round.ts'
import { READ_RANGE } from './scripts.ts'
import { listOf } from './sender.ts'

/** An edge as its list holds it, whether or not its target is still there. */
type Row = EdgePosition & { readonly hasData: boolean }

/** By target the data of the edges that have some. */
type Data = ReadonlyMap<NodeId, JsonObject>

const NO_DATA: Data = new Map()

/** What a server said of a range, but for the nodes that its edges lead to. */
export type Page = {
  readonly range: EdgeRange
  readonly total: number | undefined
  readonly more: boolean
  /** In the direction of the walk. */
  readonly rows: readonly Row[]
  /** Undefined until it was read. */
  readonly data: Data | undefined
}

/** A page with the data of its edges. */
export type WholePage = Page & { readonly data: Data }

export const isWhole = (page: Page): page is WholePage => page.data !== undefined

/** Reads one row more than the page, oldest first, and data where its key is given. */
const rangeScript = (range: EdgeRange, ...keys: readonly [list: string, ...data: string[]]): Command => {
  const { direction, from, minTime, maxTime, limit } = range
  const window = [`${minTime ?? ''}`, `${maxTime ?? ''}`]
  const position = from === undefined ? ['', ''] : [`${from.time}`, toMember(from.target)]
  return runScript(READ_RANGE, keys, [direction, `${limit + 1}`, ...window, ...position])
}

/** Reads one row more than the page, oldest first. A script is needed only to find the place where it begins. */
const rowsCommand = (keys: Keys, range: EdgeRange): Command => {
  const { source, name, direction, from, minTime, maxTime, limit } = range
  const list = keys.list(source, name)
  if (from !== undefined || minTime !== undefined || maxTime !== undefined) return rangeScript(range, list)
  const places = direction === 'newest' ? [`${-1 - limit}`, '-1'] : ['0', `${limit}`]
  return command('zrange', list, ...places, 'WITHSCORES')
}

/** Members and times in turn. */
const decodeRows = (cells: readonly unknown[]): Row[] => {
  const rows: Row[] = []
  for (let at = 0; at < cells.length; at += 2) {
    const member = String(cells[at])
    rows.push({ target: fromMember(member), time: Number(cells[at + 1]), hasData: isMarked(member) })
  }
  return rows
}

/** The data of those rows that have some, in their order; undefined where an edge was written since its row was read. */
const matchData = (rows: readonly Row[], texts: readonly unknown[]): Data | undefined => {
  const data = new Map<NodeId, JsonObject>()
  for (const [index, row] of rows.filter(({ hasData }) => hasData).entries()) {
    const text = texts[index]
    if (typeof text !== 'string') return undefined
    const [time, value] = decodeData(text)
    if (time !== row.time) return undefined
    data.set(row.target, value)
  }
  return data
}

/** A page of the rows that were read, oldest first; without the data of those that have some. */
const toPage = (range: EdgeRange, found: readonly Row[], total: unknown): Page => {
  const rows = range.direction === 'newest' ? found.toReversed() : [...found]
  const more = rows.length > range.limit
  if (more) rows.pop()
  const data = rows.some(({ hasData }) => hasData) ? undefined : NO_DATA
  return { range, total: range.count ? Number(total) : undefined, more, rows, data }
}

const askTotal = (round: Round, keys: Keys, { source, name, count }: EdgeRange): Reply =>
  count ? round.ask(command('zcard', keys.list(source, name))) : () => undefined

/** Asks for the edges of a range, and for their number. */
export const askRange = (round: Round, keys: Keys, range: EdgeRange): (() => Page) => {
  const total = askTotal(round, keys, range)
  const cells = range.limit > 0 ? round.ask(rowsCommand(keys, range)) : () => []
  return () => toPage(range, decodeRows(listOf(cells())), total())
}

/** Asks for the data of a page; the answer is a page without, where an edge was written since its row was read. */
export const askData = (round: Round, keys: Keys, page: Page): (() => Page) => {
  if (isWhole(page)) return () => page
  const { range, rows } = page
  const members = rows.flatMap(({ hasData, target }) => (hasData ? toMember(target) : []))
  const texts = round.ask(command('hmget', keys.data(range.source, range.name), ...members))
  return () => ({ ...page, data: matchData(rows, listOf(texts())) })
}

/** Asks for a range and the data of its edges in one step, which nothing that is written comes between. */
export const askWhole = (round: Round, keys: Keys, range: EdgeRange): (() => WholePage) => {
  const [list, hash] = [keys.list(range.source, range.name), keys.data(range.source, range.name)]
  const total = askTotal(round, keys, range)
  const reply = round.ask(rangeScript(range, list, hash))
  return () => {
    const [cells, texts] = listOf(reply())
    const rows = decodeRows(listOf(cells))
    const data = matchData(rows, listOf(texts))
    if (data === undefined) throw new Error(`an edge of ${list} lacks its data`)
    return { ...toPage(range, rows, total()), data }
  }
}

/**
 * The slice of a page. An edge whose target is gone, but which has not been purged yet, is left out; `end` and `more`
 * still tell of it, so that reading on loses nothing.
 */
export const toSlice = (
  { rows, total, more, data }: WholePage,
  nodes: ReadonlyMap<NodeId, NodeRecord>,
): EdgeSlice => {
  const entries: EdgeEntry[] = []
  for (const { target, time } of rows) {
    const node = nodes.get(target)
    if (node !== undefined) entries.push({ target, time, data: data.get(target), node })
  }
  const last = rows.at(-1)
  return { entries, more, end: last && { time: last.time, target: last.target }, total }
}
