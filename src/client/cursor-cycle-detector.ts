import { GraphError } from '../base/errors.ts'

/**
 * Detects a server whose cursors form a cycle. Compares each cursor with a saved one, and replaces the saved
 * one at the pages 1, 2, 4, 8 and so on. This finds a cycle of any length with one saved cursor.
 */
export class CursorCycleDetector {
  #savedCursor: unknown
  #page = 0
  #nextSavedPage = 1

  /** @param start The cursor after which the first page begins, if any. */
  constructor(start: unknown) {
    this.#savedCursor = start
  }

  /**
   * Throws for a repeated cursor.
   *
   * @throws GraphError `internal_error`, with the number of the page that returned the cursor before.
   */
  assertNew(cursor: string): void {
    this.#page++
    if (cursor === this.#savedCursor) {
      const message = `(#1) The cursors of the server form a cycle: page ${this.#page} ends at a cursor of an earlier page`
      throw new GraphError('internal_error', message, {}, { cause: { page: this.#page } })
    }
    if (this.#page !== this.#nextSavedPage) return
    this.#savedCursor = cursor
    this.#nextSavedPage *= 2
  }
}
