import type pg from 'pg'
import {
  type FoundComment,
  type FoundPhoto,
  formatPhotos,
  type Listed,
  READ_LIMITS,
} from './format-photos.ts'
import type { KeyReader } from './key-reader.ts'
import { parseViewer } from './token-keys.ts'

type Query = <TRow extends pg.QueryResultRow>(
  name: string,
  text: string,
  values: readonly unknown[],
) => Promise<readonly TRow[]>

/** Runs named prepared statements, which are prepared once per connection. */
const createQuery =
  (pool: pg.Pool): Query =>
  async (name, text, values) =>
    (await pool.query({ name, text, values: [...values] })).rows

type NodeRow = { id: string; fields: { name: string; from: string } }
type EntryRow = { source: string; target: string; time: string } & NodeRow

const viewerBy = async (query: Query, key: string): Promise<string> => {
  const [row] = await query<{ record: string }>(
    'token',
    'select record::text from kithgraph.tokens where digest = $1',
    [key],
  )
  return parseViewer(row?.record)
}

const toListed = ({ target, time }: { target: string; time: string }): Listed => ({
  id: target,
  time: Number(time),
})

/** Reads with one statement for each record and each list, one after another. */
export const createPointReader = (pool: pg.Pool): KeyReader => {
  const query = createQuery(pool)
  const fieldsOf = async (id: string) => {
    const [row] = await query<NodeRow>('node', 'select id, fields from kithgraph.nodes where id = $1', [id])
    return row?.fields ?? { name: '', from: '' }
  }
  const listOf = async (source: string, edge: 'photos' | 'comments', order: 'asc' | 'desc') =>
    (
      await query<EntryRow>(
        edge,
        `select target, time from kithgraph.edges where source = $1 and name = '${edge}'
         order by time ${order}, target ${order} limit ${READ_LIMITS[edge]}`,
        [source],
      )
    ).map(toListed)
  return async key => {
    const viewer = await viewerBy(query, key)
    await fieldsOf(viewer)
    const photos: FoundPhoto[] = []
    for (const photo of await listOf(viewer, 'photos', 'desc')) {
      await fieldsOf(photo.id)
      const comments: FoundComment[] = []
      for (const comment of await listOf(photo.id, 'comments', 'asc')) {
        const { from } = await fieldsOf(comment.id)
        const { name } = await fieldsOf(from)
        comments.push({ ...comment, from: { name, id: from } })
      }
      photos.push({ ...photo, comments })
    }
    return formatPhotos(viewer, photos)
  }
}

const NODES = 'select id, fields from kithgraph.nodes where id = any($1::bigint[])'

const entriesOf = (edge: 'photos' | 'comments', order: 'asc' | 'desc'): string => `
  select requested.source, entry.* from unnest($1::bigint[]) as requested (source) cross join lateral (
    select edge.target, edge.time, node.fields
    from kithgraph.edges as edge join kithgraph.nodes as node on node.id = edge.target
    where edge.source = requested.source and edge.name = '${edge}'
    order by edge.time ${order}, edge.target ${order} limit ${READ_LIMITS[edge]}
  ) as entry`

/** Reads with one statement per level, and one statement for the token. */
export const createLevelReader = (pool: pg.Pool): KeyReader => {
  const query = createQuery(pool)
  return async key => {
    const viewer = await viewerBy(query, key)
    await query<NodeRow>('nodes', NODES, [[viewer]])
    const photos = await query<EntryRow>('photo entries', entriesOf('photos', 'desc'), [[viewer]])
    const ids = photos.map(({ target }) => target)
    const comments = await query<EntryRow>('comment entries', entriesOf('comments', 'asc'), [ids])
    const authors = [...new Set(comments.map(({ fields }) => fields.from))]
    const people = new Map(
      (await query<NodeRow>('nodes', NODES, [authors])).map(({ id, fields: { name } }) => [id, { name, id }]),
    )
    const found = new Map(ids.map(id => [id, [] as FoundComment[]]))
    for (const row of comments)
      found.get(row.source)?.push({ ...toListed(row), from: people.get(row.fields.from) })
    return formatPhotos(
      viewer,
      photos.map(row => ({ ...toListed(row), comments: found.get(row.target) ?? [] })),
    )
  }
}

const WHOLE = `
  select json_agg(json_build_object('id', photo.target::text, 'time', photo.time, 'comments', (
    select coalesce(json_agg(json_build_object('id', comment.target::text, 'time', comment.time, 'from',
      json_build_object('name', person.fields ->> 'name', 'id', person.id::text)
    ) order by comment.time, comment.target), '[]')
    from (
      select target, time from kithgraph.edges where source = photo.target and name = 'comments'
      order by time, target limit ${READ_LIMITS.comments}
    ) as comment
    cross join lateral (select fields ->> 'from' as author from kithgraph.nodes where id = comment.target) as said
    cross join lateral (select id, fields from kithgraph.nodes where id = said.author::bigint) as person
  )) order by photo.time desc, photo.target desc) as photos
  from (
    select target, time from kithgraph.edges where source = $1 and name = 'photos'
    order by time desc, target desc limit ${READ_LIMITS.photos}
  ) as photo`

/** Reads the whole result as JSON with one statement, and the token with another statement. */
export const createStatementReader = (pool: pg.Pool): KeyReader => {
  const query = createQuery(pool)
  return async key => {
    const viewer = await viewerBy(query, key)
    const [row] = await query<{ photos: FoundPhoto[] | null }>('whole', WHOLE, [viewer])
    return formatPhotos(viewer, row?.photos ?? [])
  }
}
