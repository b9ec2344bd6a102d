/**
 * Writes through an action with Drizzle and reads with kithgraph, over one pool:
 *
 *     npx tsx examples/existing-database/drizzle.ts postgres://user:password@host/database
 *
 * Drizzle needs an object for each table, and kithgraph the description in `postgres/db.ts`. After `drizzle-kit migrate`,
 * `npx kithgraph introspect` describes the tables again.
 */
import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { openPostgresShop } from './open-shop.ts'
import { publishReview, type SaveReview } from './publish-review.ts'

const musicShop = pgSchema('music_shop')
const reviewState = musicShop.enum('review_state', ['draft', 'published', 'hidden'])
const reviews = musicShop.table('review', {
  reviewId: uuid('review_id').primaryKey(),
  albumId: integer('album_id').notNull(),
  customerId: integer('customer_id').notNull(),
  state: reviewState().notNull().default('draft'),
  rating: integer(),
  body: text().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
})

const pool = await openPostgresShop(process.argv[2] ?? '')
const database = drizzle({ client: pool })

// Another action could write several rows in database.transaction().
const save: SaveReview = async review => {
  await database.insert(reviews).values(review).onConflictDoNothing()
  const [saved] = await database.select().from(reviews).where(eq(reviews.reviewId, review.reviewId))
  return saved
}
console.log(JSON.stringify(await publishReview(pool, 'Written with Drizzle', save)))

await database.delete(reviews).where(eq(reviews.body, 'Written with Drizzle'))
await pool.end()
