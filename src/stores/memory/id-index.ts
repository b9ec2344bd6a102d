import type { NodeId } from '../../base/ids.ts'
import { IdHasher } from './id-hasher.ts'
import { IdShard, SHARD_COUNT, shardIndexOf } from './id-shard.ts'
import type { KeyIndex } from './key-index.ts'

/** The number of ids that are parsed before they are looked up. */
const LOOKUP_BATCH_SIZE = 64

const ZERO_CHAR_CODE = 48
const MAX_DIGITS = 19
/** The number of digits that fit 30 bits. */
const DIGITS_PER_HALF = 9

/** Parses up to nine digits of a text, -1 if it contains another character. */
const parseDigits = (text: string, start: number, end: number): number => {
  let value = 0
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - ZERO_CHAR_CODE
    if (digit < 0 || digit > 9) return -1
    value = (value * 10 + digit) | 0
  }
  return value
}

/**
 * The numbers of ids, in hash tables that contain the ids themselves as 64 bits. A lookup accesses one place
 * in memory and reads no other text. About 22 bytes per id.
 */
export class IdIndex implements KeyIndex {
  readonly #hasher: IdHasher
  readonly #shards: readonly IdShard[]
  /** The halves of the last parsed id, and its hash. */
  #parsedLow = 0
  #parsedHigh = 0
  #parsedHash = 0
  /** The halves of ids that are parsed together. */
  readonly #batchLows = new Uint32Array(LOOKUP_BATCH_SIZE)
  readonly #batchHighs = new Uint32Array(LOOKUP_BATCH_SIZE)
  readonly #batchHashes = new Int32Array(LOOKUP_BATCH_SIZE)
  /** The numbers at their home slots. */
  readonly #batchHomeNumbers = new Uint32Array(LOOKUP_BATCH_SIZE)

  constructor(hasher = new IdHasher()) {
    this.#hasher = hasher
    this.#shards = Array.from({ length: SHARD_COUNT }, () => new IdShard(hasher))
  }

  /** Returns the number of an id. Any other text has none. */
  get(id: NodeId): number {
    return this.#parseId(id)?.get(this.#parsedHash, this.#parsedLow, this.#parsedHigh) ?? 0
  }

  getAll(ids: readonly NodeId[]): number[] {
    const [only] = ids
    if (only !== undefined && ids.length === 1) return [this.get(only)]
    const numbers: number[] = []
    for (let start = 0; start < ids.length; start += LOOKUP_BATCH_SIZE) this.#lookUpBatch(ids, start, numbers)
    return numbers
  }

  add(id: NodeId, number: number): void {
    this.#parseId(id)?.add(this.#parsedHash, this.#parsedLow, this.#parsedHigh, number)
  }

  delete(id: NodeId): void {
    this.#parseId(id)?.delete(this.#parsedHash, this.#parsedLow, this.#parsedHigh)
  }

  /**
   * Parses some ids, then reads the home slot of each before comparing, so that the processor waits for many
   * places at once.
   */
  #lookUpBatch(ids: readonly NodeId[], start: number, numbers: number[]): void {
    const batchLength = Math.min(LOOKUP_BATCH_SIZE, ids.length - start)
    for (let index = 0; index < batchLength; index++) {
      // A text that is not an id gets halves of 0, which no id has.
      const isId = this.#parseId(ids[start + index] ?? '') !== undefined
      this.#batchLows[index] = isId ? this.#parsedLow : 0
      this.#batchHighs[index] = isId ? this.#parsedHigh : 0
      this.#batchHashes[index] = this.#parsedHash
    }
    for (let index = 0; index < batchLength; index++) {
      const hash = this.#batchHashes[index] ?? 0
      this.#batchHomeNumbers[index] = this.#shards[shardIndexOf(hash)]?.readHomeNumber(hash) ?? 0
    }
    for (let index = 0; index < batchLength; index++) {
      const hash = this.#batchHashes[index] ?? 0
      const low = this.#batchLows[index] ?? 0
      const high = this.#batchHighs[index] ?? 0
      const isOccupied = this.#batchHomeNumbers[index] !== 0
      numbers.push(isOccupied ? (this.#shards[shardIndexOf(hash)]?.get(hash, low, high) ?? 0) : 0)
    }
  }

  /**
   * Parses an id: nine digits per half, and two bits in each for a leading nineteenth digit. Returns
   * undefined for a text that is not an id.
   */
  #parseId(id: string): IdShard | undefined {
    const { length } = id
    if (length === 0 || length > MAX_DIGITS || id.charCodeAt(0) === ZERO_CHAR_CODE) return undefined
    const highStart = Math.max(0, length - 2 * DIGITS_PER_HALF)
    const lowStart = Math.max(0, length - DIGITS_PER_HALF)
    const leadingDigit = parseDigits(id, 0, highStart)
    const high = parseDigits(id, highStart, lowStart)
    const low = parseDigits(id, lowStart, length)
    if ((leadingDigit | high | low) < 0) return undefined
    this.#parsedHigh = (high | ((leadingDigit >>> 2) << 30)) >>> 0
    this.#parsedLow = (low | (leadingDigit << 30)) >>> 0
    this.#parsedHash = this.#hasher.hash(this.#parsedLow, this.#parsedHigh)
    return this.#shards[shardIndexOf(this.#parsedHash)]
  }
}
