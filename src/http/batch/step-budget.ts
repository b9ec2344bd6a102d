import { GraphError } from '../../base/faults.ts'

/** Values that all paths of a batch may visit together: a few milliseconds. */
const MOST_STEPS = 100_000
/** Steps after which the clock is read again. */
const CHECKED_STEPS = 1024

/** The evaluation steps that all references of a batch share. Once it is exceeded, it stays so. */
export class StepBudget {
  readonly #deadline: number
  #left = MOST_STEPS
  #unchecked = 0

  /** @param deadline in milliseconds since the epoch. */
  constructor(deadline: number) {
    this.#deadline = deadline
  }

  /** @throws GraphError `too_costly` if fewer steps are left, also at each later call; `deadline`. */
  take(steps: number): void {
    this.#left -= steps
    if (this.#left < 0)
      throw new GraphError(
        'too_costly',
        `(#1) Please reduce the amount of data you ask for: the references of a batch visit at most ${MOST_STEPS} values`,
        { limit: MOST_STEPS },
      )
    this.#unchecked += steps
    if (this.#unchecked < CHECKED_STEPS) return
    this.#unchecked = 0
    if (Date.now() >= this.#deadline)
      throw new GraphError('deadline', '(#2) The deadline of the request has passed')
  }
}
