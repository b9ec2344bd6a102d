/** Hands out dense numbers from 1 on and takes them back; 0 is left to stand for none. */
export class Numbers {
  readonly #free: number[] = []
  #last = 0

  take(): number {
    return this.#free.pop() ?? ++this.#last
  }

  release(number: number): void {
    this.#free.push(number)
  }
}
