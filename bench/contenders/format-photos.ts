import { encodeCursor } from '../../src/core/cursor.ts'
import { encodeCursorPrefix } from '../../src/core/cursor-letters.ts'
import { createListKey } from '../../src/plan/link-query.ts'
import { READ } from '../data/social-data.ts'

/** An entry of a list: the id of its node, and the time of the edge. */
export type Listed = { readonly id: string; readonly time: number }
export type Author = { readonly name: string; readonly id: string }
export type FoundComment = Listed & { readonly from: Author | undefined }
export type FoundPhoto = Listed & { readonly comments: readonly FoundComment[] }

type List = 'photos' | 'comments'

/**
 * The number of entries that hand-written code reads: one more entry than it returns, to find out whether
 * there are more.
 */
export const READ_LIMITS = { photos: READ.photos + 1, comments: READ.comments + 1 }

const HEADS = {
  photos: encodeCursorPrefix(
    createListKey({ name: 'photos', list: 'photos', order: { cursorName: 'reverse_chronological' } }),
  ),
  comments: encodeCursorPrefix(
    createListKey({ name: 'comments', list: 'comments', order: { cursorName: 'chronological' } }),
  ),
}
const COMMENTS = `comments.limit(${READ.comments})`
const QUERIES = {
  photos: `fields=${encodeURIComponent(`${COMMENTS}{from}`)}&limit=${READ.photos}&after=`,
  comments: `fields=from&limit=${READ.comments}&after=`,
}

const createPage = <TItem extends Listed>(
  source: string,
  list: List,
  items: readonly TItem[],
  format: (item: TItem) => object,
): object => {
  const page = items.length > READ[list] ? items.slice(0, READ[list]) : items
  const [first, last] = [page[0], page.at(-1)]
  const data = page.map(format)
  if (first === undefined || last === undefined) return { data }
  const cursorOf = ({ time, id }: Listed) => encodeCursor(HEADS[list], { time, target: id })
  const cursors = { before: cursorOf(first), after: cursorOf(last) }
  const next = `/${source}/${list}?${QUERIES[list]}${cursors.after}`
  return { data, paging: items.length > page.length ? { cursors, next } : { cursors } }
}

/**
 * Formats the result of the query for 71 nodes from rows that hand-written code has read. Cursors and links
 * are the same as in the graph's result.
 */
export const formatPhotos = (viewer: string, photos: readonly FoundPhoto[]): object => ({
  photos: createPage(viewer, 'photos', photos, ({ id, comments }) => ({
    comments: createPage(id, 'comments', comments, ({ from, id }) => ({ from, id })),
    id,
  })),
  id: viewer,
})
