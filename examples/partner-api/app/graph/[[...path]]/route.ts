/** Handles all paths below `/graph`. The graph itself parses nodes, edges and versions. */
import { createHandler } from 'kithgraph/http'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { openGraph } from '../../../graph.ts'

/** The only origin whose scripts may read responses in a browser. */
const PARTNER_ORIGIN = 'https://crm.example'

const handler = createHandler(await openGraph(), {
  basePath: '/graph',
  cors: { origin: [PARTNER_ORIGIN] },
  // Limits the cost of each app's calls to 600 points per minute.
  // If you run several processes, use `RateLimiterRedis` to share the counts.
  rateLimit: { app: new RateLimiterMemory({ points: 600, duration: 60 }) },
})

export const GET = handler
export const HEAD = handler
export const POST = handler
export const OPTIONS = handler
