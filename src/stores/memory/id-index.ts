import type { NodeId } from '../../base/ids.ts'
import { IdHash } from './id-hash.ts'
import { IdShard, SHARDS, shardOf } from './id-shard.ts'
import type { KeyIndex } from './key-index.ts'

/** Ids that are read before they are looked up. */
const READ = 64

const ZERO = 48
const MOST_DIGITS = 19
/** As many as fit 30 bits. */
const CHUNK = 9

/** Up to nine digits of a text as a number, -1 where another character is among them. */
const digitsOf = (text: string, from: number, to: number): number => {
  let value = 0
  for (let index = from; index < to; index++) {
    const digit = text.charCodeAt(index) - ZERO
    if (digit < 0 || digit > 9) return -1
    value = (value * 10 + digit) | 0
  }
  return value
}

/**
 * The numbers of ids, in hash tables that hold the ids themselves as 64 bits: a lookup goes to one place in memory and
 * reads no text but the one it was given. About 22 bytes an id.
 */
export class IdIndex implements KeyIndex {
  readonly #hash: IdHash
  readonly #shards: readonly IdShard[]
  /** The halves of the id read last, and its hash. */
  #low = 0
  #high = 0
  #hashed = 0
  /** The halves of those that are read together. */
  readonly #lows = new Uint32Array(READ)
  readonly #highs = new Uint32Array(READ)
  readonly #hashes = new Int32Array(READ)
  /** The numbers at the places where they are looked for first. */
  readonly #guesses = new Uint32Array(READ)

  constructor(hash = new IdHash()) {
    this.#hash = hash
    this.#shards = Array.from({ length: SHARDS }, () => new IdShard(hash))
  }

  /** Any text may be asked for; what is no id has no number. */
  get(id: NodeId): number {
    return this.#shardOf(id)?.get(this.#hashed, this.#low, this.#high) ?? 0
  }

  getAll(ids: readonly NodeId[]): number[] {
    const [only] = ids
    if (only !== undefined && ids.length === 1) return [this.get(only)]
    const numbers: number[] = []
    for (let start = 0; start < ids.length; start += READ) this.#getSome(ids, start, numbers)
    return numbers
  }

  add(id: NodeId, number: number): void {
    this.#shardOf(id)?.add(this.#hashed, this.#low, this.#high, number)
  }

  delete(id: NodeId): void {
    this.#shardOf(id)?.delete(this.#hashed, this.#low, this.#high)
  }

  /**
   * All of some ids are read before the first is looked up, and the first place of each is read before one is compared, so
   * that the processor waits for many places at once.
   */
  #getSome(ids: readonly NodeId[], start: number, numbers: number[]): void {
    const count = Math.min(READ, ids.length - start)
    for (let index = 0; index < count; index++) {
      // What is no id has halves of 0, which no id has.
      const isId = this.#shardOf(ids[start + index] ?? '') !== undefined
      this.#lows[index] = isId ? this.#low : 0
      this.#highs[index] = isId ? this.#high : 0
      this.#hashes[index] = this.#hashed
    }
    for (let index = 0; index < count; index++) {
      const hash = this.#hashes[index] ?? 0
      this.#guesses[index] = this.#shards[shardOf(hash)]?.guess(hash) ?? 0
    }
    for (let index = 0; index < count; index++) {
      const hash = this.#hashes[index] ?? 0
      const low = this.#lows[index] ?? 0
      const high = this.#highs[index] ?? 0
      const isThere = this.#guesses[index] !== 0
      numbers.push(isThere ? (this.#shards[shardOf(hash)]?.get(hash, low, high) ?? 0) : 0)
    }
  }

  /**
   * Reads an id: nine digits a half, and two bits in each for a nineteenth digit in front. Undefined where the text is
   * no id.
   */
  #shardOf(id: string): IdShard | undefined {
    const { length } = id
    if (length === 0 || length > MOST_DIGITS || id.charCodeAt(0) === ZERO) return undefined
    const second = Math.max(0, length - 2 * CHUNK)
    const third = Math.max(0, length - CHUNK)
    const first = digitsOf(id, 0, second)
    const high = digitsOf(id, second, third)
    const low = digitsOf(id, third, length)
    if ((first | high | low) < 0) return undefined
    this.#high = (high | ((first >>> 2) << 30)) >>> 0
    this.#low = (low | (first << 30)) >>> 0
    this.#hashed = this.#hash.of(this.#low, this.#high)
    return this.#shards[shardOf(this.#hashed)]
  }
}
