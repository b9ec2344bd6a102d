import { copyText } from './copy-text.ts'

/**
 * A map of at most `capacity` entries, rounded up to an even number. When its newer half is full, it drops
 * the older half: the entries that were not used recently. It keeps a copy of each key, because keys arrive
 * in requests. Reading an entry of the newer half does not move it, so that reading a hot key is a plain
 * lookup.
 */
export class BoundedMap<TValue> {
  readonly #halfCapacity: number
  #newerHalf = new Map<string, TValue>()
  #olderHalf = new Map<string, TValue>()

  constructor(capacity: number) {
    this.#halfCapacity = Math.max(1, Math.ceil(capacity / 2))
  }

  get(key: string): TValue | undefined {
    const newerValue = this.#newerHalf.get(key)
    if (newerValue !== undefined) return newerValue
    const olderValue = this.#olderHalf.get(key)
    if (olderValue !== undefined) this.set(key, olderValue)
    return olderValue
  }

  set(key: string, value: TValue): void {
    if (this.#newerHalf.size >= this.#halfCapacity && !this.#newerHalf.has(key)) {
      this.#olderHalf = this.#newerHalf
      this.#newerHalf = new Map()
    }
    this.#newerHalf.set(copyText(key), value)
  }

  get size(): number {
    return this.#newerHalf.size + this.#olderHalf.size
  }
}
