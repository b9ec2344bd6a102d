import { copyText } from './copy-text.ts'

/**
 * A map of at most `capacity` entries, which drops the least recently used ones. It keeps a copy of each key,
 * because keys arrive in requests. An entry in the newest half is not moved when it is read: for the hot
 * keys, reading is a plain lookup.
 */
export class BoundedMap<TValue> {
  readonly #capacity: number
  #fresh = new Map<string, TValue>()
  #stale = new Map<string, TValue>()

  constructor(capacity: number) {
    this.#capacity = Math.max(1, Math.ceil(capacity / 2))
  }

  get(key: string): TValue | undefined {
    const fresh = this.#fresh.get(key)
    if (fresh !== undefined) return fresh
    const stale = this.#stale.get(key)
    if (stale !== undefined) this.set(key, stale)
    return stale
  }

  set(key: string, value: TValue): void {
    if (this.#fresh.size >= this.#capacity && !this.#fresh.has(key)) {
      this.#stale = this.#fresh
      this.#fresh = new Map()
    }
    this.#fresh.set(copyText(key), value)
  }

  get size(): number {
    return this.#fresh.size + this.#stale.size
  }
}
