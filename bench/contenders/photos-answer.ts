import { cursorHead, encodeCursor } from '../../src/execute/cursor.ts'
import { READ } from '../data/social-data.ts'

/** An entry of a list: its node's id, and the time of the edge. */
export type Listed = { readonly id: string; readonly time: number }
export type Author = { readonly name: string; readonly id: string }
export type FoundComment = Listed & { readonly from: Author | undefined }
export type FoundPhoto = Listed & { readonly comments: readonly FoundComment[] }

type List = 'photos' | 'comments'

/** How far hand-written code reads a list: one entry more than it answers tells whether there are more. */
export const TAKEN = { photos: READ.photos + 1, comments: READ.comments + 1 }

const HEADS = {
  photos: cursorHead('photos', 'reverse_chronological'),
  comments: cursorHead('comments', 'chronological'),
}
const COMMENTS = `comments.limit(${READ.comments})`
const QUERIES = {
  photos: `fields=${encodeURIComponent(`${COMMENTS}{from}`)}&limit=${READ.photos}&after=`,
  comments: `fields=from&limit=${READ.comments}&after=`,
}

const pageOf = <TItem extends Listed>(
  source: string,
  list: List,
  items: readonly TItem[],
  answer: (item: TItem) => object,
): object => {
  const page = items.length > READ[list] ? items.slice(0, READ[list]) : items
  const [first, last] = [page[0], page.at(-1)]
  const data = page.map(answer)
  if (first === undefined || last === undefined) return { data }
  const cursorOf = ({ time, id }: Listed) => encodeCursor(HEADS[list], { time, target: id })
  const cursors = { before: cursorOf(first), after: cursorOf(last) }
  const next = `/${source}/${list}?${QUERIES[list]}${cursors.after}`
  return { data, paging: items.length > page.length ? { cursors, next } : { cursors } }
}

/** The answer to the 71-node read from what hand-written code found, with cursors and links as the graph's are. */
export const photosAnswer = (viewer: string, photos: readonly FoundPhoto[]): object => ({
  photos: pageOf(viewer, 'photos', photos, ({ id, comments }) => ({
    comments: pageOf(id, 'comments', comments, ({ from, id }) => ({ from, id })),
    id,
  })),
  id: viewer,
})
