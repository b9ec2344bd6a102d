import { type Epochs, NumberAllocator, PagedArray } from './paged-tables.ts'

/** Finds the number of a record by its key. Numbers are 1 and more; 0 means none. */
export interface KeyIndex {
  get(key: string): number
  /** Returns the numbers of many keys, by position. */
  getAll(keys: readonly string[]): number[]
  /** Adds a key that does not exist yet. */
  add(key: string, number: number): void
  delete(key: string): void
}

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

/**
 * The keys and numbers of a table. Snapshots share them with the table, since no number is reused while one
 * may look it up.
 */
class KeyNumbers {
  readonly #epochs: Epochs
  readonly #index: KeyIndex
  readonly #allocator = new NumberAllocator()
  /** Numbers without a record that an open snapshot may still look up, oldest first. */
  readonly #retiredNumbers = new Map<number, { readonly key: string; readonly epoch: number }>()

  constructor(epochs: Epochs, index: KeyIndex) {
    this.#epochs = epochs
    this.#index = index
  }

  findNumber(key: string): number {
    return this.#index.get(key)
  }

  /** Returns the numbers of keys, by position, whether or not they have a record now. */
  numbersOf(keys: readonly string[]): number[] {
    return this.#index.getAll(keys)
  }

  /** Returns the numbers of the keys that have a record now, independent of snapshots. */
  findLiveNumbers(keys: readonly string[]): number[] {
    const numbers = this.numbersOf(keys)
    return this.#retiredNumbers.size === 0
      ? numbers
      : numbers.map(number => (this.#retiredNumbers.has(number) ? 0 : number))
  }

  /** Assigns a number to a key that gets a record. */
  assignNumber(key: string): number {
    this.#releaseRetiredNumbers()
    const existingNumber = this.#index.get(key)
    if (existingNumber !== 0) {
      this.#retiredNumbers.delete(existingNumber)
      return existingNumber
    }
    const number = this.#allocator.allocate()
    this.#index.add(key, number)
    return number
  }

  /** Retires the number of a key that has lost its record. */
  retireNumber(key: string, number: number): void {
    this.#retiredNumbers.set(number, { key, epoch: this.#epochs.currentEpoch })
    this.#releaseRetiredNumbers()
  }

  /**
   * Releases retired numbers that no snapshot may look up: those that were opened later never saw the record.
   */
  #releaseRetiredNumbers(): void {
    if (this.#retiredNumbers.size === 0) return
    for (const [number, { key, epoch }] of this.#retiredNumbers) {
      if (epoch > this.#epochs.oldestOpenEpoch) return
      this.#retiredNumbers.delete(number)
      this.#index.delete(key)
      this.#allocator.release(number)
    }
  }
}

/**
 * Records by text key and dense number. The numbers of deleted records are reused only when no snapshot is
 * open that could confuse the new record with the old one.
 */
export class RecordTable<TRecord> {
  readonly #keyNumbers: KeyNumbers
  readonly #records: PagedArray<TRecord>

  constructor(keyNumbers: KeyNumbers, records: PagedArray<TRecord>) {
    this.#keyNumbers = keyNumbers
    this.#records = records
  }

  /** Returns the number of the record with a key, 0 if there is none. */
  findNumber(key: string): number {
    const number = this.#keyNumbers.findNumber(key)
    return this.#records.get(number) === undefined ? 0 : number
  }

  /** Returns the numbers of the records with many keys, by position. Only for a table, not for a fork. */
  findLiveNumbers(keys: readonly string[]): number[] {
    return this.#keyNumbers.findLiveNumbers(keys)
  }

  /** Returns the record with a number. */
  getByNumber(number: number): TRecord | undefined {
    return this.#records.get(number)
  }

  /** Returns the record with a key. */
  get(key: string): TRecord | undefined {
    return this.#records.get(this.#keyNumbers.findNumber(key))
  }

  /** Returns the records with many keys, by position. */
  getAll(keys: readonly string[]): (TRecord | undefined)[] {
    return this.numbersOf(keys).map(number => this.#records.get(number))
  }

  /**
   * Returns the numbers for reading related rows, by position. The number of a deleted or missing record has
   * no related rows.
   */
  numbersOf(keys: readonly string[]): number[] {
    return this.#keyNumbers.numbersOf(keys)
  }

  put(key: string, record: TRecord): void {
    this.#records.set(this.#keyNumbers.assignNumber(key), record)
  }

  delete(key: string): void {
    const number = this.findNumber(key)
    if (number === 0) return
    this.#records.set(number, undefined)
    this.#keyNumbers.retireNumber(key, number)
  }

  /** Returns the numbers of all records, in order. */
  numbers(): Iterable<number> {
    return this.#records.numbers()
  }

  /** Returns the table in its current state, for a new snapshot. */
  fork(epochs: Epochs): RecordTable<TRecord> {
    return new RecordTable(this.#keyNumbers, this.#records.fork(epochs))
  }
}

export const createRecordTable = <TRecord>(epochs: Epochs, index: KeyIndex): RecordTable<TRecord> =>
  new RecordTable(new KeyNumbers(epochs, index), new PagedArray<TRecord>(epochs))
