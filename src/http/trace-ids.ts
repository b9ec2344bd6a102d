/** Words that are drawn at once: drawing takes microseconds, however many there are. */
const POOL = 512
const HEX = 16
const DIGITS = 8

const hex = (word = 0): string => word.toString(HEX).padStart(DIGITS, '0')

/** Random ids of 64 bits in hexadecimal, by which one finds a response again. */
export class TraceIds {
  readonly #words = new Uint32Array(POOL)
  #next = POOL

  next(): string {
    if (this.#next === POOL) {
      crypto.getRandomValues(this.#words)
      this.#next = 0
    }
    return hex(this.#words[this.#next++]) + hex(this.#words[this.#next++])
  }
}
