import { BlockList } from './block-list.ts'
import {
  addToSize,
  type EdgeListLayout,
  HEAD_COLUMN,
  isInBlocks,
  lengthOf,
  MAX_CHAIN_LENGTH,
  mayContain,
  removeFromSize,
  SIZE_COLUMN,
} from './edge-list-layout.ts'
import { type Epochs, NumberAllocator, PagedArray, toBit } from './paged-tables.ts'
import { BoundaryBefore, isBefore, type SortBoundary } from './sort-order.ts'

const LOWEST_BOUNDARY: SortBoundary = Object.freeze({ key: Number.NEGATIVE_INFINITY, id: '', ids: 'below' })

/**
 * Many lists of edges, most of them tiny. A list of up to 32 edges is a chain: the row of each edge contains
 * the number of the next edge, so the list needs no other memory. A longer list is stored in sorted blocks.
 */
export class EdgeLists {
  readonly #epochs: Epochs
  readonly #layout: EdgeListLayout
  readonly #blockLists: PagedArray<BlockList>
  readonly #blockListNumberAllocator = new NumberAllocator()

  constructor(epochs: Epochs, layout: EdgeListLayout, blockLists = new PagedArray<BlockList>(epochs)) {
    this.#epochs = epochs
    this.#layout = layout
    this.#blockLists = blockLists
  }

