import { createServer } from 'node:http'
import { createHandler, type HandlerOptions, toNodeListener } from 'kithgraph/http'
import { type Listening, listening } from './listening.ts'
import { ADA, createWorld, SCOPES } from './world.ts'

/** The secret of the app that the tokens of {@link serveWorld} are for. */
export const APP_SECRET = 'the secret of demo'

/** The world of the tests as a handler, with a token of Ada's that may see all, and one without scopes. */
export const handleWorld = async (options: HandlerOptions = {}) => {
  const { graph } = await createWorld()
  return {
    graph,
    handler: createHandler(graph, options),
    token: await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES }),
    bareToken: await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: [] }),
  }
}

/** The same behind a server of `node:http` that listens. */
export const serveWorld = async (
  options: HandlerOptions = {},
): Promise<Awaited<ReturnType<typeof handleWorld>> & Listening> => {
  const world = await handleWorld(options)
  return { ...world, ...(await listening(createServer(toNodeListener(world.handler)))) }
}
