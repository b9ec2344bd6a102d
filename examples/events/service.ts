import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Store } from 'kithgraph'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { openEvents } from './graph.ts'
import { createPageResponder } from './page-responder.ts'

/** Starts the service on a store: the graph with its actions is at `/graph`, and the page at `/`. Port 0 selects any free port. */
export const startService = async (store: Store, port: number) => {
  const graph = await openEvents(store)
  const respondFromGraph = createHandler(graph, { basePath: '/graph' })
  const respondWithPage = createPageResponder()
  const respond = async (request: Request): Promise<Response> =>
    (await respondWithPage(new URL(request.url).pathname)) ?? respondFromGraph(request)
  const server = createServer(toNodeListener(respond)).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return { graph, server, url: `http://127.0.0.1:${address.port}` }
}
