import { wordToHex } from './hex.ts'

/** The number of words that are drawn at once. Drawing takes microseconds, regardless of the number. */
const POOL_SIZE = 512

/** Random 64-bit ids in hexadecimal, by which a response can be found in logs. */
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
