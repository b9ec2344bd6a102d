import type { AppIdMapper } from '../access/app-ids/app-ids.ts'
import type { CursorCipher } from '../access/cursor-cipher.ts'
import { timingSafeEqual } from '../access/secret.ts'
import { canonicalTextOf } from '../base/canonical-text.ts'
import { isTime } from '../base/dates.ts'
import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import { type IdKind, idKindOf, isNodeId, type NodeId } from '../base/ids.ts'
import { bypassesPolicies, type Session } from '../base/session.ts'
import { isPositionKey } from '../store/check-results.ts'
import type { EdgePosition } from '../store/contract.ts'
import { CURSOR_PREFIX_LENGTH, decodePosition, encodeCursorPrefix, encodePosition } from './cursor-letters.ts'
import {
  hasForm,
  type ListPosition,
  type PositionForm,
  parseListPosition,
  printListPosition,
  sourceTextOf,
} from './list-position.ts'

/** The list that a cursor is valid for. */
export type CursorBinding = {
  readonly edge: string
  /** The name of the order. */
  readonly order: string
  /** The parameters that choose the list, for errors. */
  readonly parameters?: readonly (readonly [name: string, value: string])[] | undefined
  /** The text that identifies the list, with the values of its parameters. */
  readonly listKey: string
  /**
   * Whether the edge may lead to nodes with app-scoped ids. If so, the cursors of the edge reveal no raw ids.
   */
  readonly appScoped: boolean
  /**
   * Whether the cursors are always encrypted, because a function of the schema returns the list, or because
   * the positions contain values that the caller may not see.
   */
  readonly isSecret: boolean
  /** The form of the positions of the list. */
  readonly form: PositionForm
  /** The kind of the ids of the graph. */
  readonly ids: IdKind
}

/** The parts of a call that are needed to encode and decode cursors. */
export type CursorContext = {
  readonly cursorCipher: CursorCipher
  readonly session: Pick<Session, 'viewer' | 'app' | 'claims'>
  /**
   * The converter between raw ids and the ids of the session's app, or `undefined` if the graph has no
   * app-scoped ids.
   */
  readonly idMapper: AppIdMapper | undefined
}

/**
 * Returns the text that identifies a list in the cursors of a call. Cursors of a call that skips policies are
 * valid only for such calls. The name of an edge begins with a letter, so the text of these calls differs.
 */
const createCallListKey = (listKey: string, context: Pick<CursorContext, 'session'> | undefined): string =>
  context !== undefined && bypassesPolicies(context.session) ? `!${listKey}` : listKey

/** Returns the common prefix of all cursors of a list in a call. */
export const createCursorPrefix = (listKey: string, context: Pick<CursorContext, 'session'>): string =>
  encodeCursorPrefix(createCallListKey(listKey, context))

/** Returns the text of the viewer and the app of a session. */
export const audienceOf = ({ viewer, app }: Pick<Session, 'viewer' | 'app'>): string =>
  `${viewer ?? ''} ${app}`

/**
 * Returns the text of the sessions that an encrypted cursor is valid for. With other claims, a store may contain other
 * data, which the caller may even write: then pages after the cursor would reveal its position. The text of claims ends
 * with its own bracket, and no viewer begins like it.
 */
const cursorAudienceOf = (session: CursorContext['session']): string =>
  session.claims === undefined ? audienceOf(session) : canonicalTextOf(session.claims) + audienceOf(session)

/**
 * Separates the prefix of a cursor from an encrypted position. The character is not in the base64url
 * alphabet, with which a position begins, and needs no escaping in URLs.
 */
const ENCRYPTED_MARKER = '.'

/**
 * Encodes a position as an opaque cursor. The cursor stays valid when the edge at the position is deleted. Callers can
 * create such a cursor for any position.
 */
export const encodeCursor = (prefix: string, position: EdgePosition): string =>
  prefix + encodePosition(position)

/**
 * Encodes a position in a list that may lead to nodes with app-scoped ids, whose public ids `idMapper` returns. The
 * cursor has a signature. With unsigned cursors, a caller could create cursors for any positions, and learn from the
 * entries that follow which of two raw ids is larger.
 */
export const encodeSignedCursor = (
  prefix: string,
  { time, target, key }: EdgePosition,
  idMapper: AppIdMapper,
  { cursorCipher, session }: CursorContext,
): string => {
  const cursor = prefix + encodePosition({ time, target: idMapper.toPublic(target), key })
  return cursor + signCursor(cursor, cursorCipher, session.app)
}

const SIGNATURE_LENGTH = 16

const signCursor = (cursor: string, cursorCipher: CursorCipher, app: string): string =>
  cursorCipher.sign(`${cursor} ${app}`)

/**
 * Encrypts a position in the list of a node: that of an edge that was examined but not returned, because the
 * caller must not learn which edge it is, or a position that a function of the schema returned.
 */
export const encryptCursor = (
  listKey: string,
  source: NodeId,
  position: ListPosition,
  context: CursorContext,
): string => {
  const callListKey = createCallListKey(listKey, context)
  const encrypted = context.cursorCipher.encrypt(
    `${callListKey} ${cursorAudienceOf(context.session)}`,
    printListPosition(sourceTextOf(source, context.cursorCipher), position),
  )
  return encodeCursorPrefix(callListKey) + ENCRYPTED_MARKER + encrypted
}

