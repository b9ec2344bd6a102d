const ROUNDS = 12
const WORDS = 4
const BLOCK = 16
/** What is added when a subkey is doubled and its highest bit is lost: the polynomial of the field of 2^128 elements. */
const REDUCTION = 0x87

const wordsOf = (bytes: Uint8Array): Int32Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Int32Array.from({ length: WORDS }, (_, index) => view.getInt32(index * WORDS, true))
}

const doubled = ([a = 0, b = 0, c = 0, d = 0]: Int32Array): Int32Array =>
  Int32Array.of(
    (a << 1) ^ (d < 0 ? REDUCTION : 0),
    (b << 1) | (a >>> 31),
    (c << 1) | (b >>> 31),
    (d << 1) | (c >>> 31),
  )

const add = (state: Int32Array, other: Int32Array): void => {
  for (let index = 0; index < WORDS; index++) {
    state[index] = (state[index] ?? 0) ^ (other[index] ?? 0)
  }
}

/**
 * Adds blocks to a state and permutes it after each one. The words of the state are in variables of their own, and the
 * rounds are a loop: this form is the fastest one, and takes the same time for all data.
 */
const absorb = (state: Int32Array, words: Int32Array, start: number, end: number): void => {
  let a = state[0] ?? 0
  let b = state[1] ?? 0
  let c = state[2] ?? 0
  let d = state[3] ?? 0
  for (let at = start; at < end; at += WORDS) {
    a ^= words[at] ?? 0
    b ^= words[at + 1] ?? 0
    c ^= words[at + 2] ?? 0
    d ^= words[at + 3] ?? 0
    for (let round = 0; round < ROUNDS; round++) {
      a = (a + b) | 0
      b = ((b << 5) | (b >>> 27)) ^ a
      a = (a << 16) | (a >>> 16)
      c = (c + d) | 0
      d = ((d << 8) | (d >>> 24)) ^ c
      a = (a + d) | 0
      d = ((d << 13) | (d >>> 19)) ^ a
      c = (c + b) | 0
      b = ((b << 7) | (b >>> 25)) ^ c
      c = (c << 16) | (c >>> 16)
    }
  }
  state[0] = a
  state[1] = b
  state[2] = c
  state[3] = d
}

/** How far a text has been hashed; at the end its hash. */
export type Hashing = Int32Array

export const newHashing = (): Hashing => new Int32Array(WORDS)

/**
 * Chaskey-12 (Mouha and others, SAC 2014; ISO/IEC 29192-6): a keyed hash of 128 bits. It is made of additions, rotations and
 * exclusive-or of words of 32 bits, which are the numbers that JavaScript is fast with.
 */
export class Chaskey {
  readonly #key: Int32Array
  readonly #wholeKey: Int32Array
  readonly #paddedKey: Int32Array

  /** `key` has 16 bytes. */
  constructor(key: Uint8Array) {
    this.#key = wordsOf(key)
    this.#wholeKey = doubled(this.#key)
    this.#paddedKey = doubled(this.#wholeKey)
  }

  /** Begins a new text. */
  begin(hashing: Hashing): void {
    const key = this.#key
    for (let index = 0; index < WORDS; index++) hashing[index] = key[index] ?? 0
  }

  /**
   * Hashes the blocks of 16 bytes at the beginning of `length` bytes, except the last block, which `end` needs.
   *
   * @returns the number of bytes that were hashed.
   */
  update(hashing: Hashing, words: Int32Array, length: number): number {
    const blocks = Math.max(0, Math.ceil(length / BLOCK) - 1)
    absorb(hashing, words, 0, blocks * WORDS)
    return blocks * BLOCK
  }

  /**
   * Hashes the last bytes: all of the text from a block's beginning on. What follows them in `bytes` is overwritten, up to
   * the end of the block.
   */
  end(hashing: Hashing, words: Int32Array, bytes: Uint8Array, length: number): void {
    const start = this.update(hashing, words, length)
    const isWhole = length - start === BLOCK
    if (!isWhole) {
      bytes[length] = 1
      bytes.fill(0, length + 1, start + BLOCK)
    }
    const key = isWhole ? this.#wholeKey : this.#paddedKey
    add(hashing, key)
    absorb(hashing, words, start / WORDS, start / WORDS + WORDS)
    add(hashing, key)
  }
}
