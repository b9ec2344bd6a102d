import { GraphError } from '../base/errors.ts'
import { countValues } from '../base/json-scan.ts'

/** The maximum number of parameters of a request, in its query and body together. */
export const MAX_PARAMETERS = 1000

export const tooManyParametersError = (): GraphError =>
  new GraphError('request_too_large', `(#1) A request must have at most ${MAX_PARAMETERS} parameters`, {
    limit: MAX_PARAMETERS,
  })

const MIN_VALUE_LIMIT = 10_000
/**
 * The number of values that each item of a batch may have on average: enough for about ten members and the
 * headers. With more than 50 items, the limit is above the minimum.
 */
const VALUES_PER_ITEM = 200

/**
 * Counts the values of a request and of the items of its batch: in forms, JSON texts and lists of ids. Values
 * are counted before they are parsed, because parsing 150,000 small values in 1 MiB takes 100 ms, and the
 * token has not been checked yet.
 */
export class ValueBudget {
  readonly #limit: number
  #remainingValues: number

  constructor({ batch: maxBatchItems }: { readonly batch: number }) {
    this.#limit = Math.max(MIN_VALUE_LIMIT, VALUES_PER_ITEM * maxBatchItems)
    this.#remainingValues = this.#limit
  }

  /**
   * Takes values from the budget.
   *
   * @throws GraphError `request_too_large`.
   */
  take(count: number): void {
    this.#remainingValues -= count
    if (this.#remainingValues >= 0) return
    throw new GraphError(
      'request_too_large',
      `(#1) A request must have at most ${this.#limit} values in its forms, lists and JSON`,
      { limit: this.#limit },
    )
  }

  /**
   * Takes a parameter from the budget. `index` is the position of the parameter in its form.
   *
   * @throws GraphError `request_too_large` if no values are left, or if the form has more parameters than a
   * request may have.
   */
  takeParameter(index: number): void {
    if (index >= MAX_PARAMETERS) throw tooManyParametersError()
    this.take(1)
  }

  /**
   * Throws if a JSON text has more values than the budget has left. Takes nothing from the budget.
   *
   * @throws GraphError `request_too_large`.
   */
  assertFits(text: string): void {
    if (countValues(text, this.#remainingValues) > this.#remainingValues) this.take(Number.POSITIVE_INFINITY)
  }

  /**
   * Returns the value of a JSON text, or `undefined` if the text is not JSON.
   *
   * @throws GraphError `request_too_large`.
   */
  parse(text: string): unknown {
    this.take(countValues(text, this.#remainingValues))
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }
}
