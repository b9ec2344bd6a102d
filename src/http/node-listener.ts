import { isPromiseLike } from '../base/awaitable.ts'
import { describeValue } from '../base/describe.ts'
import { toGraphError } from '../base/errors.ts'
import { usageError } from '../base/usage-error.ts'
import { type Handler, syncResponderOf } from './create-handler.ts'
import { hasBodyParameters } from './methods.ts'
import {
  AUTHORITY_HEADER_NAME,
  type NodeRequest,
  type NodeResponse,
  type NodeResponseHeaders,
  readRequestBody,
  sendResponse,
  toAbsoluteUrl,
  toShortUrl,
} from './node-messages.ts'

/**
 * The maximum number of requests that share a controller. This also limits the lifetime of listeners that are
 * never removed from the signal.
 */
const REQUESTS_PER_CONTROLLER = 100

type SharedController = { readonly controller: AbortController; usesLeft: number }

/**
 * Creates the controllers that abort reads when clients disconnect. The requests of one connection share a
 * controller, because a disconnect ends all of them. Creating a controller for each request would take a
 * sixth of the time of a small response.
 */
export class AbortControllerPool {
  readonly #bySocket = new WeakMap<object, SharedController>()

  /** Returns the controller for the next request on a socket. In HTTP/2, each stream has its own socket. */
  acquire(socket: object): AbortController {
    const pooled = this.#bySocket.get(socket)
    const isReusable = pooled !== undefined && pooled.usesLeft > 0 && !pooled.controller.signal.aborted
    const shared = isReusable
      ? pooled
      : { controller: new AbortController(), usesLeft: REQUESTS_PER_CONTROLLER }
    if (!isReusable) this.#bySocket.set(socket, shared)
    shared.usesLeft--
    return shared.controller
  }
}

/** A web request handler, such as an Explorer. Never rejects. */
type WebHandler = (request: Request) => Promise<Response>

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

/** Converts headers to an object with lower-case names. Each cookie stays a separate header. */
const toNodeHeaders = (headers: Headers): NodeResponseHeaders => {
  const cookies = headers.getSetCookie()
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
}

/** Responds to a Node request with a web handler. The URL must be absolute. */
const respondWithWebHandler = async (
  handler: WebHandler,
  url: string,
  request: NodeRequest,
  response: NodeResponse,
): Promise<void> => {
  try {
    const webResponse = await handler(toWebRequest(request, url))
    const body = new Uint8Array(await webResponse.arrayBuffer())
    const lengthHeader = request.method === 'HEAD' ? {} : { 'content-length': body.length }
    response.writeHead(webResponse.status, { ...toNodeHeaders(webResponse.headers), ...lengthHeader })
    response.end(body)
  } catch {
    // `Request` throws for an invalid host and for methods that it does not support, such as TRACE.
    response.writeHead(BAD_REQUEST_STATUS, {})
    response.end()
  }
}

/** A request listener for `node:http` and compatible frameworks. */
type NodeListener = (request: NodeRequest, response: NodeResponse) => Promise<void>

const createNodeListener = (handler: Handler): NodeListener => {
  const controllers = new AbortControllerPool()
  const respond = syncResponderOf(handler)
  return async (request, response) => {
    const controller = controllers.acquire(request.socket)
    const abortOnClose = (): void => {
      response.on('close', () => {
        if (!response.writableEnded) controller.abort()
      })
    }
    const { method = 'GET', headers } = request
    const { signal } = controller
    const wireRequest = { method, url: toShortUrl(request), headers, body: undefined, signal }
    try {
      if (hasBodyParameters(method)) {
        abortOnClose()
        const headersAndBody = await readRequestBody(request, handler.limits)
        sendResponse(response, await respond({ ...wireRequest, ...headersAndBody }), false)
        return
      }
      const wireResponse = respond(wireRequest)
      if (isPromiseLike(wireResponse)) abortOnClose()
      sendResponse(response, isPromiseLike(wireResponse) ? await wireResponse : wireResponse, false)
    } catch (error) {
      // An HTTP/1 connection cannot be reused after an incomplete body. HTTP/2 uses separate streams.
      sendResponse(
        response,
        handler.respondWithError(toGraphError(error), { method, headers }),
        !(AUTHORITY_HEADER_NAME in headers),
      )
    }
  }
}

/**
 * Converts a handler to a listener for `node:http` and `node:http2`, and for frameworks on top of them:
 * `createServer(toNodeListener(handler))`, `app.use('/graph', toNodeListener(handler))`. When a client
 * disconnects, the reads for its requests are aborted.
 *
 * The handler may also be an Explorer.
 *
 * @throws TypeError for a value that is not a function.
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createGraph } from 'kithgraph'
 * import { createHandler, toNodeListener } from 'kithgraph/http'
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const handler = createHandler(createGraph(createMemoryStore()))
 * const server = createServer(toNodeListener(handler))
 * console.log(server.listening) // false
 * ```
 */
export const toNodeListener = (handler: Handler | WebHandler): NodeListener => {
  if (typeof handler !== 'function')
    throw usageError('toNodeListener', 'handler', 'a handler or an Explorer', describeValue(handler))
  return 'respond' in handler
    ? createNodeListener(handler)
    : (request, response) => respondWithWebHandler(handler, toAbsoluteUrl(request), request, response)
}
