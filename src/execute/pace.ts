import type { Turns } from './turns.ts'

/** Milliseconds that a call may go on before it pauses. */
const SLICE = 10
/** Entries and keys that are read before the clock is looked at: those of most calls are fewer. */
const UNTIMED = 1000

/** Decides when one call pauses, so that it does not hold the event loop for long. */
export class Pace {
  readonly #turns: Turns
  /** When the call last continued; undefined before its first pause. */
  #since: number | undefined
  #size = 0

  constructor(turns: Turns) {
    this.#turns = turns
  }

  /** Whether the call has gone on for long enough. */
  get isDue(): boolean {
    return this.#since === undefined || performance.now() - this.#since > SLICE
  }

  /** The same after so many entries and keys were read. */
  isDueAfter(size: number): boolean {
    this.#size += size
    if (this.#size <= UNTIMED) return false
    this.#size = 0
    return this.isDue
  }

  async pause(): Promise<void> {
    await this.#turns.next()
    this.#since = performance.now()
  }
}
