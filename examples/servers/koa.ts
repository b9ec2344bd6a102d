/**
 * Serves a graph with Koa, as a middleware before all middleware that reads bodies:
 *
 *     npx tsx examples/servers/koa.ts
 */

import { createHandler, toNodeListener } from 'kithgraph/http'
import Koa from 'koa'
import { stopOnSignal } from '../shared/stop-on-signal.ts'
import { announce } from './announce.ts'
import { createServedGraph } from './graph.ts'

const { graph, token } = await createServedGraph()
const listener = toNodeListener(createHandler(graph, { basePath: '/graph' }))

const app = new Koa()
app.use(async (context, next) => {
  if (!/^\/graph(?:\/|$)/.test(context.path)) return next()
  // The listener sends the response itself, so Koa must not respond.
  context.respond = false
  await listener(context.req, context.res)
})
app.use(async (context, next) => {
  if (context.path !== '/health') return next()
  context.body = 'up'
})

const server = app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
announce(server, token)
stopOnSignal(server, graph)
