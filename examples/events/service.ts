import { once } from 'node:events'
import { createServer } from 'node:http'
import { isGraphError, type Store } from 'kithgraph'
import { createHandler, toNodeListener } from 'kithgraph/http'
import type { EventSearch } from './event-search.ts'
import { openEvents } from './graph.ts'
import { createGroupWrites } from './group-writes.ts'
import { createPageResponder } from './page-responder.ts'
import type { EventGraph } from './schema.ts'
import { RequestError, type WriteRequest } from './write-request.ts'
import { createWrites } from './writes.ts'

/** Returns the members of a JSON object in the body of a request. Any other body has no members. */
const readBody = async (request: Request): Promise<WriteRequest['body']> => {
  const body: unknown = await request.json().catch(() => undefined)
  return typeof body === 'object' && body !== null ? { ...body } : {}
}

const respondWithError = (error: unknown): Response => {
  if (isGraphError(error)) return Response.json(error, { status: error.status })
  if (error instanceof RequestError)
    return Response.json({ error: { message: error.message } }, { status: error.status })
  throw error
}

/** Creates the service: the page is at `/`, all reads are at `/graph`, and the other routes write. */
export const createService = (graph: EventGraph, search: EventSearch) => {
  const respondFromGraph = createHandler(graph, { basePath: '/graph' })
  const respondWithPage = createPageResponder()
  const { reply, vote, createEvent, changeEvent } = createWrites(graph, search)
  const { join, leave, setRole, changeGroup, createPost } = createGroupWrites(graph, search)
  const routes: { readonly [route: string]: (request: WriteRequest) => Promise<object> } = {
    'PUT /events/{id}/attendance': reply,
    'POST /comments/{id}/votes': vote,
    'POST /events': createEvent,
    'PATCH /events/{id}': changeEvent,
    'PUT /groups/{id}/membership': join,
    'DELETE /groups/{id}/membership': leave,
    'PUT /groups/{id}/roles': setRole,
    'PATCH /groups/{id}': changeGroup,
    'POST /groups/{id}/posts': createPost,
  }
  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const [, kind, id = '', ...rest] = pathname.split('/')
    if (kind === 'graph') return respondFromGraph(request)
    const page = request.method === 'GET' ? await respondWithPage(pathname) : undefined
    if (page !== undefined) return page
    const path = [kind, ...(id === '' ? [] : ['{id}']), ...rest].join('/')
    const write = routes[`${request.method} /${path}`]
    if (write === undefined) return Response.json({ error: { message: 'Not found' } }, { status: 404 })
    const token = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
    try {
      return Response.json(await write({ token, id, body: await readBody(request) }))
    } catch (error) {
      return respondWithError(error)
    }
  }
}

/** Starts the service on a store. Port 0 selects any free port. */
export const startService = async (store: Store, port: number) => {
  const { graph, search } = await openEvents(store)
  const server = createServer(toNodeListener(createService(graph, search))).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return { graph, server, url: `http://127.0.0.1:${address.port}` }
}
