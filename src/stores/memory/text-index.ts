import type { KeyIndex } from './key-index.ts'

/** A `Map` holds at most 2^24 entries; this many of them hold a billion. A power of two. */
const SHARDS = 64

/** What keys written one after another differ in is their end. */
const shardOf = (key: string): number => {
  const last = key.length - 1
  const pair = Math.imul(key.charCodeAt(last), 31) + key.charCodeAt(last - 1)
  return (Math.imul(pair, 31) + key.charCodeAt(last - 2)) & (SHARDS - 1)
}

/** The numbers of texts, in maps small enough. */
export class TextIndex implements KeyIndex {
  readonly #shards = Array.from({ length: SHARDS }, () => new Map<string, number>())

  get(key: string): number {
    return this.#shards[shardOf(key)]?.get(key) ?? 0
  }

  getAll(keys: readonly string[]): number[] {
    return keys.map(key => this.get(key))
  }

  add(key: string, number: number): void {
    this.#shards[shardOf(key)]?.set(key, number)
  }

  delete(key: string): void {
    this.#shards[shardOf(key)]?.delete(key)
  }
}
