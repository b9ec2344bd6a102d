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

/** A position in a cursor. Its target is a raw id or, in a list of nodes with app-scoped ids, a public id. */
type CursorPosition = { readonly time: number; readonly target: string }

/**
 * Encodes a position as base64url characters: ten for the time, and five for every nine digits of the id.
 * Computes the characters directly, because encoding the numbers as text would take three times as long.
 */
export const encodePosition = ({ time, target }: CursorPosition): string => {
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
export const decodePosition = (text: string): CursorPosition | undefined => {
  const [highHalf = 0, lowHalf = 0, ...digitParts] = (text.match(/.{1,5}/gs) ?? []).map(toBits)
  const target = digitParts
    .map((part, index) => `${part}`.padStart(index === 0 ? 0 : DIGITS_PER_PART, '0'))
    .join('')
  const position = { time: (highHalf - HIGH_HALF_OFFSET) * LOW_HALF_RANGE + lowHalf, target }
  return encodePosition(position) === text ? position : undefined
}

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
