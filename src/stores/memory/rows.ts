import type { Epochs } from './epochs.ts'
import { PAGE_MASK, PAGE_SHIFT, PAGE_SIZE, Pages } from './pages.ts'

/** Rows of unsigned 32-bit cells, without an object for any of them. A cell never written is 0. */
export class Rows {
  readonly #width: number
  readonly #pages: Pages<Uint32Array>

  constructor(epochs: Epochs, width: number, pages?: Pages<Uint32Array>) {
    this.#width = width
    this.#pages =
      pages ??
      new Pages<Uint32Array>(epochs, {
        create: () => new Uint32Array(PAGE_SIZE * width),
        copy: page => page.slice(),
      })
  }

  get(row: number, column: number): number {
    return this.#pages.get(row >>> PAGE_SHIFT)?.[(row & PAGE_MASK) * this.#width + column] ?? 0
  }

  set(row: number, column: number, value: number): void {
    this.#pages.own(row >>> PAGE_SHIFT)[(row & PAGE_MASK) * this.#width + column] = value
  }

  /** Writes the first four cells of a row, whose page is looked for once. */
  begin(row: number, first: number, second: number, third: number, fourth: number): void {
    const page = this.#pages.own(row >>> PAGE_SHIFT)
    const start = (row & PAGE_MASK) * this.#width
    page[start] = first
    page[start + 1] = second
    page[start + 2] = third
    page[start + 3] = fourth
  }

  /** Writes 0 into every cell of a row. */
  clear(row: number): void {
    const start = (row & PAGE_MASK) * this.#width
    this.#pages.own(row >>> PAGE_SHIFT).fill(0, start, start + this.#width)
  }

  fork(epochs: Epochs): Rows {
    return new Rows(epochs, this.#width, this.#pages.fork())
  }
}
