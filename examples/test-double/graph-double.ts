import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGraph } from 'kithgraph'
import { createHandler, type RateLimiter, toNodeListener } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'

/** A friend of the viewer. */
export type Friend = { readonly name: string; readonly birthday?: string }

const ME = '1'

/**
 * Creates a rate limiter that rejects as many requests as `rejectNext` specifies, and accepts all other
 * requests.
 */
const createRejectingLimiter = () => {
  let left = 0
  const limiter: RateLimiter = {
    consume: async () => {
      const usage = { consumedPoints: 0, remainingPoints: 1, msBeforeNext: 1 }
      if (left === 0) return usage
      left--
      throw usage
    },
  }
  const rejectNext = (requests: number): void => {
    left = requests
  }
  return { limiter, rejectNext }
}

/**
 * Starts a Graph API on a free local port. The viewer of its token has the given friends. The server counts
 * requests.
 */
export const startGraphDouble = async (friends: readonly Friend[]) => {
  const graph = createGraph(createMemoryStore())
  await graph.write([{ op: 'putNode', node: { id: ME, type: 'user', fields: { name: 'Me' } } }])
  for (const [index, fields] of friends.entries()) {
    const id = `${index + 2}`
    await graph.write([
      { op: 'putNode', node: { id, type: 'user', fields } },
      { op: 'putEdge', edge: { source: ME, name: 'friends', target: id, time: index } },
    ])
  }
  const { limiter, rejectNext } = createRejectingLimiter()
  const listener = toNodeListener(createHandler(graph, { rateLimit: { app: limiter } }))
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    return listener(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    issueToken: (scopes: readonly string[]) => graph.tokens.issue({ viewer: ME, app: 'calendar', scopes }),
    revokeToken: (token: string) => graph.tokens.revoke(token),
    /** Rejects the given number of requests with a rate limit error. */
    rejectNext,
    countRequests: () => requests,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      server.close()
      server.closeAllConnections()
      await graph.close()
    },
  }
}
