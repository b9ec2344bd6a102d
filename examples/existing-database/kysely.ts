/**
 * Writes through an action with Kysely and reads with kithgraph, over one pool:
 *
 *     npx tsx examples/existing-database/kysely.ts postgres://user:password@host/database
 *
 * Kysely needs an interface for each table, and kithgraph the description in `postgres/db.ts`. Both are generated from
 * the database, so neither needs the other.
 */
import { Kysely, PostgresDialect } from 'kysely'
import { openPostgresShop } from './open-shop.ts'
import { publishReview, type SaveReview } from './publish-review.ts'

type ReviewTable = {
  review_id: string
  album_id: number
  customer_id: number
  state: 'draft' | 'published' | 'hidden'
  body: string
  rating: number | null
  created_at: Date
}

const pool = await openPostgresShop(process.argv[2] ?? '')
const kysely = new Kysely<{ review: ReviewTable }>({ dialect: new PostgresDialect({ pool }) }).withSchema(
  'music_shop',
)

const save: SaveReview = async ({ reviewId, albumId, customerId, state, body, rating, createdAt }) => {
  await kysely
    .insertInto('review')
    .values({
      review_id: reviewId,
      album_id: albumId,
      customer_id: customerId,
      state,
      body,
      rating,
      created_at: createdAt,
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return kysely.selectFrom('review').selectAll().where('review_id', '=', reviewId).executeTakeFirst()
}
console.log(JSON.stringify(await publishReview(pool, 'Written with Kysely', save)))

await kysely.deleteFrom('review').where('body', '=', 'Written with Kysely').execute()
await pool.end()
