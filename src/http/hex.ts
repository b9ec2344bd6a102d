const DIGITS = Uint8Array.from('0123456789abcdef', digit => digit.charCodeAt(0))

const digitOf = (word: number, shift: number): number => DIGITS[(word >>> shift) & 0xf] ?? 0

/** The eight hexadecimal digits of a word of 32 bits: every response has four of them, and made at once, each is one text. */
export const hexOf = (word: number): string =>
  String.fromCharCode(
    digitOf(word, 28),
    digitOf(word, 24),
    digitOf(word, 20),
    digitOf(word, 16),
    digitOf(word, 12),
    digitOf(word, 8),
    digitOf(word, 4),
    digitOf(word, 0),
  )
