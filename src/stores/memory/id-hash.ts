const HALF = 0xffff

const oddOf = (words: Uint32Array, index: number): number => (words[index] ?? 0) | 1

/**
 * A hash of ids that nobody can predict: its multipliers are drawn at random for each store. A sum of products of the
 * 16-bit parts of an id gives two chosen ids the same value only by chance, whatever they are; the last product
 * scatters ids that are spaced evenly.
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

  /** The hash of an id whose halves are given: 32 bits, with a sign, since an object keeps such a number in place. */
  of(low: number, high: number): number {
    const lower = (Math.imul(low & HALF, this.#first) + Math.imul(low >>> 16, this.#second)) | 0
    const upper = (Math.imul(high & HALF, this.#third) + Math.imul(high >>> 16, this.#fourth)) | 0
    const sum = (lower + upper) | 0
    const mixed = Math.imul(sum ^ (sum >>> 15), this.#last)
    return mixed ^ (mixed >>> 15)
  }
}
