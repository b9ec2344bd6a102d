/**
 * A graph in Next, as the route handler of everything below a path. There, this file is `app/graph/[[...path]]/route.ts`;
 * a page may stand beside it.
 */
import { createHandler } from 'kithgraph/http'
import { createServedGraph } from '../graph.ts'

const { graph } = await createServedGraph()
const handler = createHandler(graph, { basePath: '/graph' })

export const GET = handler
export const HEAD = handler
export const POST = handler
export const OPTIONS = handler
