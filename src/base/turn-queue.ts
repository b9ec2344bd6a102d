const queueMacrotask: (run: () => void) => void =
  typeof setImmediate === 'function' ? run => void setImmediate(run) : run => void setTimeout(run, 0)

/**
 * Lets long calls take turns. Each macrotask continues one call, in the order in which the calls paused.
 * Other work of the process can run in between, no matter how many calls wait.
 */
export class TurnQueue {
  readonly #pausedCalls: (() => void)[] = []

  /** Waits for the caller's turn. */
  waitForTurn(): Promise<void> {
    return new Promise(resolve => {
      this.#pausedCalls.push(resolve)
      if (this.#pausedCalls.length === 1) queueMacrotask(() => this.#continueNextCall())
    })
  }

  #continueNextCall(): void {
    this.#pausedCalls.shift()?.()
    if (this.#pausedCalls.length > 0) queueMacrotask(() => this.#continueNextCall())
  }
}
