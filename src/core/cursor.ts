import type { AppIdMapper } from '../access/app-ids/app-ids.ts'
import type { CursorCipher, ExaminedPosition } from '../access/cursor-cipher.ts'
import { timingSafeEqual } from '../access/secret.ts'
import { isTime } from '../base/dates.ts'
import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import { isNodeId, type NodeId } from '../base/ids.ts'
import type { Session } from '../base/session.ts'
import type { EdgeOrder } from '../schema/edge.ts'
import type { EdgePosition } from '../store/contract.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const LETTER_CODES = Uint8Array.from(ALPHABET, letter => letter.charCodeAt(0))
/** The number of decimal digits that fit in 30 bits. Five base64url characters encode 30 bits. */
const DIGITS_PER_PART = 9
const LOW_HALF_RANGE = 2 ** 30
/** The offset that is added to the upper half of a time, because this half is negative before 1970. */
const HIGH_HALF_OFFSET = 2 ** 23
const ZERO_CODE = 48

const toLetters = (bits: number): string =>
  String.fromCharCode(
    LETTER_CODES[bits >>> 24] ?? 0,
    LETTER_CODES[(bits >>> 18) & 63] ?? 0,
    LETTER_CODES[(bits >>> 12) & 63] ?? 0,
    LETTER_CODES[(bits >>> 6) & 63] ?? 0,
    LETTER_CODES[bits & 63] ?? 0,
  )

const toBits = (letters: string): number => {
  let bits = 0
  for (const letter of letters) bits = bits * 64 + ALPHABET.indexOf(letter)
  return bits
}

const parseDigits = (digits: string, start: number, end: number): number => {
  let parsedNumber = 0
  for (let index = start; index < end; index++)
    parsedNumber = parsedNumber * 10 + digits.charCodeAt(index) - ZERO_CODE
  return parsedNumber
}

/**
 * Encodes a position as base64url characters: ten for the time, and five for every nine digits of the id.
 * Computes the characters directly, because encoding the numbers as text would take three times as long.
 */
export const encodePosition = ({ time, target }: EdgePosition): string => {
  const highHalf = Math.floor(time / LOW_HALF_RANGE)
  let text = toLetters(highHalf + HIGH_HALF_OFFSET) + toLetters(time - highHalf * LOW_HALF_RANGE)
  let start = 0
  for (
    let end = target.length % DIGITS_PER_PART || DIGITS_PER_PART;
    start < target.length;
    end += DIGITS_PER_PART
  ) {
    text += toLetters(parseDigits(target, start, end))
    start = end
  }
  return text
}

/**
 * Decodes a position. Returns `undefined` if the text is not a position. The target contains only digits, but
 * may not be a valid id.
 */
export const decodePosition = (text: string): EdgePosition | undefined => {
  const [highHalf = 0, lowHalf = 0, ...digitParts] = (text.match(/.{1,5}/gs) ?? []).map(toBits)
  const target = digitParts
    .map((part, index) => `${part}`.padStart(index === 0 ? 0 : DIGITS_PER_PART, '0'))
    .join('')
  const position = { time: (highHalf - HIGH_HALF_OFFSET) * LOW_HALF_RANGE + lowHalf, target }
  return encodePosition(position) === text ? position : undefined
}

/** The list that a cursor is valid for. */
export type CursorBinding = {
  readonly edge: string
  readonly order: EdgeOrder
  /** The text that identifies the list, with the values of its parameters. */
  readonly listKey: string
  /**
   * Whether the edge may lead to nodes with app-scoped ids. If so, the cursors of the edge reveal no raw ids.
   */
  readonly appScoped: boolean
}

/** The parts of a call that are needed to encode and decode cursors. */
export type CursorContext = {
  readonly cursorCipher: CursorCipher
  readonly session: Pick<Session, 'viewer' | 'app'>
  /**
   * The converter between raw ids and the ids of the session's app, or `undefined` if the graph has no
   * app-scoped ids.
   */
  readonly idMapper: AppIdMapper | undefined
}

/** Returns the viewer and the app that an encrypted cursor is valid for. */
export const audienceOf = ({ viewer, app }: CursorContext['session']): string => `${viewer ?? ''} ${app}`

/**
 * Separates the prefix of a cursor from an encrypted position. The character is not in the base64url
 * alphabet, and needs no escaping in URLs.
 */
const ENCRYPTED_MARKER = '.'

/** Mixes the bits of a 32-bit number, so that 24 of them depend on all of them. */
const mixBits = (bits: number): number => {
  const mixed = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 16)) & 0xffffff
}

