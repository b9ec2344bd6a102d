import { CopyOnWritePages, PAGE_MASK, PAGE_SHIFT, PAGE_SIZE } from './copy-on-write-pages.ts'
import type { Epochs } from './epochs.ts'

/** Objects by dense number, for tables in which most numbers have one. */
export class PagedArray<TValue> {
  readonly #pages: CopyOnWritePages<(TValue | undefined)[]>

  constructor(epochs: Epochs, pages?: CopyOnWritePages<(TValue | undefined)[]>) {
    this.#pages =
      pages ??
      new CopyOnWritePages<(TValue | undefined)[]>(epochs, { create: () => [], copy: page => page.slice() })
  }

  get(number: number): TValue | undefined {
    return this.#pages.get(number >>> PAGE_SHIFT)?.[number & PAGE_MASK]
  }

  set(number: number, value: TValue | undefined): void {
    this.#pages.getWritable(number >>> PAGE_SHIFT)[number & PAGE_MASK] = value
  }

  /** Iterates the numbers that have an object, in order. */
  *numbers(): Generator<number> {
    for (let number = 0; number < this.#pages.pageCount * PAGE_SIZE; number++) {
      if (this.get(number) !== undefined) yield number
    }
  }

  /** Returns the array in its current state, for a new snapshot. */
  fork(epochs: Epochs): PagedArray<TValue> {
    return new PagedArray(epochs, this.#pages.fork())
  }
}
