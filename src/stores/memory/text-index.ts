import type { KeyIndex } from './key-index.ts'

/** The number of maps, a power of two. A `Map` has at most 2^24 entries, so these have a billion. */
const SHARD_COUNT = 64

/** Returns the shard of a key. Keys that are written one after another usually differ at their end. */
const shardIndexOf = (key: string): number => {
  const lastIndex = key.length - 1
  const pairHash = Math.imul(key.charCodeAt(lastIndex), 31) + key.charCodeAt(lastIndex - 1)
  return (Math.imul(pairHash, 31) + key.charCodeAt(lastIndex - 2)) & (SHARD_COUNT - 1)
}

/** The numbers of texts, in several maps. */
export class TextIndex implements KeyIndex {
  readonly #shards = Array.from({ length: SHARD_COUNT }, () => new Map<string, number>())

  get(key: string): number {
    return this.#shards[shardIndexOf(key)]?.get(key) ?? 0
  }

  getAll(keys: readonly string[]): number[] {
    return keys.map(key => this.get(key))
  }

  add(key: string, number: number): void {
    this.#shards[shardIndexOf(key)]?.set(key, number)
  }

  delete(key: string): void {
    this.#shards[shardIndexOf(key)]?.delete(key)
  }
}
