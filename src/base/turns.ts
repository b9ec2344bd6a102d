const macrotask: (run: () => void) => void =
  typeof setImmediate === 'function' ? run => void setImmediate(run) : run => void setTimeout(run, 0)

/**
 * Lets long calls take turns: each macrotask continues one of them, in the order in which they paused. Whatever else the
 * process has to do runs in between, however many calls are under way.
 */
export class Turns {
  readonly #paused: (() => void)[] = []

  /** Resolves when it is the caller's turn. */
  next(): Promise<void> {
    return new Promise(resolve => {
      this.#paused.push(resolve)
      if (this.#paused.length === 1) macrotask(() => this.#continue())
    })
  }

  #continue(): void {
    this.#paused.shift()?.()
    if (this.#paused.length > 0) macrotask(() => this.#continue())
  }
}
