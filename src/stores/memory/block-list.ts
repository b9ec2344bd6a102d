import type { Epochs } from './epochs.ts'

/** Numbers in a block: inserting moves half of them, a block of its own costs about 300 bytes. */
export const BLOCK_SIZE = 2048
const SPARSE = BLOCK_SIZE / 4
const WELL_FILLED = BLOCK_SIZE / 2

/** A block, and the epoch that it was made in. */
type Block = { readonly stamp: number; numbers: Uint32Array; length: number }
const NONE: Readonly<Block> = Object.freeze({ stamp: 0, numbers: new Uint32Array(0), length: 0 })

/** A place in a list: that of the block times `SPAN`, plus that in the block. */
export type Spot = number
const SPAN = 2 * BLOCK_SIZE

/** Room for a quarter more than there is, within a block. */
const roomFor = (length: number): number => Math.min(BLOCK_SIZE, length + Math.max(16, length >>> 2))

/**
 * A long list of numbers in an order that the caller keeps, in blocks: finding a place takes O(log n) comparisons,
 * inserting or removing moves one block and never the list. Blocks that a snapshot may see are copied when first
 * written; the list itself is copied by `copy`, which shares its blocks.
 */
export class BlockList {
  /** The epoch that the list was made in. */
  readonly stamp: number
  readonly #epochs: Epochs
  readonly #blocks: Block[]
  #length: number

  constructor(epochs: Epochs, blocks: Block[] = [], length = 0) {
    this.stamp = epochs.now
    this.#epochs = epochs
    this.#blocks = blocks
    this.#length = length
  }

  get length(): number {
    return this.#length
  }

  /** The place after the last number. */
  get end(): Spot {
    const last = this.#blocks.length - 1
    return last < 0 ? 0 : last * SPAN + this.#blockAt(last).length
  }

  /** The number at a place, 0 at the end. */
  at(spot: Spot): number {
    const { numbers, length } = this.#blockAt(Math.floor(spot / SPAN))
    const offset = spot % SPAN
    return offset < length ? (numbers[offset] ?? 0) : 0
  }

  /** The last number, 0 in an empty list. */
  get last(): number {
    return this.#length === 0 ? 0 : this.at(this.end - 1)
  }

  /** The place of the first number that is not before, where those that are before come first. */
  seek(isBefore: (number: number) => boolean): Spot {
    let low = 0
    let high = this.#blocks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(this.#blockAt(middle).numbers[0] ?? 0)) low = middle + 1
      else high = middle
    }
    if (low === 0) return 0
    const { numbers, length } = this.#blockAt(low - 1)
    let from = 1
    let to = length
    while (from < to) {
      const middle = (from + to) >>> 1
      if (isBefore(numbers[middle] ?? 0)) from = middle + 1
      else to = middle
    }
    return from === length && low < this.#blocks.length ? low * SPAN : (low - 1) * SPAN + from
  }

  insert(spot: Spot, number: number): void {
    let index = Math.floor(spot / SPAN)
    let offset = spot % SPAN
    if (this.#blockAt(index).length === BLOCK_SIZE) {
      this.#split(index, offset)
      const { length } = this.#blockAt(index)
      if (offset > length || offset === BLOCK_SIZE) {
        index++
        offset -= length
      }
    }
    const block = this.#own(index)
    if (block.length === block.numbers.length) block.numbers = resized(block, roomFor(block.length))
    block.numbers.copyWithin(offset + 1, offset, block.length)
    block.numbers[offset] = number
    block.length++
    this.#length++
  }

  remove(spot: Spot): void {
    const index = Math.floor(spot / SPAN)
    const offset = spot % SPAN
    const block = this.#own(index)
    block.numbers.copyWithin(offset, offset + 1, block.length)
    block.length--
    this.#length--
    if (block.length === 0) this.#blocks.splice(index, 1)
    else if (block.length < SPARSE) this.#merge(index)
  }

  /** Copies up to `most` numbers, from a place towards the end; answers how many. */
  copyForwards(spot: Spot, into: Uint32Array, most: number): number {
    let copied = 0
    let offset = spot % SPAN
    for (let index = Math.floor(spot / SPAN); index < this.#blocks.length && copied < most; index++) {
      const { numbers, length } = this.#blockAt(index)
      for (; offset < length && copied < most; offset++) into[copied++] = numbers[offset] ?? 0
      offset = 0
    }
    return copied
  }

  /** Copies up to `most` numbers, from in front of a place towards the beginning, in this order; answers how many. */
  copyBackwards(spot: Spot, into: Uint32Array, most: number): number {
    let copied = 0
    let offset = spot % SPAN
    for (let index = Math.floor(spot / SPAN); index >= 0 && copied < most; index--) {
      const { numbers } = this.#blockAt(index)
      while (offset > 0 && copied < most) into[copied++] = numbers[--offset] ?? 0
      offset = index === 0 ? 0 : this.#blockAt(index - 1).length
    }
    return copied
  }

  /** All numbers, in order. */
  *[Symbol.iterator](): Generator<number> {
    for (const { numbers, length } of this.#blocks) yield* numbers.subarray(0, length)
  }

  /** A list of its own, of the same numbers. */
  copy(): BlockList {
    return new BlockList(this.#epochs, this.#blocks.slice(), this.#length)
  }

  /** A block to read. */
  #blockAt(index: number): Readonly<Block> {
    return this.#blocks[index] ?? NONE
  }

  /** A block to write to. */
  #own(index: number): Block {
    const block = this.#blocks[index]
    if (block !== undefined && !this.#epochs.isShared(block.stamp)) return block
    const owned = {
      stamp: this.#epochs.now,
      numbers: block?.numbers.slice() ?? new Uint32Array(roomFor(0)),
      length: block?.length ?? 0,
    }
    this.#blocks[index] = owned
    return owned
  }

  /** Makes room in a full block: behind it where the list grows at its end, else by halving. */
  #split(index: number, offset: number): void {
    const atEnd = offset === BLOCK_SIZE && index === this.#blocks.length - 1
    const kept = atEnd ? BLOCK_SIZE : BLOCK_SIZE / 2
    const block = this.#own(index)
    const numbers = block.numbers.slice(kept)
    this.#blocks.splice(index + 1, 0, { stamp: this.#epochs.now, numbers, length: numbers.length })
    if (!atEnd) block.numbers = block.numbers.slice(0, kept)
    block.length = kept
  }

  /** Joins a sparse block with a neighbour where both fit well into one. */
  #merge(index: number): void {
    const first = index > 0 ? index - 1 : index
    const left = this.#blocks[first]
    const right = this.#blocks[first + 1]
    if (left === undefined || right === undefined) return
    const length = left.length + right.length
    if (length > WELL_FILLED) return
    const numbers = new Uint32Array(roomFor(length))
    numbers.set(left.numbers.subarray(0, left.length))
    numbers.set(right.numbers.subarray(0, right.length), left.length)
    this.#blocks.splice(first, 2, { stamp: this.#epochs.now, numbers, length })
  }
}

const resized = (block: Block, room: number): Uint32Array => {
  const numbers = new Uint32Array(room)
  numbers.set(block.numbers.subarray(0, block.length))
  return numbers
}