/**
 * Returns the common prefix of all cursors of a list: a fingerprint of 48 bits as 8 characters. It rejects
 * cursors of other lists by mistake. It does not protect against a caller who creates cursors.
 */
export const encodeCursorPrefix = (listKey: string): string => {
  let first = 0x811c9dc5
  let second = 0x9e3779b9
  for (let index = 0; index < listKey.length; index++) {
    const code = listKey.charCodeAt(index)
    first = Math.imul(first ^ code, 0x01000193)
    second = Math.imul(second ^ code, 0x5bd1e995) + first
  }
  // The first of five letters is always A, because the numbers have 24 bits.
  return toLetters(mixBits(first)).slice(1) + toLetters(mixBits(second)).slice(1)
}

/**
 * Encodes a position as an opaque cursor. The cursor stays valid when the edge at the position is deleted.
 */
export const encodeCursor = (prefix: string, position: EdgePosition): string =>
  prefix + encodePosition(position)

/**
 * Encodes a position in a list that may lead to nodes with app-scoped ids. The cursor contains the public id
 * and a signature. With unsigned cursors, a caller could create cursors for any positions, and learn from the
 * entries that follow which of two raw ids is larger.
 */
export const encodeAppScopedCursor = (
  prefix: string,
  { time, target }: EdgePosition,
  idMapper: AppIdMapper,
  { cursorCipher, session }: CursorContext,
): string => {
  const cursor = prefix + encodePosition({ time, target: idMapper.toPublic(target) })
  return cursor + signCursor(cursor, cursorCipher, session.app)
}

const SIGNATURE_LENGTH = 16

const signCursor = (cursor: string, cursorCipher: CursorCipher, app: string): string =>
  cursorCipher.sign(`${cursor} ${app}`)

/**
 * Encrypts the position of an edge that was examined but not returned, because the caller must not learn
 * which edge it is.
 */
export const encryptCursor = (
  listKey: string,
  position: ExaminedPosition,
  { cursorCipher, session }: CursorContext,
): string => {
  const encryptedPosition = cursorCipher.encrypt(`${listKey} ${audienceOf(session)}`, position)
  return encodeCursorPrefix(listKey) + ENCRYPTED_MARKER + encryptedPosition
}

/** Whether a value has the form of an encrypted cursor. Decrypting a cursor requires the session. */
export const isEncryptedCursor = (cursor: unknown): boolean =>
  typeof cursor === 'string' && cursor.includes(ENCRYPTED_MARKER)

const parseTargetId = (text: string, idMapper: AppIdMapper | undefined): NodeId | undefined => {
  if (idMapper !== undefined) return idMapper.toRaw(text)
  return isNodeId(text) ? text : undefined
}

/**
 * The position that a cursor encodes. `onlySource` is the only node whose list the cursor is valid for, or
 * `undefined` if the cursor is valid for the lists of all nodes.
 */
type CursorPosition = { readonly from: EdgePosition; readonly onlySource: NodeId | undefined }

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
  const position = cursor.startsWith(prefix + ENCRYPTED_MARKER)
    ? cursorCipher.decrypt(
        `${listKey} ${audienceOf(session)}`,
        cursor.slice(prefix.length + ENCRYPTED_MARKER.length),
      )
    : undefined
  return position && { from: { time: position.time, target: position.target }, onlySource: position.source }
}

/** The maximum length of a cursor. Longer texts are not decoded. */
const MAX_CURSOR_LENGTH = 300

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
  { listKey, appScoped }: CursorBinding,
  cursorContext: CursorContext | undefined,
): CursorPosition | undefined => {
  const isEncrypted = isEncryptedCursor(cursor)
  if (!isEncrypted && !appScoped) return decodePlainCursor(cursor, prefix)
  if (cursorContext === undefined) throw new Error('A cursor was decoded before its call had a session')
  if (isEncrypted) return decryptCursor(cursor, prefix, listKey, cursorContext)
  return cursorContext.idMapper === undefined
    ? decodePlainCursor(cursor, prefix)
    : decodeSignedCursor(cursor, prefix, cursorContext.idMapper, cursorContext)
}

/**
 * Decodes or decrypts a cursor. The context may be undefined if the cursor is not encrypted and the edge has
 * no app-scoped ids.
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
  const position = parseCursor(cursor, encodeCursorPrefix(binding.listKey), binding, cursorContext)
  return position ?? rejectCursor(parameter, binding, describeValue(cursor))
}
