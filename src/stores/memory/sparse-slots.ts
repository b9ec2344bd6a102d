import type { Epochs } from './epochs.ts'
import { PAGE_SHIFT, Pages } from './pages.ts'

/** Objects under dense numbers, where few numbers have one: the others cost nothing. */
export class SparseSlots<TValue> {
  readonly #pages: Pages<Map<number, TValue>>

  constructor(epochs: Epochs, pages?: Pages<Map<number, TValue>>) {
    this.#pages = pages ?? new Pages(epochs, { create: () => new Map(), copy: page => new Map(page) })
  }

  get(number: number): TValue | undefined {
    return this.#pages.get(number >>> PAGE_SHIFT)?.get(number)
  }

  set(number: number, value: TValue | undefined): void {
    if (value !== undefined) this.#pages.own(number >>> PAGE_SHIFT).set(number, value)
    else if (this.get(number) !== undefined) this.#pages.own(number >>> PAGE_SHIFT).delete(number)
  }

  fork(epochs: Epochs): SparseSlots<TValue> {
    return new SparseSlots(epochs, this.#pages.fork())
  }
}
