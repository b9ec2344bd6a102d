import { formatDatetime } from '../../src/base/dates.ts'
import { encodeCursor } from '../../src/core/cursor.ts'
import { encodeCursorPrefix } from '../../src/core/cursor-letters.ts'
import { createListKey } from '../../src/plan/link-query.ts'
import { READ, type SocialData } from '../data/social-data.ts'
import type { DatedReader } from './contender.ts'
import { createMaps } from './maps.ts'

type Listed = { readonly id: string; readonly time: number }

const COMMENTS = encodeCursorPrefix(
  createListKey({ name: 'comments', list: 'comments', order: { cursorName: 'chronological' } }),
)
const PHOTOS = encodeCursorPrefix(
  createListKey({ name: 'photos', list: 'photos', order: { cursorName: 'reverse_chronological' } }),
)

const createQuery = (fields: string, limit: number): string =>
  `fields=${encodeURIComponent(fields)}&limit=${limit}&after=`

const comments = `comments.limit(${READ.comments})`
const PLAIN = {
  photos: createQuery(`${comments}{from}`, READ.photos),
  comments: createQuery('from', READ.comments),
}
const DATED = {
  photos: createQuery(`created_time,${comments}{created_time,from}`, READ.photos),
  comments: createQuery('created_time,from', READ.comments),
}

const createCursor = (head: string, { time, id }: Listed): string => encodeCursor(head, { time, target: id })

const createPaging = (
  head: string,
  link: string,
  items: readonly Listed[],
  count: number,
): object | undefined => {
  const first = items[0]
  const last = items[count - 1]
  if (first === undefined || last === undefined) return undefined
  const after = createCursor(head, last)
  const cursors = { before: createCursor(head, first), after }
  return items.length > count ? { cursors, next: link + after } : { cursors }
}

const envelope = (data: object[], paging: object | undefined): object =>
  paging === undefined ? { data } : { data, paging }

/**
 * Creates the fastest hand-written code for exactly these reads. It uses our functions for cursors and dates.
 */
export const createFastestReader = (social: SocialData): DatedReader => {
  const { people, photosOf, commentsOf } = createMaps(social)
  const personOf = (id: string) => {
    const person = people.get(id)
    return person === undefined ? undefined : { name: person.name, id }
  }
  const commentsOn = (photo: string, dated: boolean): object => {
    const items = commentsOf.get(photo) ?? []
    const data: object[] = []
    for (const { id, from, time } of items) {
      if (data.length === READ.comments) break
      if (dated) data.push({ created_time: formatDatetime(time), from: personOf(from), id })
      else data.push({ from: personOf(from), id })
    }
    const link = `/${photo}/comments?${dated ? DATED.comments : PLAIN.comments}`
    return envelope(data, createPaging(COMMENTS, link, items, data.length))
  }
  const photosBy = (viewer: string, dated: boolean): object => {
    const items = photosOf.get(viewer) ?? []
    const data: object[] = []
    for (const { id, time } of items) {
      if (data.length === READ.photos) break
      if (dated) data.push({ created_time: formatDatetime(time), comments: commentsOn(id, dated), id })
      else data.push({ comments: commentsOn(id, dated), id })
    }
    const link = `/${viewer}/photos?${dated ? DATED.photos : PLAIN.photos}`
    return { photos: envelope(data, createPaging(PHOTOS, link, items, data.length)), id: viewer }
  }
  return {
    name: 'fastest code over Maps',
    getMe: personOf,
    getPhotos: viewer => photosBy(viewer, false),
    getDatedPhotos: viewer => photosBy(viewer, true),
  }
}
