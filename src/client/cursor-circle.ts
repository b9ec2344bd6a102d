import { GraphError } from '../base/faults.ts'

/**
 * Finds a server whose cursors lead in a circle: each cursor is compared with one that is kept, and the kept one is
 * replaced at the pages 1, 2, 4, 8 and so on. So a circle of any length is found, while one cursor is kept.
 */
export class CursorCircle {
  #kept: unknown
  #page = 0
  #nextKept = 1

  /** @param start The cursor behind which the first page begins, if any. */
  constructor(start: unknown) {
    this.#kept = start
  }

  /** @throws GraphError `internal` for a cursor that was given before, with the number of the page that gave it. */
  assertNew(cursor: string): void {
    this.#page++
    if (cursor === this.#kept) {
      const message = `(#1) The cursors of the server lead in a circle: page ${this.#page} ends at a cursor of an earlier page`
      throw new GraphError('internal', message, {}, { cause: { page: this.#page } })
    }
    if (this.#page !== this.#nextKept) return
    this.#kept = cursor
    this.#nextKept *= 2
  }
}