/** Whether a value has the form of an encrypted cursor. Decrypting a cursor requires the session. */
export const isEncryptedCursor = (cursor: unknown): boolean =>
  typeof cursor === 'string' && cursor[CURSOR_PREFIX_LENGTH] === ENCRYPTED_MARKER

const parseTargetId = (text: string, idMapper: AppIdMapper | undefined): NodeId | undefined => {
  if (idMapper !== undefined) return idMapper.toRaw(text)
  return isNodeId(text) ? text : undefined
}

/**
 * The position that a cursor encodes. `onlySource` is the text of the only node whose list the cursor is valid for,
 * or `undefined` if the cursor is valid for the lists of all nodes.
 */
type CursorPosition = { readonly from: ListPosition; readonly onlySource: string | undefined }

const decodePlainCursor = (
  cursor: string,
  prefix: string,
  idMapper?: AppIdMapper,
): CursorPosition | undefined => {
  const position = cursor.startsWith(prefix) ? decodePosition(cursor.slice(prefix.length)) : undefined
  const target = position && parseTargetId(position.target, idMapper)
  if (target === undefined || !isTime(position?.time)) return undefined
  if (position.key !== undefined && !isPositionKey(position.key)) return undefined
  return { from: { ...position, target }, onlySource: undefined }
}

const decodeSignedCursor = (
  cursor: string,
  prefix: string,
  idMapper: AppIdMapper,
  { cursorCipher, session }: CursorContext,
): CursorPosition | undefined => {
  const unsignedCursor = cursor.slice(0, -SIGNATURE_LENGTH)
  const isAuthentic = timingSafeEqual(
    cursor.slice(-SIGNATURE_LENGTH),
    signCursor(unsignedCursor, cursorCipher, session.app),
  )
  return isAuthentic ? decodePlainCursor(unsignedCursor, prefix, idMapper) : undefined
}

const decryptCursor = (
  cursor: string,
  prefix: string,
  listKey: string,
  { cursorCipher, session }: CursorContext,
): CursorPosition | undefined => {
  if (!cursor.startsWith(prefix + ENCRYPTED_MARKER)) return undefined
  const encrypted = cursor.slice(prefix.length + ENCRYPTED_MARKER.length)
  const text = cursorCipher.decrypt(`${listKey} ${cursorAudienceOf(session)}`, encrypted)
  return text === undefined ? undefined : parseListPosition(text)
}

/** The maximum length of a cursor. Longer texts are not decoded. */
const MAX_CURSOR_LENGTH = 1200

/** @throws GraphError `invalid_parameter`. */
export const rejectCursor = (
  parameter: 'after' | 'before',
  { edge, order, parameters = [] }: Pick<CursorBinding, 'edge' | 'order' | 'parameters'>,
  received: string,
): never => {
  const names = parameters.map(([name]) => name)
  const values = names.length === 0 ? '' : `, for the same value of ${names.join(', ')}`
  throw invalidParameterError(parameter, `a cursor of ${edge} in ${order} order${values}`, received)
}

const parseCursor = (
  cursor: string,
  { listKey, appScoped, isSecret }: CursorBinding,
  cursorContext: CursorContext | undefined,
): CursorPosition | undefined => {
  const callListKey = createCallListKey(listKey, cursorContext)
  const prefix = encodeCursorPrefix(callListKey)
  const isEncrypted = isEncryptedCursor(cursor)
  if (isSecret && !isEncrypted) return undefined
  if (!isEncrypted && !appScoped) return decodePlainCursor(cursor, prefix)
  if (cursorContext === undefined) throw new Error('A cursor was decoded before its call had a session')
  if (isEncrypted) return decryptCursor(cursor, prefix, callListKey, cursorContext)
  const { idMapper } = cursorContext
  return idMapper === undefined
    ? decodePlainCursor(cursor, prefix)
    : decodeSignedCursor(cursor, prefix, idMapper, cursorContext)
}

/** Whether a position may be one of a list: it has the form of the list, and an id of the kind of the graph. */
const isPositionOf = ({ form, ids }: CursorBinding, position: ListPosition): boolean =>
  hasForm(position, form) && ('position' in position || idKindOf(position.target) === ids)

/**
 * Decodes or decrypts a cursor. The context may be undefined if the cursor is not encrypted and the edge has no
 * app-scoped ids.
 *
 * @throws GraphError `invalid_parameter` for a value that is not a cursor of this edge in this order.
 */
export const decodeCursor = (
  parameter: 'after' | 'before',
  cursor: unknown,
  binding: CursorBinding,
  cursorContext: CursorContext | undefined,
): CursorPosition => {
  if (typeof cursor !== 'string' || cursor.length > MAX_CURSOR_LENGTH)
    return rejectCursor(parameter, binding, describeValue(cursor))
  const position = parseCursor(cursor, binding, cursorContext)
  return position !== undefined && isPositionOf(binding, position.from)
    ? position
    : rejectCursor(parameter, binding, describeValue(cursor))
}
