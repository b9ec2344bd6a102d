import type { NodeId } from '../../base/ids.ts'
import type { EdgeEntry, EdgePosition, EdgeRange, EdgeSlice, NodeRecord } from '../../store/contract.ts'
import { type Command, runScript } from './command.ts'
import { fromMember, type Keys, toMember } from './keys.ts'
import { READ_RANGE } from './scripts.ts'
import { listOf } from './sender.ts'

/** The command that reads a range. */
export const rangeCommand = (keys: Keys, range: EdgeRange): Command => {
  const { source, name, direction, from, minTime, maxTime, limit } = range
  return runScript(
    READ_RANGE,
    [keys.node(source), keys.list(source, name), keys.data(source, name)],
    [
      direction,
      `${limit}`,
      `${minTime ?? ''}`,
      `${maxTime ?? ''}`,
      `${from?.time ?? ''}`,
      from === undefined ? '' : toMember(from.target),
    ],
  )
}

/** An edge as its list holds it, whether or not its target is still there. */
type Row = EdgePosition & { readonly data: string | undefined }

/** What a server said of a range: its edges, but not the nodes that they lead to. */
export type Rows = { readonly total: number; readonly more: boolean; readonly rows: readonly Row[] }

const CELLS = 3

/** Reads the reply to `rangeCommand`; the edges come oldest first, and leave in the direction of the walk. */
export const decodeRows = (reply: unknown, { direction }: EdgeRange): Rows => {
  const [total, more, ...cells] = listOf(reply)
  const rows: Row[] = []
  for (let at = 0; at < cells.length; at += CELLS) {
    const data = cells[at + 2]
    rows.push({
      target: fromMember(String(cells[at])),
      time: Number(cells[at + 1]),
      data: typeof data === 'string' ? data : undefined,
    })
  }
  if (direction === 'newest') rows.reverse()
  return { total: Number(total), more: Number(more) === 1, rows }
}

/**
 * The slice of the rows of a range. An edge whose target is gone, but which has not been purged yet, is left out;
 * `end` and `more` still tell of it, so that reading on loses nothing.
 */
export const toSlice = (
  { total, more, rows }: Rows,
  { count }: EdgeRange,
  nodes: ReadonlyMap<NodeId, NodeRecord | undefined>,
): EdgeSlice => {
  const entries: EdgeEntry[] = []
  for (const { target, time, data } of rows) {
    const node = nodes.get(target)
    if (node !== undefined)
      entries.push({ target, time, data: data === undefined ? undefined : JSON.parse(data), node })
  }
  const last = rows.at(-1)
  return {
    entries,
    more,
    end: last && { time: last.time, target: last.target },
    total: count ? total : undefined,
  }
}
