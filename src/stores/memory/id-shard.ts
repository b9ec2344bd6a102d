import type { IdHash } from './id-hash.ts'

/** An entry: the two halves of an id, then its number. */
const WIDTH = 3
const SMALLEST = 8

/** The lowest bits of a hash choose the shard; those above them choose the place. */
const SHARD_BITS = 6

/** How many shards a hash chooses from. Each grows alone, so that no write waits for all. */
export const SHARDS = 2 ** SHARD_BITS

export const shardOf = (hash: number): number => hash & (SHARDS - 1)

/** A hash table with its entries in one array: the next free place takes what does not fit in its own. */
export class IdShard {
  #cells = new Uint32Array(SMALLEST * WIDTH)
  #capacity = SMALLEST
  #size = 0
  readonly #hash: IdHash

  constructor(hash: IdHash) {
    this.#hash = hash
  }

  /** The number of an id, 0 where it has none. */
  get(hash: number, low: number, high: number): number {
    return this.#cells[this.#place(hash, low, high) + 2] ?? 0
  }

  /** The number at the place where an id is looked for first: 0 where the id has none, else perhaps another's. */
  guess(hash: number): number {
    return this.#cells[this.#home(hash) + 2] ?? 0
  }

  /** Enters an id that is not there. */
  add(hash: number, low: number, high: number, number: number): void {
    if (this.#size * 4 >= this.#capacity * 3) this.#grow()
    this.#write(this.#place(hash, low, high), low, high, number)
    this.#size++
  }

  /** Takes an id out, if it is there, and moves up what stands behind its place for want of a better one. */
  delete(hash: number, low: number, high: number): void {
    const cells = this.#cells
    let gap = this.#place(hash, low, high)
    if (cells[gap + 2] === 0) return
    this.#size--
    for (let place = this.#after(gap); cells[place + 2] !== 0; place = this.#after(place)) {
      const home = this.#home(this.#hash.of(cells[place] ?? 0, cells[place + 1] ?? 0))
      const isBehindGap = gap <= place ? home <= gap || home > place : home <= gap && home > place
      if (!isBehindGap) continue
      cells.copyWithin(gap, place, place + WIDTH)
      gap = place
    }
    cells.fill(0, gap, gap + WIDTH)
  }

  /** The place of an id, or the free one that it would get. */
  #place(hash: number, low: number, high: number): number {
    const cells = this.#cells
    let place = this.#home(hash)
    while (cells[place + 2] !== 0 && (cells[place] !== low || cells[place + 1] !== high))
      place = this.#after(place)
    return place
  }

  #home(hash: number): number {
    return ((hash >>> SHARD_BITS) & (this.#capacity - 1)) * WIDTH
  }

  #after(place: number): number {
    const next = place + WIDTH
    return next === this.#cells.length ? 0 : next
  }

  #write(place: number, low: number, high: number, number: number): void {
    this.#cells[place] = low
    this.#cells[place + 1] = high
    this.#cells[place + 2] = number
  }

  #grow(): void {
    const old = this.#cells
    this.#capacity *= 2
    this.#cells = new Uint32Array(this.#capacity * WIDTH)
    for (let place = 0; place < old.length; place += WIDTH) {
      const number = old[place + 2] ?? 0
      if (number === 0) continue
      const low = old[place] ?? 0
      const high = old[place + 1] ?? 0
      this.#write(this.#place(this.#hash.of(low, high), low, high), low, high, number)
    }
  }
}
