import { cursorHead, encodeCursor } from '../../src/execute/cursor.ts'

type Listed = { readonly target: string; readonly time: number }

/** A page that hand-written code found. */
export type FoundPage = {
  readonly source: string
  readonly data: readonly object[]
  /** The first and the last of the entries answered. */
  readonly first: Listed | undefined
  readonly last: Listed | undefined
  /** Whether there are more behind the last. */
  readonly more: boolean
  /** What the link to these asks for: encoded, without the cursor. */
  readonly query: string
}

export type Envelope = { readonly data: readonly object[]; readonly paging?: object }

/** Writes pages as the fastest hand-written code does, with the cursors and links of a graph. */
export const createPageWriter = (
  edge: string,
  order: 'chronological' | 'reverse_chronological',
): ((page: FoundPage) => Envelope) => {
  const head = cursorHead(edge, order)
  return ({ source, data, first, last, more, query }) => {
    if (first === undefined || last === undefined) return { data }
    const after = encodeCursor(head, last)
    const cursors = { before: encodeCursor(head, first), after }
    if (!more) return { data, paging: { cursors } }
    return { data, paging: { cursors, next: `/${source}/${edge}?${query}&after=${after}` } }
  }
}
