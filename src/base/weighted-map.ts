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
 * A map whose entries weigh at most `maxWeight` in total: it drops the entries that were used longest ago.
 * Reading an entry of the newer half does not move it, so that reading a hot key is a plain lookup.
 */
export class WeightedMap<TValue> {
  readonly #maxWeight: number
  #newerHalf = new EntryGroup<TValue>()
  #olderHalf = new EntryGroup<TValue>()

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight
  }

  get(key: string): TValue | undefined {
    const newerEntry = this.#newerHalf.entries.get(key)
    if (newerEntry !== undefined) return newerEntry.value
    const olderEntry = this.#olderHalf.entries.get(key)
    if (olderEntry === undefined) return undefined
    this.#olderHalf.delete(key)
    this.#add(key, olderEntry)
    return olderEntry.value
  }

  /** Sets the value of a key. A value that alone exceeds `maxWeight` is not stored. */
  set(key: string, value: TValue, weight: number): void {
    this.#newerHalf.delete(key)
    this.#olderHalf.delete(key)
    if (weight <= this.#maxWeight) this.#add(key, { value, weight })
  }

  get size(): number {
    return this.#newerHalf.entries.size + this.#olderHalf.entries.size
  }

  /** The total weight of all entries. */
  get weight(): number {
    return this.#newerHalf.weight + this.#olderHalf.weight
  }

  #add(key: string, entry: Entry<TValue>): void {
    if (this.#newerHalf.weight + entry.weight > this.#maxWeight / 2) {
      this.#olderHalf = this.#newerHalf
      this.#newerHalf = new EntryGroup()
    }
    this.#newerHalf.add(key, entry)
    if (this.weight > this.#maxWeight) this.#olderHalf = new EntryGroup()
  }
}
