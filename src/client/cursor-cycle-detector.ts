import { GraphError } from '../base/errors.ts'

/**
 * Detects a server whose cursors form a cycle. Compares each cursor with a saved cursor, and replaces the
 * saved cursor at pages 1, 2, 4, 8 and so on. This finds a cycle of any length with only one saved cursor.
 */
export class CursorCycleDetector {
  #savedCursor: unknown
  #pageNumber = 0
  #nextSavedPageNumber = 1

  /** @param startCursor The cursor after which the first page begins, if any. */
  constructor(startCursor: unknown) {
    this.#savedCursor = startCursor
  }

  /**
   * Throws for a cursor that equals the saved cursor.
   *
   * @throws GraphError `internal_error`, whose cause contains the number of the page that ends at the
   * repeated cursor.
   */
  assertNew(cursor: string): void {
    this.#pageNumber++
    if (cursor === this.#savedCursor) {
      const message = `(#1) The cursors of the server form a cycle: page ${this.#pageNumber} ends at a cursor of an earlier page`
      throw new GraphError('internal_error', message, {}, { cause: { page: this.#pageNumber } })
    }
    if (this.#pageNumber !== this.#nextSavedPageNumber) return
    this.#savedCursor = cursor
    this.#nextSavedPageNumber *= 2
  }
}
