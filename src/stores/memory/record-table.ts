import type { Epochs } from './epochs.ts'
import type { KeyIndex } from './key-index.ts'
import { Numbers } from './numbers.ts'
import { Slots } from './slots.ts'

/** The keys and numbers of a table. Snapshots share them with the table, since no number changes hands under them. */
class Directory {
  readonly #epochs: Epochs
  readonly #index: KeyIndex
  readonly #numbers = new Numbers()
  /** Numbers without a record, the longest without one first, that an open snapshot may still look up. */
  readonly #retired = new Map<number, { readonly key: string; readonly stamp: number }>()

  constructor(epochs: Epochs, index: KeyIndex) {
    this.#epochs = epochs
    this.#index = index
  }

  find(key: string): number {
    return this.#index.get(key)
  }

  /** The numbers of keys, by position, whether or not they have a record now. */
  numbersOf(keys: readonly string[]): number[] {
    return this.#index.getAll(keys)
  }

  /** The numbers of the keys that have a record now, whatever snapshots see. */
  findAll(keys: readonly string[]): number[] {
    const numbers = this.numbersOf(keys)
    return this.#retired.size === 0
      ? numbers
      : numbers.map(number => (this.#retired.has(number) ? 0 : number))
  }

  /** The number for a key that gets a record. */
  enter(key: string): number {
    this.#purge()
    const found = this.#index.get(key)
    if (found !== 0) {
      this.#retired.delete(found)
      return found
    }
    const number = this.#numbers.take()
    this.#index.add(key, number)
    return number
  }

  /** Gives up the number of a key that has lost its record. */
  leave(key: string, number: number): void {
    this.#retired.set(number, { key, stamp: this.#epochs.now })
    this.#purge()
  }

  /** A snapshot opened after the record went never saw it. */
  #purge(): void {
    if (this.#retired.size === 0) return
    for (const [number, { key, stamp }] of this.#retired) {
      if (stamp > this.#epochs.oldestOpen) return
      this.#retired.delete(number)
      this.#index.delete(key)
      this.#numbers.release(number)
    }
  }
}

/**
 * Records under a text key and a dense number. The numbers of deleted records are used again, but only once no snapshot
 * is open that could mistake the new record for the old.
 */
export class RecordTable<TRecord> {
  readonly #directory: Directory
  readonly #records: Slots<TRecord>

  constructor(directory: Directory, records: Slots<TRecord>) {
    this.#directory = directory
    this.#records = records
  }

  /** The number of the record with a key, 0 where there is none. */
  find(key: string): number {
    const number = this.#directory.find(key)
    return this.#records.get(number) === undefined ? 0 : number
  }

  /** The numbers of the records with many keys, by position; asked of a table, never of a fork. */
  findAll(keys: readonly string[]): number[] {
    return this.#directory.findAll(keys)
  }

  /** The record with a number. */
  at(number: number): TRecord | undefined {
    return this.#records.get(number)
  }

  /** The record with a key. */
  get(key: string): TRecord | undefined {
    return this.#records.get(this.#directory.find(key))
  }

  /** The records with many keys, by position. */
  getAll(keys: readonly string[]): (TRecord | undefined)[] {
    return this.numbersOf(keys).map(number => this.#records.get(number))
  }

  /** Where what hangs on records is read, by position; nothing hangs on the number of one that is gone, or not there yet. */
  numbersOf(keys: readonly string[]): number[] {
    return this.#directory.numbersOf(keys)
  }

  put(key: string, record: TRecord): void {
    this.#records.set(this.#directory.enter(key), record)
  }

  delete(key: string): void {
    const number = this.find(key)
    if (number === 0) return
    this.#records.set(number, undefined)
    this.#directory.leave(key, number)
  }

  /** The numbers of all records, in order. */
  numbers(): Iterable<number> {
    return this.#records.numbers()
  }

  fork(epochs: Epochs): RecordTable<TRecord> {
    return new RecordTable(this.#directory, this.#records.fork(epochs))
  }
}

export const createRecordTable = <TRecord>(epochs: Epochs, index: KeyIndex): RecordTable<TRecord> =>
  new RecordTable(new Directory(epochs, index), new Slots<TRecord>(epochs))
