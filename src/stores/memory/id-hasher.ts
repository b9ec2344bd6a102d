const LOW_16_BITS = 0xffff

const readOddWord = (words: Uint32Array, index: number): number => (words[index] ?? 0) | 1

/**
 * An unpredictable hash of ids: its multipliers are random for each store. Products of the 16-bit parts of an
 * id are joined, so that two chosen ids collide only by chance; the last product scatters ids that are evenly
 * spaced. All intermediate numbers are signed 32-bit integers, which need no memory.
 */
export class IdHasher {
  readonly #multiplier1: number
  readonly #multiplier2: number
  readonly #multiplier3: number
  readonly #multiplier4: number
  readonly #finalMultiplier: number

  constructor(words: Uint32Array = crypto.getRandomValues(new Uint32Array(5))) {
    this.#multiplier1 = readOddWord(words, 0)
    this.#multiplier2 = readOddWord(words, 1)
    this.#multiplier3 = readOddWord(words, 2)
    this.#multiplier4 = readOddWord(words, 3)
    this.#finalMultiplier = readOddWord(words, 4)
  }

  /** Returns the hash of an id, given by its halves: a signed 32-bit integer. */
  hash(low: number, high: number): number {
    const joined =
      Math.imul(low & LOW_16_BITS, this.#multiplier1) ^
      Math.imul(low >>> 16, this.#multiplier2) ^
      Math.imul(high & LOW_16_BITS, this.#multiplier3) ^
      Math.imul(high >>> 16, this.#multiplier4)
    const mixed = Math.imul(joined ^ (joined >>> 15), this.#finalMultiplier)
    return mixed ^ (mixed >>> 15)
  }
}
