import type { RequestListener } from 'node:http'
import type { AnyGraph } from 'kithgraph'
import { createExplorer } from 'kithgraph/explorer'
import { createHandler, toNodeListener } from 'kithgraph/http'

/** A graph, the token of its Explorer, and the field expression with which the Explorer opens. */
export type ServedGraph = {
  readonly graph: AnyGraph
  readonly token: string
  readonly initialFields: string
}

/**
 * Serves a graph at the root, and its Explorer at `/explorer/`. Redirects browsers from the root to the
 * Explorer.
 */
export const createListener = ({ graph, token, initialFields }: ServedGraph): RequestListener => {
  const serveGraph = toNodeListener(createHandler(graph))
  // Everyone who opens the page gets the token. This is acceptable only in a demo.
  const serveExplorer = toNodeListener(
    createExplorer(graph, { graphPath: '/', demoToken: token, initialFields }),
  )
  return (request, response) => {
    const { method, url = '/', headers } = request
    if (/^\/explorer(?:[/?]|$)/.test(url)) return serveExplorer(request, response)
    if (method === 'GET' && url === '/' && headers.accept?.includes('text/html'))
      return response.writeHead(302, { Location: '/explorer/', Vary: 'Accept' }).end()
    return serveGraph(request, response)
  }
}
