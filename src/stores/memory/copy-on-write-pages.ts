import type { Epochs } from './epochs.ts'

/**
 * The number of rows per page, as an exponent of two: the page of a row is its number shifted right by this,
 * and its index in the page is its number masked with `PAGE_MASK`.
 */
export const PAGE_SHIFT = 11
export const PAGE_SIZE = 1 << PAGE_SHIFT
export const PAGE_MASK = PAGE_SIZE - 1

/** Creates and copies pages of one kind. */
export type PageFactory<TPage> = {
  readonly create: () => TPage
  readonly copy: (page: TPage) => TPage
}

/**
 * A growing table in pages, which makes snapshots cheap: a fork shares the list of pages, and a page that an
 * open snapshot may see is copied when it is first written.
 *
 * A read is one step. A write is one more comparison, and at most one copy of a page for each opened
 * snapshot.
 */
export class CopyOnWritePages<TPage> {
  readonly #epochs: Epochs
  readonly #factory: PageFactory<TPage>
  readonly #pageEpochs: number[] = []
  #pages: (TPage | undefined)[]
  #pageListEpoch: number

  constructor(epochs: Epochs, factory: PageFactory<TPage>, pages: (TPage | undefined)[] = []) {
    this.#epochs = epochs
    this.#factory = factory
    this.#pages = pages
    this.#pageListEpoch = epochs.currentEpoch
  }

  /** The number of pages so far, including those that were never written. */
  get pageCount(): number {
    return this.#pages.length
  }

  /** Returns a page to read from; undefined if none of its rows was ever written. */
  get(index: number): TPage | undefined {
    return this.#pages[index]
  }

  /** Returns a page to write to. */
  getWritable(index: number): TPage {
    const page = this.#pages[index]
    if (page !== undefined && !this.#epochs.isShared(this.#pageEpochs[index] ?? 0)) return page
    return this.#makeWritable(index, page)
  }

  /** Returns the table in its current state, for a new snapshot, which only reads it. */
  fork(): CopyOnWritePages<TPage> {
    return new CopyOnWritePages(this.#epochs, this.#factory, this.#pages)
  }

  #makeWritable(index: number, page: TPage | undefined): TPage {
    if (this.#epochs.isShared(this.#pageListEpoch)) this.#pages = this.#pages.slice()
    this.#pageListEpoch = this.#epochs.currentEpoch
    const writablePage = page === undefined ? this.#factory.create() : this.#factory.copy(page)
    this.#pages[index] = writablePage
    this.#pageEpochs[index] = this.#epochs.currentEpoch
    return writablePage
  }
}
