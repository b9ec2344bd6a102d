import type { Epochs } from './paged-tables.ts'
import {
  BoundaryBefore,
  computeFirstProbeIndex,
  interpolationSearch,
  isBefore,
  type SearchRange,
  type SortBoundary,
  type SortOrder,
} from './sort-order.ts'

/** The capacity of a block. On average, an insert moves half of the numbers in a block. */
export const BLOCK_SIZE = 512
const SPARSE_BLOCK_LENGTH = BLOCK_SIZE / 4
const MAX_MERGED_LENGTH = BLOCK_SIZE / 2

/** A block of sorted numbers, and the epoch in which it was created. */
type Block = { readonly epoch: number; numbers: Uint32Array; length: number }
const EMPTY_BLOCK: Readonly<Block> = Object.freeze({ epoch: 0, numbers: new Uint32Array(0), length: 0 })

/** A position in a list: the index of the block times `POSITIONS_PER_BLOCK`, plus the index in the block. */
export type BlockPosition = number
const POSITIONS_PER_BLOCK = 2 * BLOCK_SIZE

/** Returns a capacity for `length` numbers with a quarter to spare, up to the size of a block. */
const chooseCapacity = (length: number): number => Math.min(BLOCK_SIZE, length + Math.max(16, length >>> 2))

/**
 * A long sorted list of numbers, divided into blocks. Finding a position takes O(log n) comparisons.
 * Inserting or removing a number moves only numbers of one block. A block that a snapshot may see is copied
 * before its first change. `copy` shares the blocks. Each call receives the order, because the store and a
 * snapshot share lists but may have different keys for a number.
 */
export class BlockList {
  /** The epoch in which the list was created. */
  readonly epoch: number
  readonly #epochs: Epochs
  readonly #blocks: Block[]
  /** The key of each block's first number, in one array. */
  readonly #firstKeys: number[]

  constructor(epochs: Epochs, blocks: Block[] = [], firstKeys: number[] = []) {
    this.epoch = epochs.currentEpoch
    this.#epochs = epochs
    this.#blocks = blocks
    this.#firstKeys = firstKeys
  }

  /** The position after the last number. */
  get endPosition(): BlockPosition {
    const last = this.#blocks.length - 1
    return last < 0 ? 0 : last * POSITIONS_PER_BLOCK + this.#blockAt(last).length
  }

  /** Returns the number at a position, or 0 at the end of the list. */
  at(position: BlockPosition): number {
    const { numbers, length } = this.#blockAt(Math.floor(position / POSITIONS_PER_BLOCK))
    const offset = position % POSITIONS_PER_BLOCK
    return offset < length ? (numbers[offset] ?? 0) : 0
  }

  /** Returns the position of the first number that is not before a boundary. */
  seek(order: SortOrder, boundary: SortBoundary): BlockPosition {
    const index = this.#findBlock(order, boundary)
    if (index < 0) return 0
    const range = this.#searchRangeOf(order, index)
    const offset = interpolationSearch(order, range, boundary)
    return offset === range.endIndex && index + 1 < this.#blocks.length
      ? (index + 1) * POSITIONS_PER_BLOCK
      : index * POSITIONS_PER_BLOCK + offset
  }

  /** Returns the number that `seek` examines first. */
  getFirstProbe(order: SortOrder, boundary: SortBoundary): number {
    const index = this.#findBlock(order, boundary)
    if (index < 0) return 0
    const range = this.#searchRangeOf(order, index)
    return range.numbers[computeFirstProbeIndex(range, boundary.key)] ?? 0
  }

  insert(order: SortOrder, number: number): void {
    const position = this.#findInsertPosition(order, number)
    let index = Math.floor(position / POSITIONS_PER_BLOCK)
    let offset = position % POSITIONS_PER_BLOCK
    if (this.#blockAt(index).length === BLOCK_SIZE) {
      this.#split(order, index, offset)
      const { length } = this.#blockAt(index)
      if (offset > length || offset === BLOCK_SIZE) {
        index++
        offset -= length
      }
    }
    const block = this.#getWritableBlock(index)
    if (block.length === block.numbers.length)
      block.numbers = resizeNumbers(block, chooseCapacity(block.length))
    if (offset < block.length) block.numbers.copyWithin(offset + 1, offset, block.length)
    block.numbers[offset] = number
    block.length++
    if (offset === 0) this.#firstKeys[index] = order.keyOf(number)
  }

  /** Removes a number that the list contains. */
  remove(order: SortOrder, number: number): void {
    const position = this.seek(order, new BoundaryBefore(order, number))
    const index = Math.floor(position / POSITIONS_PER_BLOCK)
    const offset = position % POSITIONS_PER_BLOCK
    const block = this.#getWritableBlock(index)
    block.numbers.copyWithin(offset, offset + 1, block.length)
    block.length--
    if (block.length === 0) {
      this.#blocks.splice(index, 1)
      this.#firstKeys.splice(index, 1)
    } else if (offset === 0) this.#firstKeys[index] = order.keyOf(block.numbers[0] ?? 0)
    if (block.length > 0 && block.length < SPARSE_BLOCK_LENGTH) this.#merge(order, index)
  }

