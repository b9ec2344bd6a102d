const HALF = 0xffff

const oddOf = (words: Uint32Array, index: number): number => (words[index] ?? 0) | 1

/**
 * A hash of ids that nobody can predict: its multipliers are drawn at random for each store. The products of the 16-bit
 * parts of an id, joined, give two chosen ids the same value only by chance, whatever they are; the last product
 * scatters ids that are spaced evenly. All numbers on the way are of 32 bits with a sign, which need no memory.
 */
export class IdHash {
  readonly #first: number
  readonly #second: number
  readonly #third: number
  readonly #fourth: number
  readonly #last: number

  constructor(words: Uint32Array = crypto.getRandomValues(new Uint32Array(5))) {
    this.#first = oddOf(words, 0)
    this.#second = oddOf(words, 1)
    this.#third = oddOf(words, 2)
    this.#fourth = oddOf(words, 3)
    this.#last = oddOf(words, 4)
  }

  /** The hash of an id whose halves are given: 32 bits, with a sign. */
  of(low: number, high: number): number {
    const joined =
      Math.imul(low & HALF, this.#first) ^
      Math.imul(low >>> 16, this.#second) ^
      Math.imul(high & HALF, this.#third) ^
      Math.imul(high >>> 16, this.#fourth)
    const mixed = Math.imul(joined ^ (joined >>> 15), this.#last)
    return mixed ^ (mixed >>> 15)
  }
}
