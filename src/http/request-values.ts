import { GraphError } from '../base/faults.ts'
import { valuesIn } from './json-scan.ts'

/** The most parameters of a request, in its query and its body together. */
export const MOST_PARAMETERS = 1000

export const tooManyParameters = (): GraphError =>
  new GraphError('request_too_large', `(#1) A request has at most ${MOST_PARAMETERS} parameters`, {
    limit: MOST_PARAMETERS,
  })

const MOST_VALUES = 10_000
/** A handler that accepts larger batches accepts more values: an item has about ten members, and its headers. */
const VALUES_OF_ITEM = 200

/**
 * Counts the values that a request holds: in its forms, its JSON texts and its lists of ids, and in those of its batch's
 * items. They are counted before they are parsed: 150,000 small values in 1 MiB take 100 ms, and no token is known yet.
 */
export class RequestValues {
  readonly #limit: number
  #left: number

  constructor({ batch }: { readonly batch: number }) {
    this.#limit = Math.max(MOST_VALUES, VALUES_OF_ITEM * batch)
    this.#left = this.#limit
  }

  /** @throws GraphError `request_too_large`. */
  take(count: number): void {
    this.#left -= count
    if (this.#left >= 0) return
    throw new GraphError(
      'request_too_large',
      `(#1) A request holds at most ${this.#limit} values in its forms and in its JSON`,
      { limit: this.#limit },
    )
  }

  /** Counts a parameter behind others of its request. @throws GraphError `request_too_large`. */
  takeParameter(before: number): void {
    if (before >= MOST_PARAMETERS) throw tooManyParameters()
    this.take(1)
  }

  /** Throws what `parse` would for the number of its values, without taking them. @throws GraphError `request_too_large`. */
  check(text: string): void {
    if (valuesIn(text, this.#left) > this.#left) this.take(Number.POSITIVE_INFINITY)
  }

  /** Returns the value of a JSON text, or `undefined` if the text is not JSON. @throws GraphError `request_too_large`. */
  parse(text: string): unknown {
    this.take(valuesIn(text, this.#left))
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }
}
