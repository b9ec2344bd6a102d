/**
 * Counts epochs, the periods between snapshots: opening a snapshot ends the current epoch. Each object stores
 * the epoch in which it was created. An open snapshot may see all objects of its epoch and of earlier epochs,
 * so these objects are copied before they change. Without an open snapshot, objects are changed in place.
 */
export class Epochs {
  readonly #openEpochs: number[] = []
  #newestOpenEpoch = 0
  #currentEpoch = 1

  /** The epoch of new objects. */
  get currentEpoch(): number {
    return this.#currentEpoch
  }

  /** The epoch of the oldest open snapshot; infinite if no snapshot is open. */
  get oldestOpenEpoch(): number {
    return this.#openEpochs[0] ?? Number.POSITIVE_INFINITY
  }

  /** Whether an open snapshot may see an object that was created in this epoch. */
  isShared(epoch: number): boolean {
    return epoch <= this.#newestOpenEpoch
  }

  /** Opens a snapshot and returns its epoch. */
  openSnapshot(): number {
    const epoch = this.#currentEpoch++
    this.#openEpochs.push(epoch)
    this.#newestOpenEpoch = epoch
    return epoch
  }

  /** Closes the snapshot of an epoch. */
  closeSnapshot(epoch: number): void {
    const index = this.#openEpochs.indexOf(epoch)
    if (index >= 0) this.#openEpochs.splice(index, 1)
    this.#newestOpenEpoch = this.#openEpochs.at(-1) ?? 0
  }
}

/**
 * The number of rows per page, as an exponent of two. Shifting the number of a row right by `PAGE_SHIFT`
 * gives the index of the page. Masking the number with `PAGE_MASK` gives the index within the page.
 */
const PAGE_SHIFT = 11
export const PAGE_SIZE = 1 << PAGE_SHIFT
const PAGE_MASK = PAGE_SIZE - 1

/** Creates and copies pages of one kind. */
type PageFactory<TPage> = {
  readonly create: () => TPage
  readonly copy: (page: TPage) => TPage
}

/**
 * A growing table, divided into pages so that snapshots are cheap. A fork shares the list of pages. A page
 * that an open snapshot may see is copied before its first change.
 *
 * A read accesses one array. A write adds one comparison, and copies each page at most once per snapshot.
 */
class CopyOnWritePages<TPage> {
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

/** Objects by dense number, for tables in which most numbers have an object. */
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

  /** Yields the numbers that have an object, in order. */
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

/** Objects by dense number, for tables in which few numbers have an object. Other numbers take no memory. */
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

/** Returns 0 for 0, and 1 for any other number, without a branch that the processor could mispredict. */
export const toBit = (number: number): number => (number | -number) >>> 31

/** Allocates dense numbers, starting at 1, and reuses released numbers. 0 stands for no number. */
export class NumberAllocator {
  readonly #freeNumbers: number[] = []
  #lastNumber = 0

  allocate(): number {
    return this.#freeNumbers.pop() ?? ++this.#lastNumber
  }

  release(number: number): void {
    this.#freeNumbers.push(number)
  }
}
