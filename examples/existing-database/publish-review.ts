import { createGraph } from 'kithgraph'
import { actionsOf } from 'kithgraph/actions'
import { createTableStore } from 'kithgraph/tables'
import type pg from 'pg'
import { schema, tables } from './postgres/graph.ts'
import {
  assertSameParameters,
  failureOf,
  type NewReview,
  REVIEW_ACTION,
  reviewIdOf,
  type SavedReview,
  toReview,
} from './review.ts'

/** Inserts a review unless there is one with its key, and returns the stored one. */
export type SaveReview = (review: NewReview) => Promise<SavedReview | undefined>

/**
 * Publishes a review through an action, which saves it with another library over the pool that the graph reads. Then
 * calls the action with the same key and another text, which is a failure.
 */
export const publishReview = async (pool: pg.Pool, body: string, save: SaveReview) => {
  const actions = [
    actionsOf(schema)('album', 'reviews.add', {
      ...REVIEW_ACTION,
      run: async context => {
        const review = toReview(context)
        assertSameParameters(review, await save(review))
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
  const call = {
    type: 'album',
    id: 'album-1',
    action: 'reviews.add',
    fields: 'body,state,album{title},customer{first_name}',
    idempotencyKey: crypto.randomUUID(),
  } as const
  const review = await graph.callAction(customer, { ...call, parameters: { body } })
  const otherCall = { ...call, parameters: { body: 'Another text' } }
  const failure = await graph.callAction(customer, otherCall).catch(failureOf)
  await graph.close()
  return { ...review, failure }
}
