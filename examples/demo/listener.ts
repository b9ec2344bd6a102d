import type { RequestListener } from 'node:http'
import { createExplorer } from 'kithgraph/explorer'
import { createHandler, toNodeListener } from 'kithgraph/http'
import type { Demo } from './graph.ts'

/** Serves a graph at the root and its Explorer beside it, to which those are led who open the root in a browser. */
export const createListener = ({ graph, token }: Pick<Demo, 'graph' | 'token'>): RequestListener => {
  const answer = toNodeListener(createHandler(graph))
  // Everyone who opens the page gets the token, which is what a demo wants and nobody else.
  const explore = toNodeListener(createExplorer(graph, { graphPath: '/', demoToken: token }))
  return (request, response) => {
    const { method, url = '/', headers } = request
    if (/^\/explorer(?:[/?]|$)/.test(url)) return explore(request, response)
    if (method === 'GET' && url === '/' && headers.accept?.includes('text/html'))
      return response.writeHead(302, { Location: '/explorer/', Vary: 'Accept' }).end()
    return answer(request, response)
  }
}
