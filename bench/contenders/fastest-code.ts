import { formatDatetime } from '../../src/base/dates.ts'
import { cursorHead, encodeCursor } from '../../src/execute/cursor.ts'
import { READ, type SocialData } from '../data/social-data.ts'
import type { DatedReader } from './contender.ts'
import { createMaps } from './maps.ts'

type Listed = { readonly id: string; readonly time: number }

const COMMENTS = cursorHead('comments', 'chronological')
const PHOTOS = cursorHead('photos', 'reverse_chronological')

const queryOf = (fields: string, limit: number): string =>
  `fields=${encodeURIComponent(fields)}&limit=${limit}&after=`

const comments = `comments.limit(${READ.comments})`
const PLAIN = { photos: queryOf(`${comments}{from}`, READ.photos), comments: queryOf('from', READ.comments) }
const DATED = {
  photos: queryOf(`created_time,${comments}{created_time,from}`, READ.photos),
  comments: queryOf('created_time,from', READ.comments),
}

const cursorOf = (head: string, { time, id }: Listed): string => encodeCursor(head, { time, target: id })

const pagingOf = (
  head: string,
  link: string,
  items: readonly Listed[],
  count: number,
): object | undefined => {
  const first = items[0]
  const last = items[count - 1]
  if (first === undefined || last === undefined) return undefined
  const after = cursorOf(head, last)
  const cursors = { before: cursorOf(head, first), after }
  return items.length > count ? { cursors, next: link + after } : { cursors }
}

const envelope = (data: object[], paging: object | undefined): object =>
  paging === undefined ? { data } : { data, paging }

/** The fastest hand-written code for these reads and no others: literals, loops, and our cursors and dates. */
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
    return envelope(data, pagingOf(COMMENTS, link, items, data.length))
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
    return { photos: envelope(data, pagingOf(PHOTOS, link, items, data.length)), id: viewer }
  }
  return {
    name: 'fastest code over Maps',
    getMe: personOf,
    getPhotos: viewer => photosBy(viewer, false),
    getDatedPhotos: viewer => photosBy(viewer, true),
  }
}
