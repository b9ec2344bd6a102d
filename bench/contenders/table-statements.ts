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
    where photo_id = photo.id and deleted_at is null order by created_at, id limit ${READ.comments + 1}
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
    where owner_id = account.id and deleted_at is null order by created_at desc, id desc limit ${READ.photos + 1}
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
  order by created_at desc, id desc limit ${PAGE + 1}`,
)}, 'id', 'account-' || account.id) as result
from social.account where id = $1 and deleted_at is null`

/** The titles of an account's articles. */
export const TITLES = `
select json_build_object('articles', ${listOf(
  `json_build_object('title', entry.title, 'id', 'article-' || entry.id)`,
  'entry.created_at desc, entry.id desc',
  `select id, title, created_at from social.article
  where author_id = account.id order by created_at desc, id desc limit ${PAGE + 1}`,
)}, 'id', 'account-' || account.id) as result
from social.account where id = $1 and deleted_at is null`

/** A page without cursors: hand-written code reads one more entry than it returns, to find out whether there are more. */
type Page<TItem> = { readonly data: readonly TItem[]; readonly hasMore: boolean }

const toPage = <TItem>(items: readonly TItem[], limit: number): Page<TItem> => ({
  data: items.length > limit ? items.slice(0, limit) : items,
  hasMore: items.length > limit,
})

type Photo = { readonly comments: readonly object[] }
type Account = { readonly name: string; readonly id: string; readonly photos: readonly Photo[] }
type PhotoList = { readonly photos: readonly object[] }
type ArticleList = { readonly articles: readonly object[] }

/** Creates the hand-written readers, which read the whole result of a query with one statement. */
export const createStatementReaders = (pool: pg.Pool) => {
  const run = async <TResult>(name: string, text: string, values: readonly number[]): Promise<TResult> => {
    const { rows } = await pool.query<{ result: TResult }>({ name, text, values: [...values] })
    if (rows[0] === undefined) throw new Error(`expected an account; received none for ${values}`)
    return rows[0].result
  }
  return {
    photos: async ({ account }: TableRead) => {
      const { name, photos, id } = await run<Account>('photos', PHOTOS, [account])
      const items = photos.map(photo => ({ ...photo, comments: toPage(photo.comments, READ.comments) }))
      return { name, photos: toPage(items, READ.photos), id }
    },
    visiblePhotos: async ({ account, viewer }: TableRead) => {
      const { photos, ...rest } = await run<PhotoList>('visible', VISIBLE_PHOTOS, [account, viewer])
      return { photos: toPage(photos, PAGE), ...rest }
    },
    titles: async ({ account }: TableRead) => {
      const { articles, ...rest } = await run<ArticleList>('titles', TITLES, [account])
      return { articles: toPage(articles, PAGE), ...rest }
    },
  }
}
