/** Everything below `/graph`, whatever its path: the graph tells nodes, edges and versions apart itself. */
import { createHandler } from 'kithgraph/http'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { openGraph } from '../../../graph.ts'

/** The only place whose scripts may read answers in a browser. */
const PARTNER_ORIGIN = 'https://crm.example'

const handler = createHandler(await openGraph(), {
  basePath: '/graph',
  cors: { origin: [PARTNER_ORIGIN] },
  // The cost of calls, for each app: 600 points a minute. Several processes count together by RateLimiterRedis.
  rateLimit: { app: new RateLimiterMemory({ points: 600, duration: 60 }) },
})

export const GET = handler
export const HEAD = handler
export const POST = handler
export const OPTIONS = handler
