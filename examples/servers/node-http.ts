/**
 * Serves a graph with `node:http`, next to another route of the program:
 *
 *     npx tsx examples/servers/node-http.ts
 */
import { createServer } from 'node:http'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { stopOnSignal } from '../shared/stop-on-signal.ts'
import { announce } from './announce.ts'
import { createServedGraph } from './graph.ts'

const { graph, token } = await createServedGraph()
const listener = toNodeListener(createHandler(graph, { basePath: '/graph' }))

const server = createServer((request, response) => {
  const [path = ''] = (request.url ?? '').split('?')
  if (path === '/graph' || path.startsWith('/graph/')) return listener(request, response)
  if (path === '/health') return response.end('up')
  return response.writeHead(404).end()
})

server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
announce(server, token)
stopOnSignal(server, graph)
