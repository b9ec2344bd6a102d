import { BlockList } from './block-list.ts'
import type { EdgeTable } from './edge-table.ts'
import type { Epochs } from './epochs.ts'
import { grown, isInBlocks, LONGEST_CHAIN, lengthOf, mayHave, shrunk } from './list-size.ts'
import { Numbers } from './numbers.ts'
import type { Rows } from './rows.ts'
import { signOf } from './sign-of.ts'
import { Slots } from './slots.ts'
import { type Cut, CutAt, isBefore, type SortOrder } from './sort-order.ts'

const HEAD = 0
const SIZE = 1

/** The columns that `EdgeLists` keeps in its rows; those behind are free for others. */
export const LIST_COLUMNS = 2

const EVERYTHING: Cut = Object.freeze({ key: Number.NEGATIVE_INFINITY, id: '', reach: 0 })

/** What tells the lists of one direction from those of the other. */
export type EdgeListKind = {
  readonly edges: EdgeTable
  /** A row for each list: its first edge or the number of its blocks, its size (`list-size.ts`), then columns of others. */
  readonly rows: Rows
  /** The column of the edges that tells those of a list apart. */
  readonly key: number
  /** The column of the edges that links a chain. */
  readonly next: number
  readonly order: SortOrder
  /** Whether chains are in order too, the last edge first; else an edge is put into them without looking. */
  readonly sortsChains: boolean
}

/**
 * Many lists of edges, most of them tiny. Up to 32 edges are a chain through the rows of the edges themselves and cost
 * no memory of their own; longer lists are kept in blocks, in order. Which of the two a list is, its size tells.
 */
export class EdgeLists {
  readonly #epochs: Epochs
  readonly #kind: EdgeListKind
  readonly #blocks: Slots<BlockList>
  readonly #blockNumbers = new Numbers()

  constructor(epochs: Epochs, kind: EdgeListKind, blocks = new Slots<BlockList>(epochs)) {
    this.#epochs = epochs
    this.#kind = kind
    this.#blocks = blocks
  }

