import type { Awaitable } from '../base/awaitable.ts'
import type { Turns } from '../base/turns.ts'
import { Chaskey, type Hashing, newHashing } from './chaskey.ts'
import { hexOf } from './hex.ts'

/** Bytes that a body is encoded to at a time: no more memory than the nearest cache of the processor holds. */
const PIECE = 16_384
const WORD = 4
/** Characters that are hashed without a break, in about a third of a millisecond. */
const SLICE = 262_144

/** The validator of a body, and its length in bytes. */
export type Measured = { readonly etag: string; readonly length: number }

type Memory = { readonly words: Int32Array; readonly bytes: Uint8Array; readonly hashing: Hashing }

const newMemory = (): Memory => {
  const words = new Int32Array(PIECE / WORD)
  return { words, bytes: new Uint8Array(words.buffer), hashing: newHashing() }
}

/** How far a body has been hashed. */
type Progress = Memory & {
  /** Characters that are encoded. */
  at: number
  /** Bytes that they are encoded to. */
  length: number
  /** Bytes at the beginning of the memory that are not hashed yet. */
  held: number
}

/** Read by index: an iterator would take more memory than all else here. */
const hexAt = (hashing: Hashing, index: number): string => hexOf(hashing[index] ?? 0)

const measuredOf = ({ hashing, length }: Progress): Measured => ({
  etag: `"${hexAt(hashing, 0)}${hexAt(hashing, 1)}${hexAt(hashing, 2)}${hexAt(hashing, 3)}"`,
  length,
})

/** Measures bodies in memory of its own: to encode each one into new memory takes longer. */
export class BodyMeter {
  readonly #encoder = new TextEncoder()
  readonly #memory = newMemory()
  readonly #hash: Chaskey
  readonly #turns: Turns

  /** `key` has 16 bytes. Without it nobody can make two bodies with the same validator. */
  constructor(key: Uint8Array, turns: Turns) {
    this.#hash = new Chaskey(key)
    this.#turns = turns
  }

  /** Measures a body. Its validator is a strong one. A long body is hashed in slices, with a macrotask between them. */
  measure(body: string): Awaitable<Measured> {
    if (body.length > SLICE) return this.#measureLong(body)
    const progress = this.#begin(this.#memory)
    this.#advance(progress, body, body.length)
    return this.#end(progress)
  }

  /** In memory of its own, since other bodies are measured in between. */
  async #measureLong(body: string): Promise<Measured> {
    const progress = this.#begin(newMemory())
    for (let until = SLICE; progress.at < body.length; until += SLICE) {
      this.#advance(progress, body, Math.min(until, body.length))
      await this.#turns.next()
    }
    return this.#end(progress)
  }

  #begin({ words, bytes, hashing }: Memory): Progress {
    this.#hash.begin(hashing)
    return { words, bytes, hashing, at: 0, length: 0, held: 0 }
  }

  /** Encodes and hashes at least the characters before `until`; the last bytes of the body are left to `#end`. */
  #advance(progress: Progress, body: string, until: number): void {
    const { words, bytes, hashing } = progress
    while (progress.at < until) {
      const { at, held } = progress
      const rest = at === 0 ? body : body.slice(at)
      const { read, written } = this.#encoder.encodeInto(rest, held === 0 ? bytes : bytes.subarray(held))
      progress.at += read
      progress.length += written
      progress.held += written
      if (progress.at === body.length) return
      const hashed = this.#hash.update(hashing, words, progress.held)
      bytes.copyWithin(0, hashed, progress.held)
      progress.held -= hashed
    }
  }

  #end(progress: Progress): Measured {
    const { hashing, words, bytes, held } = progress
    this.#hash.end(hashing, words, bytes, held)
    return measuredOf(progress)
  }
}

/** Whether a client that names what it has in `If-None-Match` has this. */
export const isKnown = (condition: string | undefined, etag: string): boolean =>
  condition !== undefined &&
  (condition.trim() === '*' || condition.split(',').some(one => one.trim().replace(/^W\//, '') === etag))
