import type { NodeId } from '../../base/ids.ts'
import { hashOf, IdShard } from './id-shard.ts'
import type { KeyIndex } from './key-index.ts'

/** Each grows alone, so that no write waits for all. A power of two. */
const SHARDS = 64

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
   * Reads an id: nine digits a half, and two bits in each for a nineteenth digit in front. Undefined where the text is
   * no id.
   */
  #shardOf(id: string): IdShard | undefined {
    const { length } = id
    if (length > MOST_DIGITS || id.charCodeAt(0) === ZERO) return undefined
    const second = Math.max(0, length - 2 * CHUNK)
    const third = Math.max(0, length - CHUNK)
    const first = digitsOf(id, 0, second)
    const high = digitsOf(id, second, third)
    const low = digitsOf(id, third, length)
    if ((first | high | low) < 0) return undefined
    this.#high = (high | ((first >>> 2) << 30)) >>> 0
    this.#low = (low | (first << 30)) >>> 0
    return this.#shards[hashOf(this.#low, this.#high) & (SHARDS - 1)]
  }
}
