import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Collection, ConflictError } from './collection.ts'

const send = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

/**
 * Returns a function that handles one request. It creates a collection when a request first uses the
 * collection.
 */
const createRoutes = () => {
  const collections = new Map<string, Collection>()
  return async (
    { url = '', ...request }: Pick<IncomingMessage, 'url'> & { body: string },
    response: ServerResponse,
  ) => {
    const [, name, verb] = /^\/collections\/(\w+)\/(read|write)$/.exec(url) ?? []
    if (name === undefined) return send(response, 404, { message: `There is nothing at ${url}` })
    const collection = collections.get(name) ?? new Collection()
    collections.set(name, collection)
    if (verb === 'read') return send(response, 200, collection.read(JSON.parse(request.body)))
    collection.write(JSON.parse(request.body))
    return send(response, 200, {})
  }
}

/**
 * Starts the service on a free local port. It has two endpoints. `POST /collections/NAME/read` returns
 * results by position. `POST /collections/NAME/write` writes all changes of a batch, or none (409).
 */
export const startService = async () => {
  const route = createRoutes()
  let requests = 0
  const server = createServer(async (request, response) => {
    requests++
    try {
      await route({ url: request.url ?? '', body: await text(request) }, response)
    } catch (error) {
      if (error instanceof ConflictError) send(response, 409, { index: error.index, message: error.message })
      else send(response, 500, { message: 'The service failed' })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (collection: string): string => `http://127.0.0.1:${port}/collections/${collection}`,
    countRequests: () => requests,
    stop: (): void => {
      server.close()
      server.closeAllConnections()
    },
  }
}
