import { hexOf } from './hex.ts'

/** Words that are drawn at once: drawing takes microseconds, however many there are. */
const POOL = 512

/** Random ids of 64 bits in hexadecimal, by which one finds a response again. */
export class TraceIds {
  readonly #words = new Uint32Array(POOL)
  #next = POOL

  next(): string {
    if (this.#next === POOL) {
      crypto.getRandomValues(this.#words)
      this.#next = 0
    }
    return this.#draw() + this.#draw()
  }

  #draw(): string {
    return hexOf(this.#words[this.#next++] ?? 0)
  }
}
