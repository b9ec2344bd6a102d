type Entry<TValue> = { readonly value: TValue; readonly weight: number }

/** Entries that were used in the same period, and their total weight. */
class EntryGroup<TValue> {
  readonly entries = new Map<string, Entry<TValue>>()
  weight = 0

  add(key: string, entry: Entry<TValue>): void {
    this.entries.set(key, entry)
    this.weight += entry.weight
  }

  delete(key: string): void {
    const entry = this.entries.get(key)
    if (entry === undefined) return
    this.entries.delete(key)
    this.weight -= entry.weight
  }
}

/**
 * A map whose entries weigh at most `bound` in total: it drops the entries that were used longest ago.
 * An entry in the newest half is not moved when it is read: for the hot keys, reading is a plain lookup.
 */
export class WeightedMap<TValue> {
  readonly #maxWeight: number
  #fresh = new EntryGroup<TValue>()
  #stale = new EntryGroup<TValue>()

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight
  }

  get(key: string): TValue | undefined {
    const fresh = this.#fresh.entries.get(key)
    if (fresh !== undefined) return fresh.value
    const stale = this.#stale.entries.get(key)
    if (stale === undefined) return undefined
    this.#stale.delete(key)
    this.#add(key, stale)
    return stale.value
  }

  /** Sets the value of a key. A value that alone exceeds the bound is not stored. */
  set(key: string, value: TValue, weight: number): void {
    this.#fresh.delete(key)
    this.#stale.delete(key)
    if (weight <= this.#maxWeight) this.#add(key, { value, weight })
  }

  get size(): number {
    return this.#fresh.entries.size + this.#stale.entries.size
  }

  /** The total weight of all entries. */
  get weight(): number {
    return this.#fresh.weight + this.#stale.weight
  }

  #add(key: string, entry: Entry<TValue>): void {
    if (this.#fresh.weight + entry.weight > this.#maxWeight / 2) {
      this.#stale = this.#fresh
      this.#fresh = new EntryGroup()
    }
    this.#fresh.add(key, entry)
    if (this.weight > this.#maxWeight) this.#stale = new EntryGroup()
  }
}
