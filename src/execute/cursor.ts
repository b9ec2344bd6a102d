import type { AppIdMapper } from '../access/app-ids/app-ids.ts'
import type { CursorCipher, ExaminedPosition } from '../access/cursor-cipher.ts'
import { timingSafeEqual } from '../access/timing-safe-equal.ts'
import { latin1ToBase64url } from '../base/base64url.ts'
import { isTime } from '../base/dates.ts'
import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import { isNodeId, type NodeId } from '../base/ids.ts'
import type { EdgeOrder } from '../schema/edge.ts'
import type { EdgePosition } from '../store/contract.ts'
import { decodePosition, encodePosition } from './position-text.ts'

/** The list that a cursor is valid for. */
export type CursorBinding = {
  readonly edge: string
  readonly order: EdgeOrder
  /** Whether the edge may lead to nodes with app-scoped ids. If so, none of its cursors contains a raw id. */
  readonly appScoped: boolean
}

/** The parts of a call that cursors are encoded and decoded with. */
export type CursorContext = {
  readonly cursorCipher: CursorCipher
  readonly app: string
  /** The viewer and the app that an encrypted cursor is valid for. */
  readonly audience: string
  /** Maps the ids of the viewer's app; undefined if the graph has no app-scoped ids. */
  readonly idMapper: AppIdMapper | undefined
}

/**
 * Separates the prefix of a cursor from an encrypted position. It is not a base64url character, and URLs do
 * not escape it.
 */
const ENCRYPTED_MARKER = '.'

/**
 * The common prefix of all cursors of an edge in an order. Names have no colon, so no prefix is the beginning
 * of another.
 */
export const encodeCursorPrefix = (edge: string, order: EdgeOrder): string =>
  latin1ToBase64url(`${edge}:${order === 'chronological' ? 'c' : 'r'}:`)

/** Encodes a position as opaque text. It stays valid when the edge at the position is deleted. */
export const encodeCursor = (prefix: string, position: EdgePosition): string =>
  prefix + encodePosition(position)

/**
 * Encodes a position in a list that may lead to nodes with app-scoped ids: the cursor contains the public id
 * and is signed. With unsigned cursors a caller could create positions and learn from the entries after them
 * which of two raw ids is larger.
 */
export const encodeAppScopedCursor = (
  prefix: string,
  { time, target }: EdgePosition,
  idMapper: AppIdMapper,
  { cursorCipher, app }: CursorContext,
): string => {
  const cursor = prefix + encodePosition({ time, target: idMapper.toPublic(target) })
  return cursor + signCursor(cursor, cursorCipher, app)
}

const SIGNATURE_LENGTH = 16

const signCursor = (cursor: string, cursorCipher: CursorCipher, app: string): string =>
  cursorCipher.sign(`${cursor} ${app}`)

/**
 * Encrypts the position of an edge that was examined but not returned: the caller must not learn which edge
 * it is.
 */
export const encryptCursor = (
  prefix: string,
  position: ExaminedPosition,
  { cursorCipher, audience }: CursorContext,
): string => `${prefix}${ENCRYPTED_MARKER}${cursorCipher.encrypt(`${prefix} ${audience}`, position)}`

/** Whether a cursor may be an encrypted one, which needs the session to be decrypted. */
export const isEncryptedCursor = (cursor: unknown): boolean =>
  typeof cursor === 'string' && cursor.includes(ENCRYPTED_MARKER)

const parseTargetId = (text: string, idMapper: AppIdMapper | undefined): NodeId | undefined => {
  if (idMapper !== undefined) return idMapper.toRaw(text)
  return isNodeId(text) ? text : undefined
}

/**
 * The position that a cursor encodes. `onlySource` is the only node whose list it is valid for; undefined
 * for the list of any node.
 */
export type CursorPosition = { readonly from: EdgePosition; readonly onlySource: NodeId | undefined }

const decodePlainCursor = (
  cursor: string,
  prefix: string,
  idMapper?: AppIdMapper,
): CursorPosition | undefined => {
  const position = cursor.startsWith(prefix) ? decodePosition(cursor.slice(prefix.length)) : undefined
  const target = position && parseTargetId(position.target, idMapper)
  if (target === undefined || !isTime(position?.time)) return undefined
  return { from: { time: position.time, target }, onlySource: undefined }
}

const decodeSignedCursor = (
  cursor: string,
  prefix: string,
  idMapper: AppIdMapper,
  { cursorCipher, app }: CursorContext,
): CursorPosition | undefined => {
  const unsignedCursor = cursor.slice(0, -SIGNATURE_LENGTH)
  const isAuthentic = timingSafeEqual(
    cursor.slice(-SIGNATURE_LENGTH),
    signCursor(unsignedCursor, cursorCipher, app),
  )
  return isAuthentic ? decodePlainCursor(unsignedCursor, prefix, idMapper) : undefined
}

const decryptCursor = (
  cursor: string,
  prefix: string,
  { cursorCipher, audience }: CursorContext,
): CursorPosition | undefined => {
  const position = cursor.startsWith(prefix + ENCRYPTED_MARKER)
    ? cursorCipher.decrypt(`${prefix} ${audience}`, cursor.slice(prefix.length + ENCRYPTED_MARKER.length))
    : undefined
  return position && { from: { time: position.time, target: position.target }, onlySource: position.source }
}

/** @throws GraphError `invalid_parameter`. */
export const rejectCursor = (
  parameter: 'after' | 'before',
  { edge, order }: Pick<CursorBinding, 'edge' | 'order'>,
  received: string,
): never => {
  throw invalidParameterError(parameter, `a cursor of ${edge} in ${order} order`, received)
}

const parseCursor = (
  cursor: string,
  prefix: string,
  idMapper: AppIdMapper | undefined,
  cursorContext: CursorContext,
): CursorPosition | undefined => {
  if (isEncryptedCursor(cursor)) return decryptCursor(cursor, prefix, cursorContext)
  return idMapper === undefined
    ? decodePlainCursor(cursor, prefix)
    : decodeSignedCursor(cursor, prefix, idMapper, cursorContext)
}

/**
 * Decodes or decrypts a cursor.
 *
 * @throws GraphError `invalid_parameter` for a value that is not a cursor of this edge in this order.
 */
export const decodeCursor = (
  parameter: 'after' | 'before',
  cursor: unknown,
  binding: CursorBinding,
  cursorContext: CursorContext,
): CursorPosition => {
  const prefix = encodeCursorPrefix(binding.edge, binding.order)
  if (typeof cursor !== 'string' || cursor.length > 200 + 2 * prefix.length)
    return rejectCursor(parameter, binding, describeValue(cursor))
  const position = parseCursor(
    cursor,
    prefix,
    binding.appScoped ? cursorContext.idMapper : undefined,
    cursorContext,
  )
  return position ?? rejectCursor(parameter, binding, describeValue(cursor))
}