  /** Returns up to `limit` numbers, starting at a position, in ascending order. */
  readForward(position: BlockPosition, limit: number): number[] {
    const result: number[] = []
    let offset = position % POSITIONS_PER_BLOCK
    for (
      let index = Math.floor(position / POSITIONS_PER_BLOCK);
      index < this.#blocks.length && result.length < limit;
      index++
    ) {
      const { numbers, length } = this.#blockAt(index)
      for (; offset < length && result.length < limit; offset++) result.push(numbers[offset] ?? 0)
      offset = 0
    }
    return result
  }

  /** Returns up to `limit` numbers before a position, in descending order. */
  readBackward(position: BlockPosition, limit: number): number[] {
    const result: number[] = []
    let offset = position % POSITIONS_PER_BLOCK
    for (
      let index = Math.floor(position / POSITIONS_PER_BLOCK);
      index >= 0 && result.length < limit;
      index--
    ) {
      const { numbers } = this.#blockAt(index)
      while (offset > 0 && result.length < limit) result.push(numbers[--offset] ?? 0)
      offset = this.#blockAt(index - 1).length
    }
    return result
  }

  /** Yields all numbers, in order. */
  *[Symbol.iterator](): Generator<number> {
    for (const { numbers, length } of this.#blocks) yield* numbers.subarray(0, length)
  }

  /** Returns a separate list with the same numbers. */
  copy(): BlockList {
    return new BlockList(this.#epochs, this.#blocks.slice(), this.#firstKeys.slice())
  }

  #findInsertPosition(order: SortOrder, number: number): BlockPosition {
    const boundary = new BoundaryBefore(order, number)
    const { endPosition } = this
    return endPosition === 0 || isBefore(order, this.at(endPosition - 1), boundary)
      ? endPosition
      : this.seek(order, boundary)
  }

  /** Returns the index of the last block whose first number is before a boundary, or -1 if there is none. */
  #findBlock(order: SortOrder, boundary: SortBoundary): number {
    let low = 0
    let high = this.#blocks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#startsBefore(order, middle, boundary)) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  #startsBefore(order: SortOrder, index: number, boundary: SortBoundary): boolean {
    const key = this.#firstKeys[index] ?? 0
    return (
      key < boundary.key ||
      (key === boundary.key && isBefore(order, this.#blockAt(index).numbers[0] ?? 0, boundary))
    )
  }

  /** Returns the search range of a block, without the first number, which `#findBlock` has compared. */
  #searchRangeOf(order: SortOrder, index: number): SearchRange {
    const { numbers, length } = this.#blockAt(index)
    const lowestKey = this.#firstKeys[index] ?? 0
    const highestKey = this.#firstKeys[index + 1] ?? order.keyOf(numbers[length - 1] ?? 0)
    return { numbers, startIndex: 1, endIndex: length, minKey: lowestKey, maxKey: highestKey }
  }

  /** Returns a block to read, or an empty block if it does not exist. */
  #blockAt(index: number): Readonly<Block> {
    return this.#blocks[index] ?? EMPTY_BLOCK
  }

  /** Returns a block to write to, which no snapshot sees. */
  #getWritableBlock(index: number): Block {
    const block = this.#blocks[index]
    if (block !== undefined && !this.#epochs.isShared(block.epoch)) return block
    const copy = {
      epoch: this.#epochs.currentEpoch,
      numbers: block?.numbers.slice() ?? new Uint32Array(chooseCapacity(0)),
      length: block?.length ?? 0,
    }
    this.#blocks[index] = copy
    return copy
  }

  /**
   * Splits a full block before an insert: into two halves, or after its last number if the list grows at its
   * end.
   */
  #split(order: SortOrder, index: number, offset: number): void {
    const isAtEnd = offset === BLOCK_SIZE && index === this.#blocks.length - 1
    const keptLength = isAtEnd ? BLOCK_SIZE : BLOCK_SIZE / 2
    const block = this.#getWritableBlock(index)
    this.#replace(order, index + 1, 0, block.numbers.slice(keptLength), BLOCK_SIZE - keptLength)
    if (!isAtEnd) block.numbers = block.numbers.slice(0, keptLength)
    block.length = keptLength
  }

  /** Merges a sparse block with a neighbour if the result has at most `MAX_MERGED_LENGTH` numbers. */
  #merge(order: SortOrder, index: number): void {
    const leftIndex = index > 0 ? index - 1 : index
    const left = this.#blocks[leftIndex]
    const right = this.#blocks[leftIndex + 1]
    if (left === undefined || right === undefined || left.length + right.length > MAX_MERGED_LENGTH) return
    const numbers = resizeNumbers(left, chooseCapacity(left.length + right.length))
    numbers.set(right.numbers.subarray(0, right.length), left.length)
    this.#replace(order, leftIndex, 2, numbers, left.length + right.length)
  }

  /** Replaces `oldCount` blocks with one new block. */
  #replace(order: SortOrder, index: number, oldCount: number, numbers: Uint32Array, length: number): void {
    this.#blocks.splice(index, oldCount, { epoch: this.#epochs.currentEpoch, numbers, length })
    this.#firstKeys.splice(index, oldCount, order.keyOf(numbers[0] ?? 0))
  }
}

const resizeNumbers = (block: Block, capacity: number): Uint32Array => {
  const numbers = new Uint32Array(capacity)
  numbers.set(block.numbers.subarray(0, block.length))
  return numbers
}
