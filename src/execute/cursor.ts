import { decodeToAscii, encodeAscii } from '../base/base64url.ts'
import { isTime } from '../base/dates.ts'
import { describe } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'
import { isNodeId } from '../base/ids.ts'
import type { EdgeOrder } from '../schema/edge.ts'
import type { EdgePosition } from '../store/contract.ts'

/** Filled up to whole groups of three, so that it can be encoded once and a position be added to it. */
const headOf = (edge: string, order: EdgeOrder): string => {
  const head = `${edge}:${order === 'chronological' ? 'c' : 'r'}:`
  return head.padEnd(Math.ceil(head.length / 3) * 3, ':')
}

/** The beginning that all cursors of an edge in an order have in common. */
export const cursorHead = (edge: string, order: EdgeOrder): string => encodeAscii(headOf(edge, order))

/** A position as text that says nothing to its holder but means the same tomorrow, whatever became of the edge. */
export const encodeCursor = (head: string, { time, target }: EdgePosition): string =>
  head + encodeAscii(`${time}:${target}`)

/**
 * The inverse of encoding.
 *
 * @throws GraphError `bad_parameter` for anything but a cursor of this edge in this order.
 */
export const decodeCursor = (
  parameter: 'after' | 'before',
  cursor: unknown,
  edge: string,
  order: EdgeOrder,
): EdgePosition => {
  const head = headOf(edge, order)
  const text =
    typeof cursor === 'string' && cursor.length <= 200 + head.length ? decodeToAscii(cursor) : undefined
  const [, time = '', target] = text?.startsWith(head)
    ? (/^(-?\d{1,16}):(\d+)$/.exec(text.slice(head.length)) ?? [])
    : []
  const milliseconds = Number(time)
  if (isNodeId(target) && isTime(milliseconds) && `${milliseconds}` === time)
    return { time: milliseconds, target }
  throw badParameter(parameter, `a cursor of ${edge} in ${order} order`, describe(cursor))
}
