/**
 * Runs the conditional writes of one process to the same source one after the other, so that they do not
 * invalidate what the others have read.
 */
export class SourceQueue {
  /** The end of the last write to each source. */
  readonly #ends = new Map<string, Promise<void>>()

  /** Calls a function with its turn: it resolves when the result of the previous function has settled. */
  run<TResult>(source: string, write: (turn: Promise<void>) => Promise<TResult>): Promise<TResult> {
    const result = write(this.#ends.get(source) ?? Promise.resolve())
    const end: Promise<void> = result.then(
      () => this.#remove(source, end),
      () => this.#remove(source, end),
    )
    this.#ends.set(source, end)
    return result
  }

  #remove(source: string, end: Promise<void>): void {
    if (this.#ends.get(source) === end) this.#ends.delete(source)
  }
}