  lengthOf(row: number): number {
    return lengthOf(this.#layout.rows.get(row, SIZE_COLUMN))
  }

  /** Reads the sizes of many lists at once, which loads them into the processor cache for the next reads. */
  prefetchSizes(rowNumbers: readonly number[]): number[] {
    return rowNumbers.map(row => this.lengthOf(row))
  }

  isChain(row: number): boolean {
    return !isInBlocks(this.#layout.rows.get(row, SIZE_COLUMN))
  }

  /** Whether a list may contain an edge with a key. Reads no edges. */
  mayContain(row: number, key: number): boolean {
    return mayContain(this.#layout.rows.get(row, SIZE_COLUMN), key)
  }

  /** Returns the edge with a key in a chain, or 0 if there is none. */
  findInChain(row: number, key: number): number {
    const { edges, rows, nextColumn, keyColumn: column } = this.#layout
    let edge = rows.get(row, HEAD_COLUMN)
    while (edge !== 0 && edges.getCell(edge, column) !== key) edge = edges.getCell(edge, nextColumn)
    return edge
  }

  /**
   * Reads the edges next to which edges with the given sort keys will be inserted, so that the next inserts
   * find them in the processor cache. Advances in all chains together, so that the processor can wait for
   * many edges at once. Row number 0 stands for no list.
   */
  prefetchInsertPoints(rowNumbers: readonly number[], sortKeys: readonly number[]): void {
    const { edges, rows, nextColumn, order } = this.#layout
    const currentEdges: number[] = []
    const remainingKeys: number[] = []
    for (let index = 0; index < rowNumbers.length; index++) {
      const row = rowNumbers[index] ?? 0
      const sortKey = sortKeys[index] ?? 0
      if (this.isChain(row)) {
        currentEdges.push(rows.get(row, HEAD_COLUMN))
        remainingKeys.push(sortKey)
      } else order.keyOf(this.#blockListOf(row).getFirstProbe(order, { key: sortKey, id: '', ids: 'below' }))
    }
    let chainCount = currentEdges.length
    while (chainCount > 0) {
      let remainingCount = 0
      for (let index = 0; index < chainCount; index++) {
        const edge = currentEdges[index] ?? 0
        const sortKey = remainingKeys[index] ?? 0
        const following = order.keyOf(edge) > sortKey ? edges.getCell(edge, nextColumn) : 0
        currentEdges[remainingCount] = following
        remainingKeys[remainingCount] = sortKey
        remainingCount += toBit(following)
      }
      chainCount = remainingCount
    }
  }

  /** Returns the first edge after a boundary in a list in blocks, or 0 if all edges are before it. */
  seekInBlocks(row: number, boundary: SortBoundary): number {
    const blockList = this.#blockListOf(row)
    return blockList.at(blockList.seek(this.#layout.order, boundary))
  }

  insert(row: number, edge: number): void {
    const { edges, rows, keyColumn, order } = this.#layout
    const size = addToSize(rows.get(row, SIZE_COLUMN), edges.getCell(edge, keyColumn))
    if (!isInBlocks(size)) this.#insertIntoChain(row, edge)
    else {
      if (this.isChain(row)) this.#convertToBlocks(row)
      this.#getWritableBlockList(row).insert(order, edge)
    }
    rows.set(row, SIZE_COLUMN, size)
  }

  remove(row: number, edge: number): void {
    const { rows, order } = this.#layout
    const size = removeFromSize(rows.get(row, SIZE_COLUMN))
    rows.set(row, SIZE_COLUMN, size)
    if (!isInBlocks(size)) this.#removeFromChain(row, edge)
    else {
      const blockList = this.#getWritableBlockList(row)
      blockList.remove(order, edge)
      if (lengthOf(size) === MAX_CHAIN_LENGTH) this.#convertToChain(row, blockList)
    }
  }

  /** Removes all edges of a list. */
  clear(row: number): void {
    if (!this.isChain(row)) this.#releaseBlockList(this.#layout.rows.get(row, HEAD_COLUMN))
    this.#layout.rows.set(row, HEAD_COLUMN, 0)
    this.#layout.rows.set(row, SIZE_COLUMN, 0)
  }

  /**
   * Returns the edges in ascending order. During the iteration, edges may be deleted from other tables, but
   * this list must not change.
   */
  edgesOf(row: number): Iterable<number> {
    return this.isChain(row)
      ? this.#readChainFrom(row, LOWEST_BOUNDARY, MAX_CHAIN_LENGTH)
      : this.#blockListOf(row)
  }

  /** Returns up to `limit` edges: before a boundary in descending order, or after it in ascending order. */
  readFrom(row: number, isDescending: boolean, boundary: SortBoundary, limit: number): number[] {
    if (this.isChain(row))
      return isDescending
        ? this.#readChainBefore(row, boundary, limit)
        : this.#readChainFrom(row, boundary, limit)
    const blockList = this.#blockListOf(row)
    const position =
      boundary.key === Number.POSITIVE_INFINITY
        ? blockList.endPosition
        : blockList.seek(this.#layout.order, boundary)
    return isDescending ? blockList.readBackward(position, limit) : blockList.readForward(position, limit)
  }

  /** Returns the lists in their current state, for a snapshot with the tables of `layout`. */
  fork(epochs: Epochs, layout: EdgeListLayout): EdgeLists {
    return new EdgeLists(epochs, layout, this.#blockLists.fork(epochs))
  }

  #readChainBefore(row: number, boundary: SortBoundary, limit: number): number[] {
    const { edges, rows, nextColumn, order } = this.#layout
    const result: number[] = []
    let edge = rows.get(row, HEAD_COLUMN)
    while (edge !== 0 && !isBefore(order, edge, boundary)) edge = edges.getCell(edge, nextColumn)
    for (; edge !== 0 && result.length < limit; edge = edges.getCell(edge, nextColumn)) result.push(edge)
    return result
  }

  #readChainFrom(row: number, boundary: SortBoundary, limit: number): number[] {
    const { edges, rows, nextColumn, order } = this.#layout
    const result: number[] = []
    let edge = rows.get(row, HEAD_COLUMN)
    const readsAll = boundary.key === Number.NEGATIVE_INFINITY
    while (edge !== 0 && (readsAll || !isBefore(order, edge, boundary))) {
      result.push(edge)
      edge = edges.getCell(edge, nextColumn)
    }
    result.reverse()
    if (result.length > limit) result.length = limit
    return result
  }

  #insertIntoChain(row: number, edge: number): void {
    const { edges, rows, nextColumn, order, hasSortedChains } = this.#layout
    const boundary = new BoundaryBefore(order, edge)
    let previous = 0
    let following = rows.get(row, HEAD_COLUMN)
    while (hasSortedChains && following !== 0 && !isBefore(order, following, boundary)) {
      previous = following
      following = edges.getCell(following, nextColumn)
    }
    edges.setCell(edge, nextColumn, following)
    this.#setNext(row, previous, edge)
  }

  #removeFromChain(row: number, edge: number): void {
    const { edges, rows, nextColumn } = this.#layout
    let previous = 0
    let current = rows.get(row, HEAD_COLUMN)
    while (current !== edge) {
      previous = current
      current = edges.getCell(current, nextColumn)
    }
    this.#setNext(row, previous, edges.getCell(edge, nextColumn))
  }

  /** Links an edge after another edge, or as the first edge of its list. */
  #setNext(row: number, previous: number, edge: number): void {
    if (previous === 0) this.#layout.rows.set(row, HEAD_COLUMN, edge)
    else this.#layout.edges.setCell(previous, this.#layout.nextColumn, edge)
  }

  #blockListOf(row: number): BlockList {
    return this.#blockLists.get(this.#layout.rows.get(row, HEAD_COLUMN)) ?? new BlockList(this.#epochs)
  }

  #getWritableBlockList(row: number): BlockList {
    const blockList = this.#blockListOf(row)
    if (!this.#epochs.isShared(blockList.epoch)) return blockList
    const copy = blockList.copy()
    this.#blockLists.set(this.#layout.rows.get(row, HEAD_COLUMN), copy)
    return copy
  }

  #convertToBlocks(row: number): void {
    const blockList = new BlockList(this.#epochs)
    for (const edge of this.#readChainFrom(row, LOWEST_BOUNDARY, MAX_CHAIN_LENGTH))
      blockList.insert(this.#layout.order, edge)
    const blockListNumber = this.#blockListNumberAllocator.allocate()
    this.#blockLists.set(blockListNumber, blockList)
    this.#layout.rows.set(row, HEAD_COLUMN, blockListNumber)
  }

  #convertToChain(row: number, blockList: BlockList): void {
    const { edges, rows, nextColumn, keyColumn } = this.#layout
    const blockListNumber = rows.get(row, HEAD_COLUMN)
    let head = 0
    let size = 0
    for (const edge of blockList) {
      edges.setCell(edge, nextColumn, head)
      head = edge
      size = addToSize(size, edges.getCell(edge, keyColumn))
    }
    rows.set(row, HEAD_COLUMN, head)
    rows.set(row, SIZE_COLUMN, size)
    this.#releaseBlockList(blockListNumber)
  }

  #releaseBlockList(blockListNumber: number): void {
    this.#blockLists.set(blockListNumber, undefined)
    this.#blockListNumberAllocator.release(blockListNumber)
  }
}
