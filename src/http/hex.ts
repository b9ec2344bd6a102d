const HEX = 16
const DIGITS = 2
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(HEX).padStart(DIGITS, '0'))

const byteOf = (word: number, shift: number): string => BYTES[(word >>> shift) & 0xff] ?? ''

/** The eight hexadecimal digits of a word of 32 bits; from a table, since every response has four of them. */
export const hexOf = (word: number): string =>
  byteOf(word, 24) + byteOf(word, 16) + byteOf(word, 8) + byteOf(word, 0)
