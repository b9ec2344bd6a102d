import type { NodeId } from '../../base/ids.ts'
import { hashOf, IdShard } from './id-shard.ts'
import type { KeyIndex } from './key-index.ts'

/** Each grows alone, so that no write waits for all. A power of two. */
const SHARDS = 64

const LOW_DIGITS = 9
const MOST_DIGITS = 19
const ZERO = 48
const HIGH_UNIT = 2 ** 32

/** Some digits of a text as a number; not a number where another character is among them. */
const digitsOf = (text: string, from: number, to: number): number => {
  let value = 0
  for (let index = from; index < to; index++) {
    const digit = text.charCodeAt(index) - ZERO
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : Number.NaN
  }
  return value
}

/**
 * The numbers of ids, in hash tables that hold the ids themselves as 64 bits: a lookup goes to one place in memory and
 * reads no text but the one it was given. About 22 bytes an id.
 */
export class IdIndex implements KeyIndex {
  readonly #shards = Array.from({ length: SHARDS }, () => new IdShard())
  /** The halves of the id read last. */
  #low = 0
  #high = 0

  /** Any text may be asked for; what is no id has no number. */
  get(id: NodeId): number {
    return this.#shardOf(id)?.get(this.#low, this.#high) ?? 0
  }

  add(id: NodeId, number: number): void {
    this.#shardOf(id)?.add(this.#low, this.#high, number)
  }

  delete(id: NodeId): void {
    this.#shardOf(id)?.delete(this.#low, this.#high)
  }

  /**
   * Reads an id: its last nine digits have 30 bits, the ten before them up to 34, of which the first two join the
   * former. Undefined where the text is no id.
   */
  #shardOf(id: string): IdShard | undefined {
    const { length } = id
    const cut = Math.max(0, length - LOW_DIGITS)
    const high = digitsOf(id, 0, cut)
    const low = digitsOf(id, cut, length)
    const isId = high + low > 0 && id.charCodeAt(0) !== ZERO && length <= MOST_DIGITS
    if (!isId) return undefined
    this.#high = high >>> 0
    this.#low = (low + Math.floor(high / HIGH_UNIT) * 2 ** 30) >>> 0
    return this.#shards[hashOf(this.#low, this.#high) % SHARDS]
  }
}
