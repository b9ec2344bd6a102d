import { CopyOnWritePages, PAGE_MASK, PAGE_SHIFT, PAGE_SIZE } from './copy-on-write-pages.ts'
import type { Epochs } from './epochs.ts'

/** Rows of unsigned 32-bit cells, without an object per row. A cell that was never written is 0. */
export class Uint32Table {
  readonly #columnCount: number
  readonly #pages: CopyOnWritePages<Uint32Array>

  constructor(epochs: Epochs, columnCount: number, pages?: CopyOnWritePages<Uint32Array>) {
    this.#columnCount = columnCount
    this.#pages =
      pages ??
      new CopyOnWritePages<Uint32Array>(epochs, {
        create: () => new Uint32Array(PAGE_SIZE * columnCount),
        copy: page => page.slice(),
      })
  }

  get(row: number, column: number): number {
    return this.#pages.get(row >>> PAGE_SHIFT)?.[(row & PAGE_MASK) * this.#columnCount + column] ?? 0
  }

  set(row: number, column: number, value: number): void {
    this.#pages.getWritable(row >>> PAGE_SHIFT)[(row & PAGE_MASK) * this.#columnCount + column] = value
  }

  /** Writes the first four cells of a row with one lookup of its page. */
  setFirstCells(row: number, first: number, second: number, third: number, fourth: number): void {
    const page = this.#pages.getWritable(row >>> PAGE_SHIFT)
    const start = (row & PAGE_MASK) * this.#columnCount
    page[start] = first
    page[start + 1] = second
    page[start + 2] = third
    page[start + 3] = fourth
  }

  /** Writes 0 into every cell of a row. */
  clearRow(row: number): void {
    const start = (row & PAGE_MASK) * this.#columnCount
    this.#pages.getWritable(row >>> PAGE_SHIFT).fill(0, start, start + this.#columnCount)
  }

  /** Returns the table in its current state, for a new snapshot. */
  fork(epochs: Epochs): Uint32Table {
    return new Uint32Table(epochs, this.#columnCount, this.#pages.fork())
  }
}
