import type { Epochs } from './epochs.ts'

/** Rows in a page: a power of two, so that a row is found by a shift and a mask. */
export const PAGE_SHIFT = 11
export const PAGE_SIZE = 1 << PAGE_SHIFT
export const PAGE_MASK = PAGE_SIZE - 1

/** How pages of one kind are made. */
export type PageKind<TPage> = {
  readonly create: () => TPage
  readonly copy: (page: TPage) => TPage
}

/**
 * A growing table in pages, which is what makes a snapshot cheap: a fork shares the list of pages, and a page that an
 * open snapshot may see is copied when it is first written.
 *
 * A read is one step; a write one comparison more, and at most one copy of a page for each snapshot opened.
 */
export class Pages<TPage> {
  readonly #epochs: Epochs
  readonly #kind: PageKind<TPage>
  readonly #stamps: number[] = []
  #pages: (TPage | undefined)[]
  #stamp: number

  constructor(epochs: Epochs, kind: PageKind<TPage>, pages: (TPage | undefined)[] = []) {
    this.#epochs = epochs
    this.#kind = kind
    this.#pages = pages
    this.#stamp = epochs.now
  }

  /** Pages so far, those never written included. */
  get length(): number {
    return this.#pages.length
  }

  /** A page to read from; undefined where none of its rows was ever written. */
  get(index: number): TPage | undefined {
    return this.#pages[index]
  }

  /** A page to write to. */
  own(index: number): TPage {
    const page = this.#pages[index]
    if (page !== undefined && !this.#epochs.isShared(this.#stamps[index] ?? 0)) return page
    return this.#claim(index, page)
  }

  /** The table as it is now, for a snapshot just opened; it is only read. */
  fork(): Pages<TPage> {
    return new Pages(this.#epochs, this.#kind, this.#pages)
  }

  #claim(index: number, page: TPage | undefined): TPage {
    if (this.#epochs.isShared(this.#stamp)) this.#pages = this.#pages.slice()
    this.#stamp = this.#epochs.now
    const owned = page === undefined ? this.#kind.create() : this.#kind.copy(page)
    this.#pages[index] = owned
    this.#stamps[index] = this.#epochs.now
    return owned
  }
}
