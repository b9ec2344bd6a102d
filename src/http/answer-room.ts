import { GraphError } from '../base/faults.ts'

/** Characters of an answer that is told of only at its end. */
const SHORT = 65_536

/** How many characters may still be answered: to one request, or to all of a batch together. */
export class AnswerRoom {
  readonly #limit: number
  #left: number
  #wasFull = false

  constructor(limit: number) {
    this.#limit = limit
    this.#left = limit
  }

  /**
   * Takes characters for an answer that has taken some before: they go back where the rest has no room. Whoever begins a long
   * answer after that is refused at once, so that not each of a batch is written up to the limit.
   *
   * @throws GraphError `answer_too_large`.
   */
  take(characters: number, before: number): void {
    const isLate = this.#wasFull && before === 0 && characters > SHORT
    if (!isLate && characters <= this.#left) {
      this.#left -= characters
      return
    }
    this.#wasFull = true
    this.#left += before
    throw new GraphError(
      'answer_too_large',
      `(#1) Please reduce the amount of data you ask for: an answer, or those of a batch together, may have ${this.#limit} characters. Ask for fewer ids, smaller limits or fewer fields; the links of each page repeat what is asked of it`,
      { limit: this.#limit },
    )
  }
}
