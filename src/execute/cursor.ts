import type { IdsOfApp } from '../access/app-ids/app-ids.ts'
import { equalInConstantTime } from '../access/equal.ts'
import type { Mark, Sealer } from '../access/sealer.ts'
import { encodeAscii } from '../base/base64url.ts'
import { isTime } from '../base/dates.ts'
import { describe } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'
import { isNodeId, type NodeId } from '../base/ids.ts'
import type { EdgeOrder } from '../schema/edge.ts'
import type { EdgePosition } from '../store/contract.ts'
import { decodePosition, encodePosition } from './position-text.ts'

/** What a cursor is for, and holds for alone. */
export type CursorPlace = {
  readonly edge: string
  readonly order: EdgeOrder
  /** Whether the edge may lead to nodes with app-scoped ids: then its cursors carry no raw id, whatever it leads to. */
  readonly appScoped: boolean
}

/** What cursors are read and written with. */
export type CursorKeys = {
  readonly sealer: Sealer
  readonly app: string
  /** Whom a sealed cursor is for: no one else can use it. */
  readonly holder: string
  /** The ids of the viewer's app; undefined where the graph has no app-scoped ids. */
  readonly ids: IdsOfApp | undefined
}

/** What stands between the head of a cursor and a sealed position; no base64url has it, and URLs carry it as it is. */
const SEAL = '.'

/** The beginning that all cursors of an edge in an order have in common. No name has a colon: none begins another's. */
export const cursorHead = (edge: string, order: EdgeOrder): string =>
  encodeAscii(`${edge}:${order === 'chronological' ? 'c' : 'r'}:`)

/** A position as text that says nothing to its holder but means the same tomorrow, whatever became of the edge. */
export const encodeCursor = (head: string, position: EdgePosition): string => head + encodePosition(position)

/**
 * The same where the list may lead to nodes with app-scoped ids: it carries the public id, and is signed. Whoever could
 * make such cursors would find out by what comes behind them which of two raw ids is the larger.
 */
export const encodeAppScopedCursor = (
  head: string,
  { time, target }: EdgePosition,
  ids: IdsOfApp,
  { sealer, app }: CursorKeys,
): string => {
  const cursor = head + encodePosition({ time, target: ids.toPublic(target) })
  return cursor + signatureOf(cursor, sealer, app)
}

const SIGNATURE_LENGTH = 16

const signatureOf = (cursor: string, sealer: Sealer, app: string): string => sealer.sign(`${cursor} ${app}`)

/** The mark of an edge that was examined, not answered: its holder must not learn which it is. */
export const sealCursor = (head: string, mark: Mark, { sealer, holder }: CursorKeys): string =>
  `${head}${SEAL}${sealer.seal(`${head} ${holder}`, mark)}`

/** Whether a cursor may be a sealed one, which the session alone can read. */
export const isSealed = (cursor: unknown): boolean => typeof cursor === 'string' && cursor.includes(SEAL)

const targetOf = (text: string, ids: IdsOfApp | undefined): NodeId | undefined => {
  if (ids !== undefined) return ids.toRaw(text)
  return isNodeId(text) ? text : undefined
}

/** Where a cursor is; `source` is the only node whose list it is of, or undefined for those of any. */
export type CursorPosition = { readonly from: EdgePosition; readonly source: NodeId | undefined }

const openCursor = (cursor: string, head: string, ids?: IdsOfApp): CursorPosition | undefined => {
  const position = cursor.startsWith(head) ? decodePosition(cursor.slice(head.length)) : undefined
  const target = position && targetOf(position.target, ids)
  if (target === undefined || !isTime(position?.time)) return undefined
  return { from: { time: position.time, target }, source: undefined }
}

const openSignedCursor = (
  cursor: string,
  head: string,
  ids: IdsOfApp,
  { sealer, app }: CursorKeys,
): CursorPosition | undefined => {
  const body = cursor.slice(0, -SIGNATURE_LENGTH)
  const isGenuine = equalInConstantTime(cursor.slice(-SIGNATURE_LENGTH), signatureOf(body, sealer, app))
  return isGenuine ? openCursor(body, head, ids) : undefined
}

const unsealCursor = (
  cursor: string,
  head: string,
  { sealer, holder }: CursorKeys,
): CursorPosition | undefined => {
  const mark = cursor.startsWith(head + SEAL)
    ? sealer.unseal(`${head} ${holder}`, cursor.slice(head.length + SEAL.length))
    : undefined
  return mark && { from: { time: mark.time, target: mark.target }, source: mark.source }
}

/** @throws GraphError `bad_parameter`. */
export const refuseCursor = (
  parameter: 'after' | 'before',
  { edge, order }: Pick<CursorPlace, 'edge' | 'order'>,
  came: string,
): never => {
  throw badParameter(parameter, `a cursor of ${edge} in ${order} order`, came)
}

const positionIn = (
  cursor: string,
  head: string,
  ids: IdsOfApp | undefined,
  keys: CursorKeys,
): CursorPosition | undefined => {
  if (isSealed(cursor)) return unsealCursor(cursor, head, keys)
  return ids === undefined ? openCursor(cursor, head) : openSignedCursor(cursor, head, ids, keys)
}

/**
 * The inverse of encoding and of sealing.
 *
 * @throws GraphError `bad_parameter` for anything but a cursor of this edge in this order.
 */
export const decodeCursor = (
  parameter: 'after' | 'before',
  cursor: unknown,
  place: CursorPlace,
  keys: CursorKeys,
): CursorPosition => {
  const head = cursorHead(place.edge, place.order)
  if (typeof cursor !== 'string' || cursor.length > 200 + 2 * head.length)
    return refuseCursor(parameter, place, describe(cursor))
  const position = positionIn(cursor, head, place.appScoped ? keys.ids : undefined, keys)
  return position ?? refuseCursor(parameter, place, describe(cursor))
}
