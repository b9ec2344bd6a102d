import { GraphError } from '../base/faults.ts'

/** How many characters may still be answered: to one request, or to all of a batch together. */
export class AnswerRoom {
  readonly #limit: number
  #left: number

  constructor(limit: number) {
    this.#limit = limit
    this.#left = limit
  }

  /** @throws GraphError `answer_too_large`. */
  take(characters: number): void {
    this.#left -= characters
    if (this.#left >= 0) return
    throw new GraphError(
      'answer_too_large',
      `(#1) Please reduce the amount of data you ask for: an answer, or those of a batch together, may have ${this.#limit} characters. Ask for fewer ids, smaller limits or fewer fields; the links of each page repeat what is asked of it`,
      { limit: this.#limit },
    )
  }
}
