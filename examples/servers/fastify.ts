/**
 * Serves a graph with Fastify 5. The graph is in a plugin, so that the settings for body parsing apply only
 * to the graph:
 *
 *     npx tsx examples/servers/fastify.ts
 */
import { fastify } from 'fastify'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { stopOnSignal } from '../shared/stop-on-signal.ts'
import { announce } from './announce.ts'
import { createServedGraph } from './graph.ts'

const { graph, token } = await createServedGraph()
const listener = toNodeListener(createHandler(graph, { basePath: '/graph' }))

const app = fastify()
app.get('/health', async () => 'up')
app.register(
  async scope => {
    // The handler of the graph reads bodies itself, with its own limits.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    for (const path of ['/', '/*']) {
      scope.all(path, (request, reply) => {
        reply.hijack()
        return listener(request.raw, reply.raw)
      })
    }
  },
  { prefix: '/graph' },
)

await app.listen({ port: Number(process.env.PORT ?? 4000), host: '127.0.0.1' })
announce(app.server, token)
stopOnSignal(app.server, graph)
