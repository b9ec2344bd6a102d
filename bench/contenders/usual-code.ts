import { READ, type SocialData } from '../data/social-data.ts'
import type { DatedReader } from './contender.ts'
import { createMaps } from './maps.ts'

type Listed = { readonly id: string; readonly time: number }

const formatTime = (time: number): string => new Date(time).toISOString().replace(/\.\d{3}Z$/, '+0000')

const createCursor = ({ id, time }: Listed): string =>
  Buffer.from(JSON.stringify({ time, id })).toString('base64url')

type List = {
  readonly source: string
  readonly edge: string
  readonly fields: string
  readonly limit: number
}

const createPaging = <TItem extends Listed>(list: List, items: readonly TItem[], page: readonly TItem[]) => {
  const first = page[0]
  const last = page[page.length - 1]
  if (first === undefined || last === undefined) return undefined
  const { source, edge, fields, limit } = list
  const cursors = { before: createCursor(first), after: createCursor(last) }
  if (items.length <= limit) return { cursors }
  const query = new URLSearchParams({ fields, limit: `${limit}`, after: cursors.after })
  return { cursors, next: `/${source}/${edge}?${query}` }
}

const createEnvelope = <TItem extends Listed>(
  list: List,
  items: readonly TItem[],
  format: (item: TItem) => object,
): object => {
  const page = items.slice(0, list.limit)
  const paging = createPaging(list, items, page)
  return { data: page.map(format), ...(paging && { paging }) }
}

/**
 * Hand-written code over Maps, as most people would write it. It creates dates, cursors and links with
 * functions of the platform.
 */
export const createUsualReader = (data: SocialData): DatedReader => {
  const { people, photosOf, commentsOf } = createMaps(data)
  const personOf = (id: string) => {
    const person = people.get(id)
    return person && { name: person.name, id: person.id }
  }
  const commentsOn = (photo: string, dated: boolean): object => {
    const fields = dated ? 'created_time,from' : 'from'
    const list = { source: photo, edge: 'comments', fields, limit: READ.comments }
    return createEnvelope(list, commentsOf.get(photo) ?? [], ({ id, from, time }) =>
      dated ? { created_time: formatTime(time), from: personOf(from), id } : { from: personOf(from), id },
    )
  }
  const photosBy = (viewer: string, dated: boolean): object => {
    const comments = `comments.limit(${READ.comments})`
    const fields = dated ? `created_time,${comments}{created_time,from}` : `${comments}{from}`
    const list = { source: viewer, edge: 'photos', fields, limit: READ.photos }
    const photos = createEnvelope(list, photosOf.get(viewer) ?? [], ({ id, time }) =>
      dated
        ? { created_time: formatTime(time), comments: commentsOn(id, dated), id }
        : { comments: commentsOn(id, dated), id },
    )
    return { photos, id: viewer }
  }
  return {
    name: 'usual code over Maps',
    getMe: personOf,
    getPhotos: viewer => photosBy(viewer, false),
    getDatedPhotos: viewer => photosBy(viewer, true),
  }
}