  length(row: number): number {
    return lengthOf(this.#kind.rows.get(row, SIZE))
  }

  /** Reads the sizes of many lists at once: who asks for one of them next finds it near. */
  fetchSizes(rows: readonly number[]): number[] {
    return rows.map(row => this.length(row))
  }

  isChain(row: number): boolean {
    return !isInBlocks(this.#kind.rows.get(row, SIZE))
  }

  /** Whether a list may have an edge with a key; of a chain told without a look at its edges. */
  mayHave(row: number, key: number): boolean {
    return mayHave(this.#kind.rows.get(row, SIZE), key)
  }

  /** The edge of a chain that has a key, 0 where none has. */
  scan(row: number, key: number): number {
    const { edges, rows, next, key: column } = this.#kind
    let edge = rows.get(row, HEAD)
    while (edge !== 0 && edges.get(edge, column) !== key) edge = edges.get(edge, next)
    return edge
  }

  /**
   * Reads what edges with the given keys will be put behind in some lists, all of those that are chains in step, so that the
   * processor waits for many edges at once: who puts one of them next finds it near. A list of number 0 is none.
   */
  fetchPlaces(lists: readonly number[], keys: readonly number[]): void {
    const { edges, rows, next, order } = this.#kind
    const reached: number[] = []
    const wanted: number[] = []
    for (let index = 0; index < lists.length; index++) {
      const row = lists[index] ?? 0
      const key = keys[index] ?? 0
      if (this.isChain(row)) {
        reached.push(rows.get(row, HEAD))
        wanted.push(key)
      } else order.keyOf(this.#blocksOf(row).guess(order, { key, id: '', reach: 0 }))
    }
    let count = reached.length
    while (count > 0) {
      let left = 0
      for (let index = 0; index < count; index++) {
        const edge = reached[index] ?? 0
        const key = wanted[index] ?? 0
        const following = order.keyOf(edge) > key ? edges.get(edge, next) : 0
        reached[left] = following
        wanted[left] = key
        left += signOf(following)
      }
      count = left
    }
  }

  /** The edge of a list in blocks that a cut is in front of, 0 where all are before it. */
  seek(row: number, cut: Cut): number {
    const blocks = this.#blocksOf(row)
    return blocks.at(blocks.seek(this.#kind.order, cut))
  }

  insert(row: number, edge: number): void {
    const { edges, rows, key, order } = this.#kind
    const size = grown(rows.get(row, SIZE), edges.get(edge, key))
    if (!isInBlocks(size)) this.#link(row, edge)
    else {
      if (this.isChain(row)) this.#toBlocks(row)
      this.#ownBlocks(row).insert(order, edge)
    }
    rows.set(row, SIZE, size)
  }

  remove(row: number, edge: number): void {
    const { rows, order } = this.#kind
    const size = shrunk(rows.get(row, SIZE))
    rows.set(row, SIZE, size)
    if (!isInBlocks(size)) this.#unlink(row, edge)
    else {
      const blocks = this.#ownBlocks(row)
      blocks.remove(order, edge)
      if (lengthOf(size) === LONGEST_CHAIN) this.#toChain(row, blocks)
    }
  }

  /** Forgets all edges of a list. */
  drop(row: number): void {
    if (!this.isChain(row)) this.#giveUpBlocks(this.#kind.rows.get(row, HEAD))
    this.#kind.rows.set(row, HEAD, 0)
    this.#kind.rows.set(row, SIZE, 0)
  }

  /** The edges of a list, lowest first. The edges answered may be removed meanwhile, but the list itself not changed. */
  edges(row: number): Iterable<number> {
    return this.isChain(row) ? this.#chainFrom(row, EVERYTHING, LONGEST_CHAIN) : this.#blocksOf(row)
  }

  /** Up to `most` edges: those before a cut, the last first, or those from it on, in order. */
  walk(row: number, isDownwards: boolean, cut: Cut, most: number): number[] {
    if (this.isChain(row))
      return isDownwards ? this.#chainBefore(row, cut, most) : this.#chainFrom(row, cut, most)
    const blocks = this.#blocksOf(row)
    const spot = cut.key === Number.POSITIVE_INFINITY ? blocks.end : blocks.seek(this.#kind.order, cut)
    return isDownwards ? blocks.takeBackwards(spot, most) : blocks.takeForwards(spot, most)
  }

  /** The lists as a snapshot sees them, by its own edges and rows. */
  fork(epochs: Epochs, kind: EdgeListKind): EdgeLists {
    return new EdgeLists(epochs, kind, this.#blocks.fork(epochs))
  }

  #chainBefore(row: number, cut: Cut, most: number): number[] {
    const { edges, rows, next, order } = this.#kind
    const taken: number[] = []
    let edge = rows.get(row, HEAD)
    while (edge !== 0 && !isBefore(order, edge, cut)) edge = edges.get(edge, next)
    for (; edge !== 0 && taken.length < most; edge = edges.get(edge, next)) taken.push(edge)
    return taken
  }

  #chainFrom(row: number, cut: Cut, most: number): number[] {
    const { edges, rows, next, order } = this.#kind
    const taken: number[] = []
    let edge = rows.get(row, HEAD)
    const takesAll = cut.key === Number.NEGATIVE_INFINITY
    for (; edge !== 0 && (takesAll || !isBefore(order, edge, cut)); edge = edges.get(edge, next))
      taken.push(edge)
    taken.reverse()
    if (taken.length > most) taken.length = most
    return taken
  }

  #link(row: number, edge: number): void {
    const { edges, rows, next, order, sortsChains } = this.#kind
    const cut = new CutAt(order, edge)
    let previous = 0
    let following = rows.get(row, HEAD)
    while (sortsChains && following !== 0 && !isBefore(order, following, cut)) {
      previous = following
      following = edges.get(following, next)
    }
    edges.set(edge, next, following)
    this.#point(row, previous, edge)
  }

  #unlink(row: number, edge: number): void {
    const { edges, rows, next } = this.#kind
    let previous = 0
    for (let other = rows.get(row, HEAD); other !== edge; other = edges.get(other, next)) previous = other
    this.#point(row, previous, edges.get(edge, next))
  }

  /** Makes an edge the next after another, or the first of its list. */
  #point(row: number, previous: number, edge: number): void {
    if (previous === 0) this.#kind.rows.set(row, HEAD, edge)
    else this.#kind.edges.set(previous, this.#kind.next, edge)
  }

  #blocksOf(row: number): BlockList {
    return this.#blocks.get(this.#kind.rows.get(row, HEAD)) ?? new BlockList(this.#epochs)
  }

  #ownBlocks(row: number): BlockList {
    const blocks = this.#blocksOf(row)
    if (!this.#epochs.isShared(blocks.stamp)) return blocks
    const owned = blocks.copy()
    this.#blocks.set(this.#kind.rows.get(row, HEAD), owned)
    return owned
  }

  #toBlocks(row: number): void {
    const blocks = new BlockList(this.#epochs)
    for (const edge of this.#chainFrom(row, EVERYTHING, LONGEST_CHAIN)) blocks.insert(this.#kind.order, edge)
    const number = this.#blockNumbers.take()
    this.#blocks.set(number, blocks)
    this.#kind.rows.set(row, HEAD, number)
  }

  #toChain(row: number, blocks: BlockList): void {
    const { edges, rows, next, key } = this.#kind
    const number = rows.get(row, HEAD)
    let head = 0
    let size = 0
    for (const edge of blocks) {
      edges.set(edge, next, head)
      head = edge
      size = grown(size, edges.get(edge, key))
    }
    rows.set(row, HEAD, head)
    rows.set(row, SIZE, size)
    this.#giveUpBlocks(number)
  }

  #giveUpBlocks(number: number): void {
    this.#blocks.set(number, undefined)
    this.#blockNumbers.release(number)
  }
}
