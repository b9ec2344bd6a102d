import { GraphError } from '../base/errors.ts'
import { countValues } from './json-scan.ts'

/** The maximum number of parameters of a request, in its query and body together. */
export const MAX_PARAMETERS = 1000

export const tooManyParametersError = (): GraphError =>
  new GraphError('request_too_large', `(#1) A request has at most ${MAX_PARAMETERS} parameters`, {
    limit: MAX_PARAMETERS,
  })

const MIN_VALUE_LIMIT = 10_000
/**
 * The number of values per item of a batch, about ten members and the headers. Larger batches may have more
 * values.
 */
const VALUES_PER_ITEM = 200

/**
 * Counts the values of a request: in its forms, its JSON texts and its lists of ids, and in those of its
 * batch's items. They are counted before they are parsed, since 150,000 small values in 1 MiB take 100 ms,
 * and the token is not yet known.
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
      `(#1) A request holds at most ${this.#limit} values in its forms and in its JSON`,
      { limit: this.#limit },
    )
  }

  /**
   * Counts the parameter with an index.
   *
   * @throws GraphError `request_too_large`.
   */
  takeParameter(index: number): void {
    if (index >= MAX_PARAMETERS) throw tooManyParametersError()
    this.take(1)
  }

  /**
   * Throws if `parse` would throw for the number of values, without taking them.
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
