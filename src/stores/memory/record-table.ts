import { type Epochs, NumberAllocator, PagedArray } from './paged-tables.ts'

/** Finds the number of a record by its key. Numbers start at 1; 0 means that there is no record. */
export interface KeyIndex {
  get(key: string): number
  /** Returns the numbers of many keys, by position. */
  getAll(keys: readonly string[]): number[]
  /** Adds a key that does not exist yet. */
  add(key: string, number: number): void
  delete(key: string): void
}

/**
 * The number of maps, a power of two. A `Map` can have at most 2^24 entries, so 64 maps can have up to a
 * billion.
 */
const SHARD_COUNT = 64

/**
 * Returns the index of the shard of a key. The index depends on the last three characters, in which similar
 * keys usually differ.
 */
const shardIndexOf = (key: string): number => {
  const lastIndex = key.length - 1
  const pairHash = Math.imul(key.charCodeAt(lastIndex), 31) + key.charCodeAt(lastIndex - 1)
  return (Math.imul(pairHash, 31) + key.charCodeAt(lastIndex - 2)) & (SHARD_COUNT - 1)
}

/** Maps texts to numbers. */
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
 * The keys of a table and their numbers. Snapshots share this object with the table, because a number is not
 * reused while an open snapshot may look it up.
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

  /** Returns the number of each key, by position, even for keys that have no record at the moment. */
  numbersOf(keys: readonly string[]): number[] {
    return this.#index.getAll(keys)
  }

  /**
   * Returns the numbers of keys, by position; 0 for a key that has no record in the current state of the
   * table.
   */
  findLiveNumbers(keys: readonly string[]): number[] {
    const numbers = this.numbersOf(keys)
    return this.#retiredNumbers.size === 0
      ? numbers
      : numbers.map(number => (this.#retiredNumbers.has(number) ? 0 : number))
  }

  /** Returns the number for a key that gets a record: its previous number, or a new one. */
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

  /** Returns a new number that no key has. */
  reserveNumber(): number {
    return this.#allocator.allocate()
  }

  /** Retires the number of a key that has lost its record. */
  retireNumber(key: string, number: number): void {
    this.#retiredNumbers.set(number, { key, epoch: this.#epochs.currentEpoch })
    this.#releaseRetiredNumbers()
  }

  /**
   * Releases the retired numbers that no open snapshot may look up. A snapshot that was opened after the
   * deletion does not contain the record.
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
 * Records by text key and dense number. The number of a deleted record is reused only after all snapshots
 * that contain the record are closed.
 */
export class RecordTable<TRecord> {
  readonly #keyNumbers: KeyNumbers
  readonly #records: PagedArray<TRecord>

  constructor(keyNumbers: KeyNumbers, records: PagedArray<TRecord>) {
    this.#keyNumbers = keyNumbers
    this.#records = records
  }

  /** Returns the number of the record with a key, or 0 if there is none. */
  findNumber(key: string): number {
    const number = this.#keyNumbers.findNumber(key)
    return this.#records.get(number) === undefined ? 0 : number
  }

  /**
   * Returns the numbers of the records with many keys, by position, or 0 for a missing record. Do not call it
   * on a fork.
   */
  findLiveNumbers(keys: readonly string[]): number[] {
    return this.#keyNumbers.findLiveNumbers(keys)
  }

  getByNumber(number: number): TRecord | undefined {
    return this.#records.get(number)
  }

  get(key: string): TRecord | undefined {
    return this.#records.get(this.#keyNumbers.findNumber(key))
  }

  /** Returns the records with many keys, by position. */
  getAll(keys: readonly string[]): (TRecord | undefined)[] {
    return this.numbersOf(keys).map(number => this.#records.get(number))
  }

  /**
   * Returns the numbers of keys, by position, for reading rows of other tables. A deleted or missing record
   * has no such rows.
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

  /** Returns a new number that no record has, for rows of other tables. */
  reserveNumber(): number {
    return this.#keyNumbers.reserveNumber()
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
