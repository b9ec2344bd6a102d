import type { Turns } from '../base/turns.ts'

/** Milliseconds that a call may go on before it pauses. */
const SLICE = 10

/** Decides when one call pauses, so that it does not hold the event loop for long. */
export class Pace {
  readonly #turns: Turns
  /** When the call last continued; undefined before its first pause. */
  #since: number | undefined

  constructor(turns: Turns) {
    this.#turns = turns
  }

  /** Whether the call has gone on for long enough. */
  get isDue(): boolean {
    return this.#since === undefined || performance.now() - this.#since > SLICE
  }

  async pause(): Promise<void> {
    await this.#turns.next()
    this.#since = performance.now()
  }
}
