import type { EdgePosition } from '../store/contract.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const CODES = Uint8Array.from(ALPHABET, letter => letter.charCodeAt(0))
/** As many as fit 30 bits, which five letters carry. */
const DIGITS = 9
const UNIT = 2 ** 30
/** Added to the higher half of a time, which is negative before 1970. */
const OFFSET = 2 ** 23
const ZERO = 48

const lettersOf = (bits: number): string =>
  String.fromCharCode(
    CODES[bits >>> 24] ?? 0,
    CODES[(bits >>> 18) & 63] ?? 0,
    CODES[(bits >>> 12) & 63] ?? 0,
    CODES[(bits >>> 6) & 63] ?? 0,
    CODES[bits & 63] ?? 0,
  )

const bitsOf = (letters: string): number => {
  let bits = 0
  for (const letter of letters) bits = bits * 64 + ALPHABET.indexOf(letter)
  return bits
}

const numberIn = (digits: string, from: number, to: number): number => {
  let number = 0
  for (let at = from; at < to; at++) number = number * 10 + digits.charCodeAt(at) - ZERO
  return number
}

/**
 * A position in letters of base64url: ten for the time, five for each nine digits of the id. Arithmetic: to write the
 * digits and encode these takes three times as long.
 */
export const encodePosition = ({ time, target }: EdgePosition): string => {
  const high = Math.floor(time / UNIT)
  let text = lettersOf(high + OFFSET) + lettersOf(time - high * UNIT)
  let from = 0
  for (let to = target.length % DIGITS || DIGITS; from < target.length; to += DIGITS) {
    text += lettersOf(numberIn(target, from, to))
    from = to
  }
  return text
}

/** The inverse of encoding; undefined where a text is no position. The target may be any digits. */
export const decodePosition = (text: string): EdgePosition | undefined => {
  const [high = 0, low = 0, ...digits] = (text.match(/.{1,5}/gs) ?? []).map(bitsOf)
  const target = digits.map((part, index) => `${part}`.padStart(index === 0 ? 0 : DIGITS, '0')).join('')
  const position = { time: (high - OFFSET) * UNIT + low, target }
  return encodePosition(position) === text ? position : undefined
}
