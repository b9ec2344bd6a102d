import { CopyOnWritePages, PAGE_SHIFT } from './copy-on-write-pages.ts'
import type { Epochs } from './epochs.ts'

/** Objects by dense number, for tables in which few numbers have one: the others cost nothing. */
export class PagedMap<TValue> {
  readonly #pages: CopyOnWritePages<Map<number, TValue>>

  constructor(epochs: Epochs, pages?: CopyOnWritePages<Map<number, TValue>>) {
    this.#pages =
      pages ?? new CopyOnWritePages(epochs, { create: () => new Map(), copy: page => new Map(page) })
  }

  get(number: number): TValue | undefined {
    return this.#pages.get(number >>> PAGE_SHIFT)?.get(number)
  }

  set(number: number, value: TValue | undefined): void {
    if (value !== undefined) this.#pages.getWritable(number >>> PAGE_SHIFT).set(number, value)
    else if (this.get(number) !== undefined) this.#pages.getWritable(number >>> PAGE_SHIFT).delete(number)
  }

  /** Returns the map in its current state, for a new snapshot. */
  fork(epochs: Epochs): PagedMap<TValue> {
    return new PagedMap(epochs, this.#pages.fork())
  }
}
