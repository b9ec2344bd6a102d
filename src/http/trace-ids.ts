const HEX_DIGIT_CODES = Uint8Array.from('0123456789abcdef', digit => digit.charCodeAt(0))

const hexDigitCode = (word: number, shift: number): number => HEX_DIGIT_CODES[(word >>> shift) & 0xf] ?? 0

/**
 * Formats a 32-bit word as eight hexadecimal digits. Creates one flat string, because that is fast and every
 * response has several such words.
 */
export const wordToHex = (word: number): string =>
  String.fromCharCode(
    hexDigitCode(word, 28),
    hexDigitCode(word, 24),
    hexDigitCode(word, 20),
    hexDigitCode(word, 16),
    hexDigitCode(word, 12),
    hexDigitCode(word, 8),
    hexDigitCode(word, 4),
    hexDigitCode(word, 0),
  )

/**
 * The number of random words that are drawn at once. A draw takes microseconds, regardless of the number of
 * words.
 */
const POOL_SIZE = 512

/** Random 64-bit ids in hexadecimal. An application can log them to find a response later. */
export class TraceIds {
  readonly #words = new Uint32Array(POOL_SIZE)
  #nextIndex = POOL_SIZE

  next(): string {
    if (this.#nextIndex === POOL_SIZE) {
      crypto.getRandomValues(this.#words)
      this.#nextIndex = 0
    }
    return this.#nextWord() + this.#nextWord()
  }

  #nextWord(): string {
    return wordToHex(this.#words[this.#nextIndex++] ?? 0)
  }
}
