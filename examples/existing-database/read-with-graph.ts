import { createGraph } from 'kithgraph'
import { createTableStore } from 'kithgraph/tables'
import type pg from 'pg'
import { schema, tables } from './postgres/graph.ts'

/** Reads a review as its customer, over the pool that the other library has too. */
export const readReview = async (pool: pg.Pool, reviewId: string, customerId: number) => {
  const graph = createGraph(createTableStore(pool, { tables }), {
    schema,
    secret: 'everyone can read this secret',
  })
  const session = graph.session({ viewer: `customer-${customerId}`, app: 'shop' })
  const review = await graph.getNode(session, {
    id: `review-${reviewId}`,
    fields: 'body,state,album{title},customer{first_name}',
  })
  await graph.close()
  return review
}
