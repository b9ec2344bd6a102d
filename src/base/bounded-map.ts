/**
 * Returns a copy that shares no memory with a longer text. A JavaScript engine may store a part of a text as
 * a reference to the whole text. Without a copy, a cached parameter of 20 characters could keep a request
 * body of 1 MiB in memory.
 */
export const copyText = (text: string): string => ` ${text}`.slice(1)

/** Entries that were used in the same period, and their total weight. */
class EntryGroup<TValue> extends Map<string, TValue> {
  weight = 0
}

/**
 * A cache whose entries weigh at most `maxWeight` in total. Without `weigh`, each entry weighs 1. When the
 * newer half is full, the map drops the older half: the entries that were not used recently. The map copies
 * each key, because a key may be part of a request. A read from the newer half is a plain lookup. A read from
 * the older half copies the entry to the newer half.
 */
export class BoundedMap<TValue> {
  readonly #maxWeight: number
  readonly #weigh: (value: TValue) => number
  #newerHalf = new EntryGroup<TValue>()
  #olderHalf = new EntryGroup<TValue>()

  /** `weigh` must return the same weight as long as the map contains the value. */
  constructor(maxWeight: number, weigh: (value: TValue) => number = () => 1) {
    this.#maxWeight = maxWeight
    this.#weigh = weigh
  }

  get(key: string): TValue | undefined {
    const newerValue = this.#newerHalf.get(key)
    if (newerValue !== undefined) return newerValue
    const olderValue = this.#olderHalf.get(key)
    if (olderValue !== undefined) this.set(key, olderValue)
    return olderValue
  }

  /** Sets the value of a key. A value whose own weight exceeds `maxWeight` is not stored. */
  set(key: string, value: TValue): void {
    const weight = this.#weigh(value)
    if (weight > this.#maxWeight) {
      this.delete(key)
      return
    }
    this.#deleteFrom(this.#newerHalf, key)
    if (this.#newerHalf.weight + weight > this.#maxWeight / 2) {
      this.#olderHalf = this.#newerHalf
      this.#newerHalf = new EntryGroup()
    }
    this.#newerHalf.set(copyText(key), value)
    this.#newerHalf.weight += weight
    if (this.weight > this.#maxWeight) this.#olderHalf = new EntryGroup()
  }

  delete(key: string): void {
    this.#deleteFrom(this.#newerHalf, key)
    this.#deleteFrom(this.#olderHalf, key)
  }

  /** The number of entries. An entry that is in both halves counts twice. */
  get size(): number {
    return this.#newerHalf.size + this.#olderHalf.size
  }

  /** The total weight of the entries. An entry that is in both halves counts twice. */
  get weight(): number {
    return this.#newerHalf.weight + this.#olderHalf.weight
  }

  #deleteFrom(half: EntryGroup<TValue>, key: string): void {
    const value = half.get(key)
    if (value === undefined) return
    half.delete(key)
    half.weight -= this.#weigh(value)
  }
}
