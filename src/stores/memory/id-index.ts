import type { NodeId } from '../../base/ids.ts'
import type { KeyIndex } from './record-table.ts'

const LOW_16_BITS = 0xffff

const readOddWord = (words: Uint32Array, index: number): number => (words[index] ?? 0) | 1

/**
 * A hash function for ids with random multipliers for each store, so that an attacker cannot choose ids that
 * collide. It combines products of the 16-bit parts of an id. The last product scatters evenly spaced ids.
 * All intermediate numbers are signed 32-bit integers, which the JavaScript engine does not allocate on the
 * heap.
 */
export class IdHasher {
  readonly #multiplier1: number
  readonly #multiplier2: number
  readonly #multiplier3: number
  readonly #multiplier4: number
  readonly #finalMultiplier: number

  constructor(words: Uint32Array = crypto.getRandomValues(new Uint32Array(5))) {
    this.#multiplier1 = readOddWord(words, 0)
    this.#multiplier2 = readOddWord(words, 1)
    this.#multiplier3 = readOddWord(words, 2)
    this.#multiplier4 = readOddWord(words, 3)
    this.#finalMultiplier = readOddWord(words, 4)
  }

  /** Returns the hash of the id with these halves: a signed 32-bit integer. */
  hash(low: number, high: number): number {
    const joined =
      Math.imul(low & LOW_16_BITS, this.#multiplier1) ^
      Math.imul(low >>> 16, this.#multiplier2) ^
      Math.imul(high & LOW_16_BITS, this.#multiplier3) ^
      Math.imul(high >>> 16, this.#multiplier4)
    const mixed = Math.imul(joined ^ (joined >>> 15), this.#finalMultiplier)
    return mixed ^ (mixed >>> 15)
  }
}

/** The number of cells of an entry: the two halves of an id, then its number. */
const CELLS_PER_ENTRY = 3
const INITIAL_CAPACITY = 8

/** The number of low bits of a hash that choose the shard. The bits above them choose the slot. */
const SHARD_BITS = 6

/** The number of shards. Each shard grows separately, so that no write rehashes all ids. */
const SHARD_COUNT = 2 ** SHARD_BITS

const shardIndexOf = (hash: number): number => hash & (SHARD_COUNT - 1)

/** A hash table with linear probing, with all entries in one array. */
class IdShard {
  #cells = new Uint32Array(INITIAL_CAPACITY * CELLS_PER_ENTRY)
  #capacity = INITIAL_CAPACITY
  #size = 0
  readonly #hasher: IdHasher

  constructor(hasher: IdHasher) {
    this.#hasher = hasher
  }

  /** Returns the number of an id, or 0 if it has none. */
  get(hash: number, low: number, high: number): number {
    return this.#cells[this.#findSlot(hash, low, high) + 2] ?? 0
  }

  /**
   * Returns the number in the home slot of an id. 0 means that the id has no number. Any other number may
   * belong to another id.
   */
  readHomeNumber(hash: number): number {
    return this.#cells[this.#homeSlotOf(hash) + 2] ?? 0
  }

  /** Adds an id that is not in the table. */
  add(hash: number, low: number, high: number, number: number): void {
    if (this.#size * 4 >= this.#capacity * 3) this.#grow()
    this.#writeEntry(this.#findSlot(hash, low, high), low, high, number)
    this.#size++
  }

  /** Removes an id, if it exists, and moves displaced entries after it into the gap. */
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

  /** Returns the slot of an id, or the free slot to add it to. */
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

/** The number of ids that are parsed before they are looked up. */
const LOOKUP_BATCH_SIZE = 64

const ZERO_CHAR_CODE = 48
const MAX_DIGITS = 19
/** The number of digits that fit into 30 bits. */
const DIGITS_PER_HALF = 9

/** Parses up to nine digits of a text. Returns -1 if it finds another character. */
const parseDigits = (text: string, start: number, end: number): number => {
  let value = 0
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - ZERO_CHAR_CODE
    if (digit < 0 || digit > 9) return -1
    value = (value * 10 + digit) | 0
  }
  return value
}

/**
 * Maps ids to numbers. The hash tables contain each id as 64 bits, so a lookup usually accesses one place in
 * memory and compares no strings. An id takes about 22 bytes.
 */
export class IdIndex implements KeyIndex {
  readonly #hasher: IdHasher
  readonly #shards: readonly IdShard[]
  /** The halves of the last parsed id, and its hash. */
  #parsedLow = 0
  #parsedHigh = 0
  #parsedHash = 0
  /** The halves and hashes of the ids of a batch. */
  readonly #batchLows = new Uint32Array(LOOKUP_BATCH_SIZE)
  readonly #batchHighs = new Uint32Array(LOOKUP_BATCH_SIZE)
  readonly #batchHashes = new Int32Array(LOOKUP_BATCH_SIZE)
  /** The numbers in the home slots of these ids. */
  readonly #batchHomeNumbers = new Uint32Array(LOOKUP_BATCH_SIZE)

  constructor(hasher = new IdHasher()) {
    this.#hasher = hasher
    this.#shards = Array.from({ length: SHARD_COUNT }, () => new IdShard(hasher))
  }

  /** Returns the number of an id, or 0 if it has none or the text is not an id. */
  get(id: NodeId): number {
    return this.#parseId(id)?.get(this.#parsedHash, this.#parsedLow, this.#parsedHigh) ?? 0
  }

  getAll(ids: readonly NodeId[]): number[] {
    const [only] = ids
    if (only !== undefined && ids.length === 1) return [this.get(only)]
    const numbers: number[] = []
    for (let start = 0; start < ids.length; start += LOOKUP_BATCH_SIZE) this.#lookUpBatch(ids, start, numbers)
    return numbers
  }

  add(id: NodeId, number: number): void {
    this.#parseId(id)?.add(this.#parsedHash, this.#parsedLow, this.#parsedHigh, number)
  }

  delete(id: NodeId): void {
    this.#parseId(id)?.delete(this.#parsedHash, this.#parsedLow, this.#parsedHigh)
  }

  /**
   * Parses a batch of ids, and reads all their home slots before it compares ids, so that the processor can
   * wait for many slots at once.
   */
  #lookUpBatch(ids: readonly NodeId[], start: number, numbers: number[]): void {
    const batchLength = Math.min(LOOKUP_BATCH_SIZE, ids.length - start)
    for (let index = 0; index < batchLength; index++) {
      // A text that is not an id gets halves of 0, which no id has.
      const isId = this.#parseId(ids[start + index] ?? '') !== undefined
      this.#batchLows[index] = isId ? this.#parsedLow : 0
      this.#batchHighs[index] = isId ? this.#parsedHigh : 0
      this.#batchHashes[index] = this.#parsedHash
    }
    for (let index = 0; index < batchLength; index++) {
      const hash = this.#batchHashes[index] ?? 0
      this.#batchHomeNumbers[index] = this.#shards[shardIndexOf(hash)]?.readHomeNumber(hash) ?? 0
    }
    for (let index = 0; index < batchLength; index++) {
      const hash = this.#batchHashes[index] ?? 0
      const low = this.#batchLows[index] ?? 0
      const high = this.#batchHighs[index] ?? 0
      const isOccupied = this.#batchHomeNumbers[index] !== 0
      numbers.push(isOccupied ? (this.#shards[shardIndexOf(hash)]?.get(hash, low, high) ?? 0) : 0)
    }
  }

  /**
   * Parses an id into two halves, and returns its shard. Each half contains nine digits, and two of the four
   * bits of a leading nineteenth digit. Returns undefined for a text that is not an id.
   */
  #parseId(id: string): IdShard | undefined {
    const { length } = id
    if (length === 0 || length > MAX_DIGITS || id.charCodeAt(0) === ZERO_CHAR_CODE) return undefined
    const highStart = Math.max(0, length - 2 * DIGITS_PER_HALF)
    const lowStart = Math.max(0, length - DIGITS_PER_HALF)
    const leadingDigit = parseDigits(id, 0, highStart)
    const high = parseDigits(id, highStart, lowStart)
    const low = parseDigits(id, lowStart, length)
    if ((leadingDigit | high | low) < 0) return undefined
    this.#parsedHigh = (high | ((leadingDigit >>> 2) << 30)) >>> 0
    this.#parsedLow = (low | (leadingDigit << 30)) >>> 0
    this.#parsedHash = this.#hasher.hash(this.#parsedLow, this.#parsedHigh)
    return this.#shards[shardIndexOf(this.#parsedHash)]
  }
}
