import { createServer, type Server } from 'node:http'
import type { Graph } from 'kithgraph'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { bundlePage } from '../shared/bundle-page.ts'
import type { schema } from './schema.ts'

/** Everyone who opens the page gets the token. In a real service, users must sign in first. */
const createHtml = (token: string): string => `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>Photos</title>
  <link rel="icon" href="data:,">
  <div id="root" data-token="${token}"></div>
  <script type="module" src="/page.js"></script>
</html>`

/** Creates a server with the page at `/` and the graph at `/graph`. */
export const createPageServer = async (graph: Graph<typeof schema>, token: string): Promise<Server> => {
  const serveGraph = toNodeListener(createHandler(graph, { basePath: '/graph' }))
  const [html, script] = [createHtml(token), await bundlePage(new URL('page/main.tsx', import.meta.url))]
  return createServer((request, response) => {
    const { url = '/' } = request
    if (url.startsWith('/graph/')) return serveGraph(request, response)
    if (url === '/page.js') return response.setHeader('Content-Type', 'text/javascript').end(script)
    if (url === '/') return response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html)
    return response.writeHead(404).end()
  })
}
