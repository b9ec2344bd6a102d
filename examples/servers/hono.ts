/**
 * Serves a graph and its Explorer with Hono. The same code works on Workers, Deno and Bun, because Hono
 * passes web `Request` objects:
 *
 *     npx tsx examples/servers/hono.ts
 */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createExplorer } from 'kithgraph/explorer'
import { createHandler } from 'kithgraph/http'
import { stopOnSignal } from '../shared/stop-on-signal.ts'
import { announce } from './announce.ts'
import { createServedGraph } from './graph.ts'

const { graph, token } = await createServedGraph()
const handler = createHandler(graph, { basePath: '/graph' })
const explorer = createExplorer(graph, { graphPath: '/graph' })

const app = new Hono()
app.get('/health', context => context.text('up'))
// Do not use `app.mount`: it would remove the mount path from the request, and the links would be wrong.
app.all('/graph/*', context => handler(context.req.raw))
app.all('/explorer/*', context => explorer(context.req.raw))

const server = serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 4000), hostname: '127.0.0.1' })
announce(server, token)
stopOnSignal(server, graph)
