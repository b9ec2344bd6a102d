/**
 * Serves a graph with Next.js, as the route handler of all paths below `/graph`. In an app, this file is
 * `app/graph/[[...path]]/route.ts`. The app can also have pages.
 */
import { createHandler } from 'kithgraph/http'
import { createServedGraph } from '../graph.ts'

const { graph } = await createServedGraph()
const handler = createHandler(graph, { basePath: '/graph' })

export const GET = handler
export const HEAD = handler
export const POST = handler
export const OPTIONS = handler
