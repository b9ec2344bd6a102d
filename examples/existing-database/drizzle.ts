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
import { createGraph } from 'kithgraph'
import { actionsOf } from 'kithgraph/actions'
import { createTableStore } from 'kithgraph/tables'
import { openPostgresShop } from './open-shop.ts'
import { schema, tables } from './postgres/graph.ts'
import { REVIEW_ACTION, reviewIdOf, toReview } from './review.ts'

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

const actions = [
  actionsOf(schema)('album', 'reviews.add', {
    ...REVIEW_ACTION,
    run: async context => {
      // Another action could write several rows in database.transaction().
      await database.insert(reviews).values(toReview(context)).onConflictDoNothing()
      return { id: reviewIdOf(context.callId) }
    },
  }),
]
const graph = createGraph(createTableStore(pool, { tables }), {
  schema,
  actions,
  secret: 'everyone can read this secret',
})
const customer = graph.session({ viewer: 'customer-14', app: 'shop', scopes: ['review'] })
const review = await graph.callAction(customer, {
  type: 'album',
  id: 'album-1',
  action: 'reviews.add',
  parameters: { body: 'Written with Drizzle' },
  fields: 'body,state,album{title},customer{first_name}',
  idempotencyKey: crypto.randomUUID(),
})
console.log(JSON.stringify(review))

await database.delete(reviews).where(eq(reviews.body, 'Written with Drizzle'))
await graph.close()
await pool.end()
