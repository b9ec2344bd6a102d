import type { Awaitable } from '../base/awaitable.ts'
import type { TurnQueue } from '../base/turn-queue.ts'
import { Chaskey, createHashState, type HashState } from './chaskey.ts'
import { wordToHex } from './trace-ids.ts'

/** The size of the buffer for encoding bodies. It fits in the L1 cache of the processor. */
const BUFFER_BYTES = 16_384
const WORD_BYTES = 4
/** The number of characters that are hashed in one macrotask, which takes about a third of a millisecond. */
const SLICE_LENGTH = 262_144

/** The `ETag` of a body, and its length in bytes. */
export type BodyMeasurement = { readonly etag: string; readonly encodedBytes: number }

/**
 * The buffer and the state of a hash. `words` and `bytes` are two views of the same memory: the encoder
 * writes bytes, the hash reads 32-bit words.
 */
type HashBuffers = { readonly words: Int32Array; readonly bytes: Uint8Array; readonly hashState: HashState }

const createHashBuffers = (): HashBuffers => {
  const words = new Int32Array(BUFFER_BYTES / WORD_BYTES)
  return { words, bytes: new Uint8Array(words.buffer), hashState: createHashState() }
}

/** The progress of hashing a body. */
type HashProgress = HashBuffers & {
  /** The number of characters that have been encoded so far. */
  encodedCharacters: number
  /** The length of the encoded characters in bytes. */
  encodedBytes: number
  /** The number of bytes at the beginning of the buffer that have not been hashed yet. */
  pendingBytes: number
}

/** Reads by index, because an iterator would allocate more memory than the rest of the measurement. */
const formatWord = (hashState: HashState, index: number): string => wordToHex(hashState[index] ?? 0)

const toMeasurement = ({ hashState, encodedBytes }: HashProgress): BodyMeasurement => ({
  etag: `"${formatWord(hashState, 0)}${formatWord(hashState, 1)}${formatWord(hashState, 2)}${formatWord(hashState, 3)}"`,
  encodedBytes,
})

/** Measures bodies with one shared buffer, because encoding each body into new memory takes longer. */
export class BodyMeter {
  readonly #encoder = new TextEncoder()
  readonly #buffers = createHashBuffers()
  readonly #chaskey: Chaskey
  readonly #turnQueue: TurnQueue

  /** @param key 16 bytes. Without the key, nobody can construct two bodies with the same `ETag`. */
  constructor(key: Uint8Array, turnQueue: TurnQueue) {
    this.#chaskey = new Chaskey(key)
    this.#turnQueue = turnQueue
  }

  /**
   * Measures a body and creates its `ETag`, a strong validator. Hashes a long body in slices, so that other
   * work of the process can run between the slices.
   */
  measure(body: string): Awaitable<BodyMeasurement> {
    if (body.length > SLICE_LENGTH) return this.#measureLong(body)
    const progress = this.#begin(this.#buffers)
    this.#advance(progress, body, body.length)
    return this.#finish(progress)
  }

  /** Uses separate buffers, because other bodies are measured between the slices. */
  async #measureLong(body: string): Promise<BodyMeasurement> {
    const progress = this.#begin(createHashBuffers())
    for (let until = SLICE_LENGTH; progress.encodedCharacters < body.length; until += SLICE_LENGTH) {
      this.#advance(progress, body, Math.min(until, body.length))
      await this.#turnQueue.waitForTurn()
    }
    return this.#finish(progress)
  }

  #begin({ words, bytes, hashState }: HashBuffers): HashProgress {
    this.#chaskey.begin(hashState)
    return { words, bytes, hashState, encodedCharacters: 0, encodedBytes: 0, pendingBytes: 0 }
  }

  /**
   * Encodes and hashes at least the characters before `until`. `#finish` hashes the last bytes of the body.
   */
  #advance(progress: HashProgress, body: string, until: number): void {
    const { words, bytes, hashState } = progress
    while (progress.encodedCharacters < until) {
      const { encodedCharacters, pendingBytes } = progress
      const remainingText = encodedCharacters === 0 ? body : body.slice(encodedCharacters)
      const { read, written } = this.#encoder.encodeInto(
        remainingText,
        pendingBytes === 0 ? bytes : bytes.subarray(pendingBytes),
      )
      progress.encodedCharacters += read
      progress.encodedBytes += written
      progress.pendingBytes += written
      if (progress.encodedCharacters === body.length) return
      const hashedBytes = this.#chaskey.update(hashState, words, progress.pendingBytes)
      bytes.copyWithin(0, hashedBytes, progress.pendingBytes)
      progress.pendingBytes -= hashedBytes
    }
  }

  #finish(progress: HashProgress): BodyMeasurement {
    const { hashState, words, bytes, pendingBytes } = progress
    this.#chaskey.finish(hashState, words, bytes, pendingBytes)
    return toMeasurement(progress)
  }
}

/** Whether the header `If-None-Match` matches an `ETag`. If it does, the client already has the body. */
export const matchesEtag = (condition: string | undefined, etag: string): boolean =>
  condition !== undefined &&
  (condition.trim() === '*' || condition.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag))
