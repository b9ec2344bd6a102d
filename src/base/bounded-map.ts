import { ownText } from './own-text.ts'

/**
 * A map that forgets what was used longest ago once it holds `capacity` entries.
 * Its keys arrive in requests, so it keeps a copy of each.
 * A hit in the newest half is not moved: reading stays a plain lookup for the hot keys.
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
    this.#fresh.set(ownText(key), value)
  }

  get size(): number {
    return this.#fresh.size + this.#stale.size
  }
}
