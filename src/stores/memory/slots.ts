import type { Epochs } from './epochs.ts'
import { PAGE_MASK, PAGE_SHIFT, PAGE_SIZE, Pages } from './pages.ts'

/** Objects under dense numbers, where most numbers have one. */
export class Slots<TValue> {
  readonly #pages: Pages<(TValue | undefined)[]>

  constructor(epochs: Epochs, pages?: Pages<(TValue | undefined)[]>) {
    this.#pages =
      pages ?? new Pages<(TValue | undefined)[]>(epochs, { create: () => [], copy: page => page.slice() })
  }

  get(number: number): TValue | undefined {
    return this.#pages.get(number >>> PAGE_SHIFT)?.[number & PAGE_MASK]
  }

  set(number: number, value: TValue | undefined): void {
    this.#pages.own(number >>> PAGE_SHIFT)[number & PAGE_MASK] = value
  }

  /** The numbers that have an object, in order. */
  *numbers(): Generator<number> {
    for (let number = 0; number < this.#pages.length * PAGE_SIZE; number++) {
      if (this.get(number) !== undefined) yield number
    }
  }

  fork(epochs: Epochs): Slots<TValue> {
    return new Slots(epochs, this.#pages.fork())
  }
}
