/**
 * Serves a graph with Express 5. Body parsers may run before or after the graph. You can also mount the graph
 * on a nested router:
 *
 *     npx tsx examples/servers/express.ts
 */
import express from 'express'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { stopOnSignal } from '../shared/stop-on-signal.ts'
import { announce } from './announce.ts'
import { createServedGraph } from './graph.ts'

const { graph, token } = await createServedGraph()
const handler = createHandler(graph, { basePath: '/graph' })

const app = express()
app.get('/health', (_request, response) => {
  response.send('up')
})
app.use('/graph', toNodeListener(handler))

const server = app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
announce(server, token)
stopOnSignal(server, graph)
