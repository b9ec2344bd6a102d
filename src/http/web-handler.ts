import type { NodeRequest, NodeResponse } from './node-messages.ts'

/** A web request handler, such as an Explorer. Never rejects. */
export type WebHandler = (request: Request) => Promise<Response>

const BODYLESS_METHODS = ['GET', 'HEAD']
const BAD_REQUEST_STATUS = 400

const toWebRequest = (request: NodeRequest, url: string): Request => {
  const { method = 'GET', headers } = request
  const headerPairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith(':') ? [] : [[name, `${value}`]],
  )
  const body = BODYLESS_METHODS.includes(method) ? null : request.iterator({ destroyOnReturn: false })
  return new Request(url, { method, headers: headerPairs, body, duplex: 'half' })
}

/** Responds to a request of Node with such a handler. The URL must be absolute. */
export const respondWithWebHandler = async (
  handler: WebHandler,
  url: string,
  request: NodeRequest,
  response: NodeResponse,
): Promise<void> => {
  try {
    const webResponse = await handler(toWebRequest(request, url))
    const body = new Uint8Array(await webResponse.arrayBuffer())
    const lengthHeader = request.method === 'HEAD' ? {} : { 'Content-Length': body.length }
    response.writeHead(webResponse.status, { ...Object.fromEntries(webResponse.headers), ...lengthHeader })
    response.end(body)
  } catch {
    // The web has no such request: a method such as TRACE, or an invalid host.
    response.writeHead(BAD_REQUEST_STATUS, {})
    response.end()
  }
}
