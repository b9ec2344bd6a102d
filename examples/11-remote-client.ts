/**
 * Uses one function with a graph in this process and with the same graph over HTTP. Only the line that
 * creates the graph or the client differs.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGraph, defineSchema, edge, field, type Graph, isGraphError, node } from 'kithgraph'
import { createClient } from 'kithgraph/client'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'

const schema = defineSchema(
  {
    author: node({
      fields: { name: field.string({ default: true, required: true }) },
      edges: { books: edge('book', { order: 'chronological' }) },
    }),
    book: node({ fields: { title: field.string({ default: true, required: true }) } }),
  },
  { versions: ['v1.0'] },
)

await using graph = createGraph(createMemoryStore(), { schema })
await graph.load([
  { node: { id: '1', type: 'author', fields: { name: 'Jane' } } },
  ...['Emma', 'Persuasion', 'Sanditon'].flatMap((title, index) => [
    { node: { id: `${10 + index}`, type: 'book' as const, fields: { title } } },
    { edge: { source: '1', name: 'books' as const, target: `${10 + index}`, time: index * 1000 } },
  ]),
])
const token = await graph.tokens.issue({ viewer: '1', app: 'library' })

/** Accepts any graph or client. */
const shelf = async ({ getMe, iterateEdge }: Pick<Graph<typeof schema>, 'getMe' | 'iterateEdge'>) => {
  const { name } = await getMe(token)
  const titles: string[] = []
  for await (const { title } of iterateEdge(token, { id: 'me', type: 'author', edge: 'books', limit: 2 })) {
    titles.push(title)
  }
  return { name, titles }
}

const server = createServer(toNodeListener(createHandler(graph))).listen(0)
await once(server, 'listening')
const { port } = server.address() as AddressInfo

const client = createClient<typeof schema>(`http://localhost:${port}`, { batch: true })
const remote = await shelf(client)
console.log('over HTTP:', remote)
deepStrictEqual(remote, await shelf(graph))

// The calls of one tick are sent as one request. Each call has its own result or error.
const [emma, missing] = await Promise.allSettled([
  client.getNode(token, { id: '10', type: 'book', fields: 'title' }),
  client.getNode(token, { id: '99', type: 'book' }),
])
strictEqual(emma.status === 'fulfilled' && emma.value.title, 'Emma')
const reason: unknown = missing.status === 'rejected' && missing.reason
console.log('the same error:', isGraphError(reason) && reason.reason)
strictEqual(isGraphError(reason) && reason.code, 100)

server.close()
server.closeAllConnections()
