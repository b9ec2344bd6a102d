import type Database from 'better-sqlite3'
import {
  type Author,
  type FoundComment,
  type FoundPhoto,
  formatPhotos,
  type Listed,
  READ_LIMITS,
} from './format-photos.ts'
import type { KeyReader } from './key-reader.ts'
import { parseViewer } from './token-keys.ts'

type TextRow = { readonly value: string | null }

const NAME = (name: string): string => `(select id from names where text = '"${name}"')`

const prepareViewer = (database: Database.Database): ((key: string) => string) => {
  const token = database.prepare<[string], TextRow>('select record as value from tokens where digest = ?')
  return key => parseViewer(token.get(JSON.stringify(key))?.value ?? undefined)
}

/** Reads with one statement for each record and each list, as a first version of a service would. */
export const createPointReader = (database: Database.Database): KeyReader => {
  const viewerBy = prepareViewer(database)
  const prepareList = (edge: 'photos' | 'comments', order: 'asc' | 'desc') =>
    database.prepare<[string], Listed>(
      `select cast(target as text) id, time from edges where source = ? and name = ${NAME(edge)}
       order by time ${order}, target ${order} limit ${READ_LIMITS[edge]}`,
    )
  const photosOf = prepareList('photos', 'desc')
  const commentsOf = prepareList('comments', 'asc')
  const fields = database.prepare<[string], TextRow>('select fields as value from nodes where id = ?')
  const fieldsOf = (id: string): { name: string; from: string } => JSON.parse(fields.get(id)?.value ?? '{}')
  const authorOf = (id: string): Author => ({ name: fieldsOf(id).name, id })
  const commentOf = ({ id, time }: Listed): FoundComment => ({ id, time, from: authorOf(fieldsOf(id).from) })
  const photoOf = ({ id, time }: Listed): FoundPhoto => {
    fieldsOf(id)
    return { id, time, comments: commentsOf.all(id).map(commentOf) }
  }
  return key => {
    const viewer = viewerBy(key)
    authorOf(viewer)
    return formatPhotos(viewer, photosOf.all(viewer).map(photoOf))
  }
}

const parseItems = (row: TextRow | undefined) => JSON.parse(`[${row?.value ?? ''}]`)

/** Reads the whole result as JSON with one statement, and the token with another statement. */
export const createStatementReader = (database: Database.Database): KeyReader => {
  const viewerBy = prepareViewer(database)
  const comments = `
    select '{"id":"' || e.target || '","time":' || e.time || ',"from":{"name":' || (p.fields -> 'name')
      || ',"id":"' || p.id || '"}}' as item
    from edges e cross join nodes c on c.id = e.target cross join nodes p on p.id = (c.fields ->> 'from')
    where e.source = photo.target and e.name = ${NAME('comments')}
    order by e.time, e.target limit ${READ_LIMITS.comments}`
  const read = database.prepare<[string], TextRow>(`
    select group_concat('{"id":"' || target || '","time":' || time || ',"comments":['
      || coalesce((select group_concat(item) from (${comments})), '') || ']}') as value
    from (
      select target, time from edges where source = ? and name = ${NAME('photos')}
      order by time desc, target desc limit ${READ_LIMITS.photos}
    ) photo`)
  return key => {
    const viewer = viewerBy(key)
    return formatPhotos(viewer, parseItems(read.get(viewer)))
  }
}
