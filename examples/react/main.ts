/**
 * A page in React with TanStack Query that reads a graph from its own server:
 *
 *     npx tsx examples/react/main.ts
 */
import { stopOnSignal } from '../shared/stop-on-signal.ts'
import { createAlbum } from './graph.ts'
import { createPageServer } from './server.ts'

const { graph, token } = await createAlbum()
const server = await createPageServer(graph, token)
stopOnSignal(server, graph)
server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  console.log(`Open http://127.0.0.1:${address.port}/ in a browser. Ctrl-C stops.`)
})
