import { describeUnknownName } from '../../base/suggest.ts'
import { assertNoErrors, formatIssue } from '../../base/usage-error.ts'

/** Collects the errors of a declaration, so that all of them are reported at once. */
export class Issues {
  readonly #texts: string[] = []

  /** Adds an error: `photo.title: "column" must be a column of photo; received "captoin"`. */
  add(location: string, subject: string, expected: string, received: string): void {
    this.#texts.push(formatIssue(location, subject, expected, received))
  }

  /** Adds an error about a name that is not one of the known names, with similar names. */
  addUnknown(
    location: string,
    subject: string,
    expected: string,
    name: unknown,
    known: Iterable<string>,
  ): void {
    this.add(location, subject, expected, describeUnknownName(name, known))
  }

  /** Adds texts of errors that another check has found. */
  addTexts(texts: readonly string[]): void {
    this.#texts.push(...texts)
  }

  /** Calls a function and returns its result. Adds the message of a usage error, and then returns undefined. */
  attempt<TResult>(run: () => TResult, location?: string): TResult | undefined {
    try {
      return run()
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      this.#texts.push(location === undefined ? error.message : `${location}: ${error.message}`)
      return undefined
    }
  }

  /** Calls a function that asserts something. Adds the message of its usage error, and then returns false. */
  assert(run: () => void): boolean {
    return this.attempt(() => run() === undefined) ?? false
  }

  /** @throws TypeError with all errors, if there are any. */
  throwIfAny(caller: string, subject: string): void {
    assertNoErrors(caller, subject, [...new Set(this.#texts)])
  }
}
