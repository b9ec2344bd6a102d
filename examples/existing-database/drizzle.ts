/**
 * Writes with Drizzle and reads with kithgraph, over one pool:
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
import { readReview } from './read-with-graph.ts'

const musicShop = pgSchema('music_shop')
const reviewState = musicShop.enum('review_state', ['draft', 'published', 'hidden'])
const review = musicShop.table('review', {
  reviewId: uuid('review_id').primaryKey(),
  albumId: integer('album_id').notNull(),
  customerId: integer('customer_id').notNull(),
  state: reviewState().notNull().default('draft'),
  body: text().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
})

const pool = await openPostgresShop(process.argv[2] ?? '')
const database = drizzle({ client: pool })

const reviewId = crypto.randomUUID()
await database
  .insert(review)
  .values({ reviewId, albumId: 1, customerId: 14, body: 'Written with Drizzle', createdAt: new Date() })
console.log(JSON.stringify(await readReview(pool, reviewId, 14)))

await database.delete(review).where(eq(review.reviewId, reviewId))
await pool.end()
