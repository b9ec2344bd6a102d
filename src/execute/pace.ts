import type { TurnQueue } from '../base/turn-queue.ts'

/** The milliseconds that a call may run before it pauses. */
const MAX_RUN_MS = 10

/** Decides when one call pauses, so that it does not hold the event loop for long. */
export class Pace {
  readonly #turnQueue: TurnQueue
  /** When the call last continued; undefined before its first pause. */
  #resumedAt: number | undefined

  constructor(turnQueue: TurnQueue) {
    this.#turnQueue = turnQueue
  }

  /** Whether the call has run for long enough to pause. */
  get isPauseDue(): boolean {
    return this.#resumedAt === undefined || performance.now() - this.#resumedAt > MAX_RUN_MS
  }

  async pause(): Promise<void> {
    await this.#turnQueue.waitForTurn()
    this.#resumedAt = performance.now()
  }
}
