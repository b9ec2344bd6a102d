import type pg from 'pg'
import { PAGE, READ } from '../data/table-reads.ts'
import type { TableRead } from './table-graph.ts'

const timeOf = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+0000"')`

const listOf = (item: string, order: string, from: string): string =>
  `(select coalesce(json_agg(${item} order by ${order}), '[]') from (${from}) as entry)`

const COMMENTS = `(
  select coalesce(json_agg(json_build_object('body', comment.body, 'created_time', ${timeOf('comment.created_at')},
    'author', json_build_object('name', author.name, 'id', 'account-' || author.id), 'id', 'comment-' || comment.id
  ) order by comment.created_at, comment.id), '[]')
  from (
    select id, body, created_at, author_id from social.comment
    where photo_id = photo.id and deleted_at is null order by created_at, id limit ${READ.comments}
  ) as comment
  cross join lateral (
    select id, name from social.account where id = comment.author_id and deleted_at is null limit 1
  ) as author
)`

/** The query for 71 nodes. */
const PHOTOS = `
select json_build_object('name', account.name, 'photos', (
  select coalesce(json_agg(json_build_object('caption', photo.caption, 'created_time', ${timeOf('photo.created_at')},
    'comments', ${COMMENTS}, 'id', 'photo-' || photo.id) order by photo.created_at desc, photo.id desc), '[]')
  from (
    select id, caption, created_at from social.photo
    where owner_id = account.id and deleted_at is null order by created_at desc, id desc limit ${READ.photos}
  ) as photo
), 'id', 'account-' || account.id) as result
from social.account where id = $1 and deleted_at is null`

/** The photos that are public, or whose owner the viewer is or follows. */
const VISIBLE_PHOTOS = `
select json_build_object('photos', ${listOf(
  `json_build_object('caption', entry.caption, 'visibility', entry.visibility, 'id', 'photo-' || entry.id)`,
  'entry.created_at desc, entry.id desc',
  `select id, caption, visibility, created_at from social.photo
  where owner_id = account.id and deleted_at is null and (visibility = 'public' or owner_id = $2
    or exists (select from social.follow where follower_id = $2 and followee_id = photo.owner_id))
  order by created_at desc, id desc limit ${PAGE}`,
)}, 'id', 'account-' || account.id) as result
from social.account where id = $1 and deleted_at is null`

const TITLES = `
select json_build_object('articles', ${listOf(
  `json_build_object('title', entry.title, 'id', 'article-' || entry.id)`,
  'entry.created_at desc, entry.id desc',
  `select id, title, created_at from social.article
  where author_id = account.id order by created_at desc, id desc limit ${PAGE}`,
)}, 'id', 'account-' || account.id) as result
from social.account where id = $1 and deleted_at is null`

/** Hand-written readers, which return the whole result of a query with one statement, as lists without cursors. */
export const createStatementReaders = (pool: pg.Pool) => {
  const run = async (name: string, text: string, values: readonly number[]): Promise<unknown> => {
    const { rows } = await pool.query<{ result: unknown }>({ name, text, values: [...values] })
    return rows[0]?.result
  }
  return {
    photos: ({ account }: TableRead) => run('photos', PHOTOS, [account]),
    visiblePhotos: ({ account, viewer }: TableRead) => run('visible', VISIBLE_PHOTOS, [account, viewer]),
    titles: ({ account }: TableRead) => run('titles', TITLES, [account]),
  }
}
