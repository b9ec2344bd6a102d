import { createGraph, fieldEquals, type GraphOptions, isViewer, viewerHasEdge } from 'kithgraph'
import type { PostgresPool } from 'kithgraph/postgres'
import { back, createTableStore, defineTables, ref, through } from 'kithgraph/tables'
import { socialDescription } from '../data/table-description.ts'

/** A graph over the tables of the bench. */
export const social = defineTables(
  socialDescription,
  {
    account: {
      over: 'account',
      where: { deleted_at: null },
      fields: { name: { default: true }, email: true, bio: true, created_time: { column: 'created_at' } },
      edges: {
        photos: back('photo', 'owner_id', { by: 'created_at' }),
        articles: back('article', 'author_id', { by: 'created_at' }),
        following: through('follow', 'follower_id', 'account', 'followee_id', { by: 'created_at' }),
        followers: through('follow', 'followee_id', 'account', 'follower_id', { by: 'created_at' }),
      },
    },
    photo: {
      over: 'photo',
      where: { deleted_at: null },
      fields: {
        caption: { default: true },
        width: true,
        visibility: true,
        created_time: { column: 'created_at' },
        owner: ref('account', 'owner_id'),
      },
      edges: {
        comments: back('comment', 'photo_id', { by: 'created_at', order: 'chronological' }),
        likes: through('photo_like', 'photo_id', 'account', 'account_id', { by: 'created_at' }),
      },
    },
    comment: {
      over: 'comment',
      where: { deleted_at: null },
      fields: {
        body: { default: true },
        created_time: { column: 'created_at' },
        author: ref('account', 'author_id'),
        photo: ref('photo', 'photo_id'),
      },
    },
    article: {
      over: 'article',
      fields: {
        title: { default: true },
        body: true,
        meta: true,
        created_time: { column: 'created_at' },
        author: ref('account', 'author_id'),
      },
    },
  },
  { viewers: ['account'] },
)

/** Photos are public or for followers. In this schema, a photo has a policy, and nothing else has one. */
export const photoPolicy = [
  isViewer({ of: 'owner' }),
  fieldEquals('visibility', 'public'),
  viewerHasEdge('following', { of: 'owner' }),
]
export const withPhotoPolicy = social.schema.extend({ photo: { policy: photoPolicy } })

/** Every type has a policy of rules that the library has. The query for 71 nodes of people about themselves sees everything. */
export const withPolicies = social.schema.extend({
  account: { policy: [isViewer(), viewerHasEdge('following')] },
  photo: { policy: photoPolicy },
  comment: { policy: [isViewer({ of: 'author' }), viewerHasEdge('following', { of: 'author' })] },
  article: { policy: [viewerHasEdge('following', { of: 'author' })] },
})

/** A read of an account by a viewer. Both are numbers of accounts. */
export type TableRead = { readonly viewer: number; readonly account: number }

/** Creates the function that reads fields of accounts from the tables of a pool, without tokens. */
export const createTableReader = (
  pool: PostgresPool,
  fields: string,
  schema: NonNullable<GraphOptions['schema']> = social.schema,
): ((read: TableRead) => Promise<unknown>) => {
  const { getNode, session: createSession } = createGraph(createTableStore(pool, { tables: social.tables }), {
    schema,
    secret: 'a secret of the bench',
  })
  return ({ viewer, account }) => {
    const session = createSession({ viewer: `account-${viewer}`, app: 'bench', scopes: [] })
    return getNode(session, { type: 'account', id: `account-${account}`, fields })
  }
}
