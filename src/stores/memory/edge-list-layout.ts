import type { EdgeTable } from './edge-table.ts'
import type { Uint32Table } from './paged-tables.ts'
import type { SortOrder } from './sort-order.ts'

/**
 * The columns of a list's row: the first edge of its chain or the number of its block list, and the
 * `ListSize` of the list.
 */
export const HEAD_COLUMN = 0
export const SIZE_COLUMN = 1

/** The number of these columns. Columns after them have other purposes. */
export const RESERVED_COLUMN_COUNT = 2

/**
 * The tables and columns of the edge lists of one direction. A short list is a chain: each edge contains the
 * number of the next edge.
 */
export type EdgeListLayout = {
  readonly edges: EdgeTable
  /** A row per list. It begins with the reserved columns. */
  readonly rows: Uint32Table
  /** The column with the key of an edge, which is unique in its list. */
  readonly keyColumn: number
  /** The column with the number of the next edge of the chain. */
  readonly nextColumn: number
  readonly order: SortOrder
  /**
   * Whether chains are sorted, with the last edge first. Otherwise a new edge becomes the first of its chain.
   */
  readonly hasSortedChains: boolean
}

/** The maximum number of edges of a chain. Longer lists are stored in blocks. */
export const MAX_CHAIN_LENGTH = 32

const IN_BLOCKS_FLAG = 2 ** 31
const LENGTH_BIT_COUNT = 6
const LENGTH_MASK = 2 ** LENGTH_BIT_COUNT - 1
const FILTER_BIT_COUNT = 31 - LENGTH_BIT_COUNT

/**
 * The size of a list in one cell. For a list in blocks, it is the length with the highest bit set. For a
 * chain, it is the length and a small Bloom filter of keys: if the bit of a key is not set, no edge has that
 * key. The bit of a removed edge stays set until the chain is empty.
 */
export type ListSize = number

/** Returns the filter bit of a key. */
const filterBitOf = (key: number): number =>
  1 << (LENGTH_BIT_COUNT + (((Math.imul(key, 0x9e3779b1) >>> 16) * FILTER_BIT_COUNT) >>> 16))

export const isInBlocks = (size: ListSize): boolean => size >= IN_BLOCKS_FLAG

export const lengthOf = (size: ListSize): number =>
  size >= IN_BLOCKS_FLAG ? size - IN_BLOCKS_FLAG : size & LENGTH_MASK

/**
 * Whether a list may contain an edge with a key. False for most chains without such an edge, so that their
 * edges need not be read.
 */
export const mayContain = (size: ListSize, key: number): boolean =>
  size >= IN_BLOCKS_FLAG || (size & filterBitOf(key)) !== 0

/** Returns the size after adding an edge with a key. A full chain becomes a list in blocks. */
export const addToSize = (size: ListSize, key: number): ListSize => {
  if (size >= IN_BLOCKS_FLAG) return size + 1
  return (size & LENGTH_MASK) === MAX_CHAIN_LENGTH
    ? IN_BLOCKS_FLAG + MAX_CHAIN_LENGTH + 1
    : (size + 1) | filterBitOf(key)
}

/**
 * Returns the size after removing an edge. If a list in blocks becomes a chain, the caller must set its
 * filter bits.
 */
export const removeFromSize = (size: ListSize): ListSize =>
  size >= IN_BLOCKS_FLAG || lengthOf(size) > 1 ? size - 1 : 0
