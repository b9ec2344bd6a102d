import type { RequestListener } from 'node:http'
import { createExplorer } from 'kithgraph/explorer'
import { createHandler, toNodeListener } from 'kithgraph/http'
import type { Demo } from './graph.ts'
import { EXPLORER_FIELDS } from './requests.ts'

/**
 * Serves a graph at the root, and its Explorer at `/explorer/`. Redirects browsers from the root to the
 * Explorer.
 */
export const createListener = ({ graph, token }: Pick<Demo, 'graph' | 'token'>): RequestListener => {
  const serveGraph = toNodeListener(createHandler(graph))
  // Everyone who opens the page gets the token. This is acceptable only in a demo.
  const serveExplorer = toNodeListener(
    createExplorer(graph, { graphPath: '/', demoToken: token, initialFields: EXPLORER_FIELDS }),
  )
  return (request, response) => {
    const { method, url = '/', headers } = request
    if (/^\/explorer(?:[/?]|$)/.test(url)) return serveExplorer(request, response)
    if (method === 'GET' && url === '/' && headers.accept?.includes('text/html'))
      return response.writeHead(302, { Location: '/explorer/', Vary: 'Accept' }).end()
    return serveGraph(request, response)
  }
}
