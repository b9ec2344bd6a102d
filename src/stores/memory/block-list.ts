import type { Epochs } from './epochs.ts'
import { firstPlace, type Stretch, seekNumber } from './seek-number.ts'
import { type Cut, CutAt, isBefore, type SortOrder } from './sort-order.ts'

/** Numbers in a block: inserting moves half of them, a block of its own costs about 300 bytes. */
export const BLOCK_SIZE = 512
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
 * A long sorted list of numbers, in blocks: finding a place takes O(log n) comparisons, inserting or removing moves one
 * block and never the list. Blocks that a snapshot may see are copied when first written; the list itself is copied by
 * `copy`, which shares its blocks. Each call brings the order along: a list that a snapshot shares with its store must
 * be compared by what the snapshot sees.
 */
export class BlockList {
  /** The epoch that the list was made in. */
  readonly stamp: number
  readonly #epochs: Epochs
  readonly #blocks: Block[]
  /** The key of each block's first number, side by side. */
  readonly #firstKeys: number[]

  constructor(epochs: Epochs, blocks: Block[] = [], firstKeys: number[] = []) {
    this.stamp = epochs.now
    this.#epochs = epochs
    this.#blocks = blocks
    this.#firstKeys = firstKeys
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

  /** The place of the first number that is not before a cut. */
  seek(order: SortOrder, cut: Cut): Spot {
    const index = this.#blockFor(order, cut)
    if (index < 0) return 0
    const stretch = this.#stretch(order, index)
    const offset = seekNumber(order, stretch, cut)
    return offset === stretch.to && index + 1 < this.#blocks.length
      ? (index + 1) * SPAN
      : index * SPAN + offset
  }

  /** The number that seeking a cut looks at first. */
  guess(order: SortOrder, cut: Cut): number {
    const index = this.#blockFor(order, cut)
    if (index < 0) return 0
    const stretch = this.#stretch(order, index)
    return stretch.numbers[firstPlace(stretch, cut.key)] ?? 0
  }

  insert(order: SortOrder, number: number): void {
    const spot = this.#spotFor(order, number)
    let index = Math.floor(spot / SPAN)
    let offset = spot % SPAN
    if (this.#blockAt(index).length === BLOCK_SIZE) {
      this.#split(order, index, offset)
      const { length } = this.#blockAt(index)
      if (offset > length || offset === BLOCK_SIZE) {
        index++
        offset -= length
      }
    }
    const block = this.#own(index)
    if (block.length === block.numbers.length) block.numbers = resized(block, roomFor(block.length))
    if (offset < block.length) block.numbers.copyWithin(offset + 1, offset, block.length)
    block.numbers[offset] = number
    block.length++
    if (offset === 0) this.#firstKeys[index] = order.keyOf(number)
  }

  /** Removes a number that is there. */
  remove(order: SortOrder, number: number): void {
    const spot = this.seek(order, new CutAt(order, number))
    const index = Math.floor(spot / SPAN)
    const offset = spot % SPAN
    const block = this.#own(index)
    block.numbers.copyWithin(offset, offset + 1, block.length)
    block.length--
    if (block.length === 0) {
      this.#blocks.splice(index, 1)
      this.#firstKeys.splice(index, 1)
    } else if (offset === 0) this.#firstKeys[index] = order.keyOf(block.numbers[0] ?? 0)
    if (block.length > 0 && block.length < SPARSE) this.#merge(order, index)
  }

  /** Up to `most` numbers, from a place towards the end. */
  takeForwards(spot: Spot, most: number): number[] {
    const taken: number[] = []
    let offset = spot % SPAN
    for (let index = Math.floor(spot / SPAN); index < this.#blocks.length && taken.length < most; index++) {
      const { numbers, length } = this.#blockAt(index)
      for (; offset < length && taken.length < most; offset++) taken.push(numbers[offset] ?? 0)
      offset = 0
    }
    return taken
  }

  /** Up to `most` numbers, from in front of a place towards the beginning, in this order. */
  takeBackwards(spot: Spot, most: number): number[] {
    const taken: number[] = []
    let offset = spot % SPAN
    for (let index = Math.floor(spot / SPAN); index >= 0 && taken.length < most; index--) {
      const { numbers } = this.#blockAt(index)
      while (offset > 0 && taken.length < most) taken.push(numbers[--offset] ?? 0)
      offset = this.#blockAt(index - 1).length
    }
    return taken
  }

  /** All numbers, in order. */
  *[Symbol.iterator](): Generator<number> {
    for (const { numbers, length } of this.#blocks) yield* numbers.subarray(0, length)
  }

  /** A list of its own, of the same numbers. */
  copy(): BlockList {
    return new BlockList(this.#epochs, this.#blocks.slice(), this.#firstKeys.slice())
  }

  #spotFor(order: SortOrder, number: number): Spot {
    const cut = new CutAt(order, number)
    const { end } = this
    return end === 0 || isBefore(order, this.at(end - 1), cut) ? end : this.seek(order, cut)
  }

  /** The last block whose first number is before a cut, -1 where none is. */
  #blockFor(order: SortOrder, cut: Cut): number {
    let low = 0
    let high = this.#blocks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#startsBefore(order, middle, cut)) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  #startsBefore(order: SortOrder, index: number, cut: Cut): boolean {
    const key = this.#firstKeys[index] ?? 0
    return key < cut.key || (key === cut.key && isBefore(order, this.#blockAt(index).numbers[0] ?? 0, cut))
  }

  /** A block without its first number, which its place among the blocks tells of. */
  #stretch(order: SortOrder, index: number): Stretch {
    const { numbers, length } = this.#blockAt(index)
    const low = this.#firstKeys[index] ?? 0
    const high = this.#firstKeys[index + 1] ?? order.keyOf(numbers[length - 1] ?? 0)
    return { numbers, from: 1, to: length, low, high }
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
  #split(order: SortOrder, index: number, offset: number): void {
    const atEnd = offset === BLOCK_SIZE && index === this.#blocks.length - 1
    const kept = atEnd ? BLOCK_SIZE : BLOCK_SIZE / 2
    const block = this.#own(index)
    this.#replace(order, index + 1, 0, block.numbers.slice(kept), BLOCK_SIZE - kept)
    if (!atEnd) block.numbers = block.numbers.slice(0, kept)
    block.length = kept
  }

  /** Joins a sparse block with a neighbour where both fit well into one. */
  #merge(order: SortOrder, index: number): void {
    const first = index > 0 ? index - 1 : index
    const left = this.#blocks[first]
    const right = this.#blocks[first + 1]
    if (left === undefined || right === undefined || left.length + right.length > WELL_FILLED) return
    const numbers = resized(left, roomFor(left.length + right.length))
    numbers.set(right.numbers.subarray(0, right.length), left.length)
    this.#replace(order, first, 2, numbers, left.length + right.length)
  }

  /** Puts a new block in the place of some. */
  #replace(order: SortOrder, index: number, count: number, numbers: Uint32Array, length: number): void {
    this.#blocks.splice(index, count, { stamp: this.#epochs.now, numbers, length })
    this.#firstKeys.splice(index, count, order.keyOf(numbers[0] ?? 0))
  }
}

const resized = (block: Block, room: number): Uint32Array => {
  const numbers = new Uint32Array(room)
  numbers.set(block.numbers.subarray(0, block.length))
  return numbers
}
