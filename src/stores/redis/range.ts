import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { EdgeEntry, EdgePosition, EdgeRange, EdgeSlice, NodeRecord } from '../../store/contract.ts'
import { type Command, command, runScript } from './command.ts'
import { fromMember, isMarked, type Keys, toMember } from './keys.ts'
import { decodeData } from './records.ts'
import type { Round } from './round.ts'
import { READ_RANGE } from './scripts.ts'
import { listOf } from './sender.ts'

/** An edge as its list holds it, whether or not its target is still there. */
type Row = EdgePosition & { readonly hasData: boolean }

/** What a server said of a range: its edges, but neither their data nor the nodes that they lead to. */
export type Rows = {
  readonly range: EdgeRange
  readonly total: number | undefined
  readonly more: boolean
  readonly rows: readonly Row[]
}

/** Reads one row more than the page, oldest first. A script is needed only to find the place where it begins. */
const rowsCommand = (keys: Keys, range: EdgeRange): Command => {
  const { source, name, direction, from, minTime, maxTime, limit } = range
  const list = keys.list(source, name)
  const isNewest = direction === 'newest'
  if (from !== undefined || minTime !== undefined || maxTime !== undefined) {
    const window = [`${minTime ?? ''}`, `${maxTime ?? ''}`]
    const position = from === undefined ? ['', ''] : [`${from.time}`, toMember(from.target)]
    return runScript(READ_RANGE, [list], [direction, `${limit + 1}`, ...window, ...position])
  }
  const places = isNewest ? [`${-1 - limit}`, '-1'] : ['0', `${limit}`]
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

/** Asks for the edges of a range, and for their number; they come in the direction of the walk. */
export const askRange = (round: Round, keys: Keys, range: EdgeRange): (() => Rows) => {
  const { source, name, direction, limit, count } = range
  const total = count ? round.ask(command('zcard', keys.list(source, name))) : undefined
  const cells = limit > 0 ? round.ask(rowsCommand(keys, range)) : () => []
  return () => {
    const rows = decodeRows(listOf(cells()))
    if (direction === 'newest') rows.reverse()
    const more = rows.length > limit
    if (more) rows.pop()
    return { range, total: total && Number(total()), more, rows }
  }
}

/** By target the data of the edges that have some. */
type Data = ReadonlyMap<NodeId, JsonObject>

const NO_DATA: Data = new Map()

/** Asks for the data of the rows; the answer is undefined where an edge was written since its row was read. */
export const askData = (round: Round, keys: Keys, { range, rows }: Rows): (() => Data | undefined) => {
  const marked = rows.filter(({ hasData }) => hasData)
  if (marked.length === 0) return () => NO_DATA
  const members = marked.map(({ target }) => toMember(target))
  const texts = round.ask(command('hmget', keys.data(range.source, range.name), ...members))
  return () => {
    const data = new Map<NodeId, JsonObject>()
    const found = listOf(texts())
    for (const [index, row] of marked.entries()) {
      const text = found[index]
      if (typeof text !== 'string') return undefined
      const [time, value] = decodeData(text)
      if (time !== row.time) return undefined
      data.set(row.target, value)
    }
    return data
  }
}

/**
 * The slice of the rows of a range. An edge whose target is gone, but which has not been purged yet, is left out;
 * `end` and `more` still tell of it, so that reading on loses nothing.
 */
export const toSlice = (
  { rows, total, more }: Rows,
  data: Data,
  nodes: ReadonlyMap<NodeId, NodeRecord | undefined>,
): EdgeSlice => {
  const entries: EdgeEntry[] = []
  for (const { target, time } of rows) {
    const node = nodes.get(target)
    if (node !== undefined) entries.push({ target, time, data: data.get(target), node })
  }
  const last = rows.at(-1)
  return { entries, more, end: last && { time: last.time, target: last.target }, total }
}
