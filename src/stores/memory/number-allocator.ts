/** Allocates dense numbers from 1 on and reuses released ones; 0 means none. */
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
