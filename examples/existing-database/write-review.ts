/**
 * Writes a review through an action, with SQL and a transaction of its own, and reads it with the graph:
 *
 *     npx tsx examples/existing-database/write-review.ts
 */
import { createGraph } from 'kithgraph'
import { actionsOf } from 'kithgraph/actions'
import { createTableStore } from 'kithgraph/tables'
import { schema, tables } from './graph.ts'
import { createSqliteShop } from './open-shop.ts'
import {
  assertSameParameters,
  failureOf,
  type NewReview,
  REVIEW_ACTION,
  reviewIdOf,
  type SavedReview,
  toReview,
} from './review.ts'

const database = createSqliteShop()
const insertReview = database.prepare(`
  insert into review (review_id, album_id, customer_id, state, body, rating, created_at) values (?, ?, ?, ?, ?, ?, ?)
  on conflict (review_id) do nothing`)
const deleteDraft = database.prepare(
  "delete from review where customer_id = ? and album_id = ? and state = 'draft'",
)

const findReview = database.prepare<[string], SavedReview>(
  'select body, rating from review where review_id = ?',
)

/** Publishes a review in place of the customer's draft. A repeated call changes nothing. */
const publish = database.transaction((review: NewReview): void => {
  const { reviewId, albumId, customerId, state, body, rating, createdAt } = review
  const values = [reviewId, albumId, customerId, state, body, rating, createdAt.toISOString()]
  if (insertReview.run(values).changes > 0) deleteDraft.run(customerId, albumId)
  else assertSameParameters(review, findReview.get(reviewId))
})

const action = actionsOf(schema)
const actions = [
  action('album', 'reviews.add', {
    ...REVIEW_ACTION,
    run: context => {
      publish(toReview(context))
      return { id: reviewIdOf(context.callId) }
    },
  }),
]

const graph = createGraph(createTableStore(database, { tables }), {
  schema,
  actions,
  secret: 'everyone can read this secret',
})
const customer = graph.session({ viewer: 'customer-14', app: 'shop', scopes: ['review'] })
const call = {
  type: 'album',
  id: 'album-2',
  action: 'reviews.add',
  parameters: { body: 'The first side is perfect.', rating: 5 },
  fields: 'body,rating,state,customer,album',
  idempotencyKey: crypto.randomUUID(),
} as const
const countReviews = async (): Promise<number | undefined> => {
  const options = { id: 'album-2', type: 'album', edge: 'reviews', summary: true, limit: 1 } as const
  return (await graph.getEdge(customer, options)).summary?.total_count
}

const before = await countReviews()
const review = await graph.callAction(customer, call)
await graph.callAction(customer, call) // a client that received no response sends the call again
const otherCall = { ...call, parameters: { ...call.parameters, rating: 1 } }
const failure = await graph.callAction(customer, otherCall).catch(failureOf)
console.log(
  JSON.stringify({ review, added: Number(await countReviews()) - Number(before), failure }, null, 2),
)

await graph.close()
database.close()
