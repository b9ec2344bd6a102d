import { base64urlToLatin1, bytesToBase64url, latin1ToBase64url } from '../base/base64url.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const LETTER_CODES = Uint8Array.from(ALPHABET, letter => letter.charCodeAt(0))
/** The number of decimal digits that fit in 30 bits. Five base64url characters encode 30 bits. */
const DIGITS_PER_PART = 9
const LOW_HALF_RANGE = 2 ** 30
/** The offset that is added to the upper half of a time, because this half is negative before 1970. */
const HIGH_HALF_OFFSET = 2 ** 23
const ZERO_CODE = 48
const NINE_CODE = 57
/** The number of characters of the time of a position. */
const TIME_LENGTH = 10
/**
 * Begins the target of a position if it is a named id. The characters of a target of digits begin with another
 * character, because nine digits are less than 2 ** 30.
 */
const NAMED_MARKER = '_'
/** Begins the key of a position, before its target. No target begins with this character either. */
const KEY_MARKER = '-'
/** Ends the key of a position. The character is not in the base64url alphabet. */
const KEY_END = '.'

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

/** A position in a cursor. Its target is a raw id or, in a list of nodes with app-scoped ids, a public id. */
type CursorPosition = {
  readonly time: number
  readonly target: string
  readonly key?: string | undefined
}

const encodeDigits = (digits: string): string => {
  let text = ''
  let start = 0
  for (
    let end = digits.length % DIGITS_PER_PART || DIGITS_PER_PART;
    start < digits.length;
    end += DIGITS_PER_PART
  ) {
    text += toLetters(parseDigits(digits, start, end))
    start = end
  }
  return text
}

const decodeDigits = (text: string): string =>
  (text.match(/.{1,5}/gs) ?? [])
    .map((letters, index) => `${toBits(letters)}`.padStart(index === 0 ? 0 : DIGITS_PER_PART, '0'))
    .join('')

const ASCII_PATTERN = /^[\0-\x7f]*$/

/** Encodes the bytes of a key as base64url. Most keys are ASCII, whose characters are their bytes. */
const encodeKey = (key: string): string =>
  ASCII_PATTERN.test(key) ? latin1ToBase64url(key) : bytesToBase64url(new TextEncoder().encode(key))

const encodeTarget = (target: string): string =>
  target.charCodeAt(0) > NINE_CODE ? NAMED_MARKER + target : encodeDigits(target)

/** Decodes the text of a key, or returns another text if `encodeKey` does not return it. */
const decodeKey = (text: string): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    Uint8Array.from(base64urlToLatin1(text) ?? '', char => char.charCodeAt(0)),
  )

const decodeTarget = (text: string): string =>
  text.startsWith(NAMED_MARKER) ? text.slice(1) : decodeDigits(text)

/**
 * Encodes a position: ten base64url characters for the time, then the key if there is one, and five characters for
 * every nine digits of the id. A named id is not encoded, because none of its characters needs escaping in URLs.
 * Computes the characters directly, because encoding the numbers as text would take three times as long.
 */
export const encodePosition = ({ time, target, key }: CursorPosition): string => {
  const highHalf = Math.floor(time / LOW_HALF_RANGE)
  const timeText = toLetters(highHalf + HIGH_HALF_OFFSET) + toLetters(time - highHalf * LOW_HALF_RANGE)
  return key === undefined
    ? timeText + encodeTarget(target)
    : timeText + KEY_MARKER + encodeKey(key) + KEY_END + encodeTarget(target)
}

/**
 * Decodes a position. Returns `undefined` for every text that `encodePosition` does not return. The target may not
 * be a valid id.
 */
export const decodePosition = (text: string): CursorPosition | undefined => {
  const highHalf = toBits(text.slice(0, TIME_LENGTH / 2))
  const lowHalf = toBits(text.slice(TIME_LENGTH / 2, TIME_LENGTH))
  const time = (highHalf - HIGH_HALF_OFFSET) * LOW_HALF_RANGE + lowHalf
  const hasKey = text[TIME_LENGTH] === KEY_MARKER
  const keyEnd = hasKey ? text.indexOf(KEY_END, TIME_LENGTH) : TIME_LENGTH - 1
  const target = decodeTarget(text.slice(keyEnd + 1))
  const position = hasKey
    ? { time, target, key: decodeKey(text.slice(TIME_LENGTH + 1, keyEnd)) }
    : { time, target }
  return encodePosition(position) === text ? position : undefined
}

/** Mixes the bits of a 32-bit number, so that 24 of them depend on all of them. */
const mixBits = (bits: number): number => {
  const mixed = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 16)) & 0xffffff
}

/** The number of characters of the common prefix of the cursors of a list. */
export const CURSOR_PREFIX_LENGTH = 8

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
