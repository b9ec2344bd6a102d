import { GraphError, REDUCE_DATA_MESSAGE, timeoutError } from '../../base/errors.ts'

/**
 * The maximum number of values that all paths of a batch may visit. Visiting them takes a few milliseconds.
 */
const MAX_STEPS = 100_000
/** The number of steps after which the budget reads the clock again. */
const STEPS_PER_CLOCK_CHECK = 1024

/**
 * The budget of evaluation steps that all references of a batch share. Once the budget is exceeded, every
 * further call of `take` throws.
 */
export class StepBudget {
  readonly #deadline: number
  #remainingSteps = MAX_STEPS
  #stepsSinceCheck = 0

  /** @param deadline In milliseconds since the epoch. */
  constructor(deadline: number) {
    this.#deadline = deadline
  }

  /**
   * Takes steps from the budget.
   *
   * @throws GraphError `query_too_expensive` if too few steps are left; `timeout` after the deadline.
   */
  take(steps: number): void {
    this.#remainingSteps -= steps
    if (this.#remainingSteps < 0)
      throw new GraphError(
        'query_too_expensive',
        `(#1) ${REDUCE_DATA_MESSAGE}: the references of a batch may visit at most ${MAX_STEPS} values`,
        { limit: MAX_STEPS },
      )
    this.#stepsSinceCheck += steps
    if (this.#stepsSinceCheck < STEPS_PER_CLOCK_CHECK) return
    this.#stepsSinceCheck = 0
    if (Date.now() >= this.#deadline) throw timeoutError()
  }
}
