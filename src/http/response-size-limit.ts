import { GraphError, REDUCE_DATA_MESSAGE } from '../base/errors.ts'

/** The maximum length, in characters, of a response that is counted only once, at its end. */
const MAX_SHORT_RESPONSE_LENGTH = 65_536

/** The number of characters that are left for a response, or for all responses of a batch together. */
export class ResponseSizeLimit {
  readonly #limit: number
  #remainingCharacters: number
  #wasExceeded = false

  constructor(limit: number) {
    this.#limit = limit
    this.#remainingCharacters = limit
  }

  /**
   * Takes characters for a response that has already taken `alreadyTaken` characters. If too few are left,
   * gives `alreadyTaken` back to the limit and throws. After that, every other long response fails when it
   * first takes characters, so that a batch does not write many responses up to the limit.
   *
   * @throws GraphError `response_too_large`.
   */
  take(characters: number, alreadyTaken: number): void {
    const startsAfterExcess =
      this.#wasExceeded && alreadyTaken === 0 && characters > MAX_SHORT_RESPONSE_LENGTH
    if (!startsAfterExcess && characters <= this.#remainingCharacters) {
      this.#remainingCharacters -= characters
      return
    }
    this.#wasExceeded = true
    this.#remainingCharacters += alreadyTaken
    throw new GraphError(
      'response_too_large',
      `(#1) ${REDUCE_DATA_MESSAGE}: a response, or all responses of a batch together, may have at most ${this.#limit} characters. Request fewer ids, smaller limits or fewer fields; the links of each page repeat the request`,
      { limit: this.#limit },
    )
  }
}
