/**
 * Writes with Kysely and reads with kithgraph, over one pool:
 *
 *     npx tsx examples/existing-database/kysely.ts postgres://user:password@host/database
 *
 * Kysely needs an interface for each table, and kithgraph the description in `postgres/db.ts`. Both are generated from
 * the database, so neither needs the other.
 */
import { type Generated, Kysely, PostgresDialect } from 'kysely'
import { openPostgresShop } from './open-shop.ts'
import { readReview } from './read-with-graph.ts'

type ReviewTable = {
  review_id: string
  album_id: number
  customer_id: number
  state: Generated<'draft' | 'published' | 'hidden'>
  body: string
  created_at: Date
}

const pool = await openPostgresShop(process.argv[2] ?? '')
const kysely = new Kysely<{ review: ReviewTable }>({ dialect: new PostgresDialect({ pool }) }).withSchema(
  'music_shop',
)

const { review_id } = await kysely
  .insertInto('review')
  .values({
    review_id: crypto.randomUUID(),
    album_id: 1,
    customer_id: 14,
    body: 'Written with Kysely',
    created_at: new Date(),
  })
  .returning('review_id')
  .executeTakeFirstOrThrow()
console.log(JSON.stringify(await readReview(pool, review_id, 14)))

await kysely.deleteFrom('review').where('review_id', '=', review_id).execute()
await pool.end()
