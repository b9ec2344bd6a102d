import type { IdHasher } from './id-hasher.ts'

/** The cells of an entry: the two halves of an id, then its number. */
const CELLS_PER_ENTRY = 3
const INITIAL_CAPACITY = 8

/** The lowest bits of a hash choose the shard, those above them the slot. */
const SHARD_BITS = 6

/** The number of shards. Each grows alone, so that no write rehashes all ids. */
export const SHARD_COUNT = 2 ** SHARD_BITS

export const shardIndexOf = (hash: number): number => hash & (SHARD_COUNT - 1)

/** A hash table with its entries in one array, with linear probing. */
export class IdShard {
  #cells = new Uint32Array(INITIAL_CAPACITY * CELLS_PER_ENTRY)
  #capacity = INITIAL_CAPACITY
  #size = 0
  readonly #hasher: IdHasher

  constructor(hasher: IdHasher) {
    this.#hasher = hasher
  }

  /** Returns the number of an id, 0 if it has none. */
  get(hash: number, low: number, high: number): number {
    return this.#cells[this.#findSlot(hash, low, high) + 2] ?? 0
  }

  /** Returns the number in the home slot of an id: 0 if the id has none, else possibly another id's. */
  readHomeNumber(hash: number): number {
    return this.#cells[this.#homeSlotOf(hash) + 2] ?? 0
  }

  /** Adds an id that is not in the table. */
  add(hash: number, low: number, high: number, number: number): void {
    if (this.#size * 4 >= this.#capacity * 3) this.#grow()
    this.#writeEntry(this.#findSlot(hash, low, high), low, high, number)
    this.#size++
  }

  /** Removes an id, if it exists, and moves displaced entries after it up. */
  delete(hash: number, low: number, high: number): void {
    const cells = this.#cells
    let gap = this.#findSlot(hash, low, high)
    if (cells[gap + 2] === 0) return
    this.#size--
    for (let slot = this.#slotAfter(gap); cells[slot + 2] !== 0; slot = this.#slotAfter(slot)) {
      const homeSlot = this.#homeSlotOf(this.#hasher.hash(cells[slot] ?? 0, cells[slot + 1] ?? 0))
      const canMoveToGap =
        gap <= slot ? homeSlot <= gap || homeSlot > slot : homeSlot <= gap && homeSlot > slot
      if (!canMoveToGap) continue
      cells.copyWithin(gap, slot, slot + CELLS_PER_ENTRY)
      gap = slot
    }
    cells.fill(0, gap, gap + CELLS_PER_ENTRY)
  }

  /** Returns the slot of an id, or the free one that it would get. */
  #findSlot(hash: number, low: number, high: number): number {
    const cells = this.#cells
    let slot = this.#homeSlotOf(hash)
    while (cells[slot + 2] !== 0 && (cells[slot] !== low || cells[slot + 1] !== high))
      slot = this.#slotAfter(slot)
    return slot
  }

  #homeSlotOf(hash: number): number {
    return ((hash >>> SHARD_BITS) & (this.#capacity - 1)) * CELLS_PER_ENTRY
  }

  #slotAfter(slot: number): number {
    const next = slot + CELLS_PER_ENTRY
    return next === this.#cells.length ? 0 : next
  }

  #writeEntry(slot: number, low: number, high: number, number: number): void {
    this.#cells[slot] = low
    this.#cells[slot + 1] = high
    this.#cells[slot + 2] = number
  }

  #grow(): void {
    const oldCells = this.#cells
    this.#capacity *= 2
    this.#cells = new Uint32Array(this.#capacity * CELLS_PER_ENTRY)
    for (let slot = 0; slot < oldCells.length; slot += CELLS_PER_ENTRY) {
      const number = oldCells[slot + 2] ?? 0
      if (number === 0) continue
      const low = oldCells[slot] ?? 0
      const high = oldCells[slot + 1] ?? 0
      this.#writeEntry(this.#findSlot(this.#hasher.hash(low, high), low, high), low, high, number)
    }
  }
}
