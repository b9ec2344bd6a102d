const ROUNDS = 12
const WORDS_PER_BLOCK = 4
const WORD_BYTES = 4
const BLOCK_BYTES = 16
/**
 * The constant to add if doubling a subkey shifts out its highest bit: the reduction polynomial of the field
 * with 2^128 elements.
 */
const REDUCTION_CONSTANT = 0x87

const toWords = (bytes: Uint8Array): Int32Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Int32Array.from({ length: WORDS_PER_BLOCK }, (_, index) => view.getInt32(index * WORD_BYTES, true))
}

const doubleSubkey = ([a = 0, b = 0, c = 0, d = 0]: Int32Array): Int32Array =>
  Int32Array.of(
    (a << 1) ^ (d < 0 ? REDUCTION_CONSTANT : 0),
    (b << 1) | (a >>> 31),
    (c << 1) | (b >>> 31),
    (d << 1) | (c >>> 31),
  )

const xorInto = (state: Int32Array, other: Int32Array): void => {
  for (let index = 0; index < WORDS_PER_BLOCK; index++) {
    state[index] = (state[index] ?? 0) ^ (other[index] ?? 0)
  }
}

/**
 * Adds blocks to a state and permutes the state after each block. Keeps the state in local variables and runs
 * the rounds in a loop, because this form is the fastest. The duration depends only on the length of the
 * data.
 */
const absorbBlocks = (state: Int32Array, words: Int32Array, start: number, end: number): void => {
  let a = state[0] ?? 0
  let b = state[1] ?? 0
  let c = state[2] ?? 0
  let d = state[3] ?? 0
  for (let wordIndex = start; wordIndex < end; wordIndex += WORDS_PER_BLOCK) {
    a ^= words[wordIndex] ?? 0
    b ^= words[wordIndex + 1] ?? 0
    c ^= words[wordIndex + 2] ?? 0
    d ^= words[wordIndex + 3] ?? 0
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

/** The state of a hash. After `finish`, it contains the hash. */
export type HashState = Int32Array

export const createHashState = (): HashState => new Int32Array(WORDS_PER_BLOCK)

/**
 * Chaskey-12 (Mouha and others, SAC 2014; ISO/IEC 29192-6): a keyed hash of 128 bits. It uses only additions,
 * rotations and XORs of 32-bit words, which are fast in JavaScript.
 */
export class Chaskey {
  readonly #key: Int32Array
  readonly #fullBlockKey: Int32Array
  readonly #paddedBlockKey: Int32Array

  /** @param key 16 bytes. */
  constructor(key: Uint8Array) {
    this.#key = toWords(key)
    this.#fullBlockKey = doubleSubkey(this.#key)
    this.#paddedBlockKey = doubleSubkey(this.#fullBlockKey)
  }

  /** Resets a state to hash a new text. */
  begin(state: HashState): void {
    const key = this.#key
    for (let index = 0; index < WORDS_PER_BLOCK; index++) state[index] = key[index] ?? 0
  }

  /**
   * Hashes the first `length` bytes in blocks of 16 bytes, except the last block, which `finish` needs.
   *
   * @returns the number of bytes that were hashed.
   */
  update(state: HashState, words: Int32Array, length: number): number {
    const blockCount = Math.max(0, Math.ceil(length / BLOCK_BYTES) - 1)
    absorbBlocks(state, words, 0, blockCount * WORDS_PER_BLOCK)
    return blockCount * BLOCK_BYTES
  }

  /**
   * Hashes the rest of the text: the first `length` bytes of the buffer. Overwrites the bytes after the text,
   * up to the end of the block.
   */
  finish(state: HashState, words: Int32Array, bytes: Uint8Array, length: number): void {
    const lastBlockStart = this.update(state, words, length)
    const isFullBlock = length - lastBlockStart === BLOCK_BYTES
    if (!isFullBlock) {
      bytes[length] = 1
      bytes.fill(0, length + 1, lastBlockStart + BLOCK_BYTES)
    }
    const key = isFullBlock ? this.#fullBlockKey : this.#paddedBlockKey
    xorInto(state, key)
    absorbBlocks(state, words, lastBlockStart / WORD_BYTES, lastBlockStart / WORD_BYTES + WORDS_PER_BLOCK)
    xorInto(state, key)
  }
}
