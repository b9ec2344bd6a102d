import { encodeCursor } from '../../src/core/cursor.ts'
import { encodeCursorPrefix } from '../../src/core/cursor-letters.ts'
import { createListKey } from '../../src/plan/link-query.ts'

type Listed = { readonly target: string; readonly time: number }

/** A page that hand-written code has read. */
export type FoundPage = {
  readonly source: string
  readonly data: readonly object[]
  /** The first and the last entry of the page. */
  readonly first: Listed | undefined
  readonly last: Listed | undefined
  /** Whether there are entries after the last one. */
  readonly hasMore: boolean
  /** The query string of the page's links: encoded, and without the cursor. */
  readonly query: string
}

export type Envelope = { readonly data: readonly object[]; readonly paging?: object }

/**
 * Creates the page writer of the fastest hand-written code. The cursors and links are the same as those of a
 * graph.
 */
export const createPageWriter = (
  edge: string,
  order: 'chronological' | 'reverse_chronological',
): ((page: FoundPage) => Envelope) => {
  const head = encodeCursorPrefix(createListKey({ name: edge, list: edge, order: { cursorName: order } }))
  return ({ source, data, first, last, hasMore, query }) => {
    if (first === undefined || last === undefined) return { data }
    const after = encodeCursor(head, last)
    const cursors = { before: encodeCursor(head, first), after }
    if (!hasMore) return { data, paging: { cursors } }
    return { data, paging: { cursors, next: `/${source}/${edge}?${query}&after=${after}` } }
  }
}
