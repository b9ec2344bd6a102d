import { hexOf } from './hex.ts'

const PRIMES = [0x9e3779b1, 0x85ebca77] as const
const AVALANCHE = 0xc2b2ae3d
const HEX = 16
const WORD = 4
/** Two words, which are looked over at a time: neither waits for what was made of the other. */
const PAIR = 8
/** Bytes that are kept for bodies to be looked over in; a longer one gets its own. */
const KEPT = 16_384

const mixed = (word: number): number => {
  const once = Math.imul(word ^ (word >>> 15), AVALANCHE)
  return once ^ (once >>> 13)
}

/** What a body is told apart by, and how many bytes it has. */
export type Measured = { readonly etag: string; readonly length: number }

/** Measures bodies in memory of its own: to encode each into new memory takes longer than all else here. */
export class BodyMeter {
  readonly #encoder = new TextEncoder()
  readonly #words = new Uint32Array(KEPT / WORD)
  readonly #bytes = new Uint8Array(this.#words.buffer)

  /**
   * Measures a body. Its validator is a strong one: 64 bits of all its words, and its length. It keeps nothing secret and
   * proves nothing: it tells a client that what it has is what it would get, and is made for every answer, so that it has
   * to be quick.
   */
  measure(body: string): Measured {
    const { read, written } = this.#encoder.encodeInto(body, this.#bytes)
    if (read < body.length) return this.#measureLong(body)
    // What an earlier body left behind is no part of the last words.
    this.#bytes.fill(0, written, written + PAIR)
    return measuredOf(this.#words, written)
  }

  #measureLong(body: string): Measured {
    const bytes = this.#encoder.encode(body)
    const words = new Uint32Array(Math.ceil(bytes.length / WORD))
    new Uint8Array(words.buffer).set(bytes)
    return measuredOf(words, bytes.length)
  }
}

/**
 * Of bytes as words of four, filled up with zeros: 64 bits of the words at even places, 64 of the others, then both in one.
 * All bytes count; where bodies differ in the highest bytes of words alone, 48 bits tell them apart.
 */
const measuredOf = (words: Uint32Array, length: number): Measured => {
  const [left, right] = PRIMES
  let a: number = left
  let b: number = right
  let c: number = right
  let d: number = left
  for (let index = 0; index * WORD < length; index += 2) {
    a = Math.imul(a ^ (words[index] ?? 0), right)
    c = Math.imul(c ^ (words[index + 1] ?? 0), right)
    b = (Math.imul(b, left) + a) | 0
    d = (Math.imul(d, left) + c) | 0
    b ^= b >>> 15
    d ^= d >>> 15
  }
  const high = mixed(Math.imul(a, left) ^ mixed(c))
  const low = mixed(Math.imul(b, left) ^ mixed(d))
  return { etag: `"${hexOf(high)}${hexOf(low)}${length.toString(HEX)}"`, length }
}

/** Whether a client that names what it has in `If-None-Match` has this. */
export const isKnown = (condition: string | undefined, etag: string): boolean =>
  condition !== undefined &&
  (condition.trim() === '*' || condition.split(',').some(one => one.trim().replace(/^W\//, '') === etag))
