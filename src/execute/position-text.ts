import type { EdgePosition } from '../store/contract.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const LETTER_CODES = Uint8Array.from(ALPHABET, letter => letter.charCodeAt(0))
/** The number of digits that fit into 30 bits, which five letters encode. */
const DIGITS_PER_PART = 9
const LOW_HALF_RANGE = 2 ** 30
/** The number that is added to the higher half of a time, because it is negative before 1970. */
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
 * Encodes a position in base64url letters: ten for the time, five for each nine digits of the id. It computes
 * the letters directly: encoding the text of the numbers would take three times as long.
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

/** Decodes a position; undefined if a text is not a position. The target may be any digits. */
export const decodePosition = (text: string): EdgePosition | undefined => {
  const [highHalf = 0, lowHalf = 0, ...digitParts] = (text.match(/.{1,5}/gs) ?? []).map(toBits)
  const target = digitParts
    .map((part, index) => `${part}`.padStart(index === 0 ? 0 : DIGITS_PER_PART, '0'))
    .join('')
  const position = { time: (highHalf - HIGH_HALF_OFFSET) * LOW_HALF_RANGE + lowHalf, target }
  return encodePosition(position) === text ? position : undefined
}
