import { createServer } from 'node:http'
import { createHandler, type HandlerOptions, toNodeListener } from 'kithgraph/http'
import { type RunningServer, startServer } from './start-server.ts'
import { ADA, createWorld, SCOPES } from './world.ts'

/** The secret of the app that the tokens of {@link serveWorld} belong to. */
export const APP_SECRET = 'the secret of demo'

/** Creates a handler of the test world, with a token of Ada that has all scopes and one that has none. */
export const createWorldHandler = async (options: HandlerOptions = {}) => {
  const { graph } = await createWorld()
  return {
    graph,
    handler: createHandler(graph, options),
    token: await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES }),
    unscopedToken: await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: [] }),
  }
}

/** Serves the handler of `createWorldHandler` with a server of `node:http`. */
export const serveWorld = async (
  options: HandlerOptions = {},
): Promise<Awaited<ReturnType<typeof createWorldHandler>> & RunningServer> => {
  const world = await createWorldHandler(options)
  return { ...world, ...(await startServer(createServer(toNodeListener(world.handler)))) }
}
