import { isPromiseLike } from '../base/awaitable.ts'
import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import { isNonArrayObject } from '../base/json.ts'
import { usageError } from '../base/usage-error.ts'
import { AbortControllerPool } from './abort-controller-pool.ts'
import type { Handler } from './create-handler.ts'
import { decodeBody } from './decode-body.ts'
import type { NodeRequest, NodeResponse } from './node-messages.ts'
import { readBody } from './read-body.ts'
import { syncResponderOf } from './respond-sync.ts'
import { toGraphError } from './responses.ts'
import { respondWithWebHandler, type WebHandler } from './web-handler.ts'
import { headerOf, type WireRequest, type WireResponse } from './wire.ts'

type HeadersAndBody = Pick<WireRequest, 'headers' | 'body'>

/** Formats a parsed body. JSON can be parsed that is too deep to be printed again. */
const stringifyBody = (body: unknown): string => {
  try {
    return JSON.stringify(body)
  } catch {
    throw invalidParameterError('body', 'a JSON object', 'another body')
  }
}

/** Restores the body that a framework has parsed, in a form that parses like the original. */
const restoreBody = ({ headers, body }: NodeRequest): HeadersAndBody =>
  typeof body === 'string' || body instanceof Uint8Array
    ? { headers, body }
    : { headers: { ...headers, 'content-type': 'application/json' }, body: stringifyBody(body) }

/** Some parsers leave an empty object if they read nothing. */
const isParsedBody = (body: unknown): boolean =>
  typeof body === 'string' ||
  body instanceof Uint8Array ||
  (isNonArrayObject(body) && Object.keys(body).length > 0)

const readRequestBody = async (request: NodeRequest, { limits }: Handler): Promise<HeadersAndBody> => {
  const { headers, body } = request
  if (isParsedBody(body)) return restoreBody(request)
  const chunks = request.iterator({ destroyOnReturn: false })
  return {
    headers,
    body: await readBody(decodeBody(chunks, headerOf(request, 'content-encoding'), limits), limits),
  }
}

/** The header in which HTTP/2 names the host. */
const AUTHORITY_HEADER_NAME = ':authority'

const pathOf = ({ url = '/', originalUrl }: NodeRequest): string => originalUrl ?? url

const isEncryptedConnection = ({ socket }: NodeRequest): boolean =>
  'encrypted' in socket && socket.encrypted === true

const toAbsoluteUrl = (request: NodeRequest): string => {
  const { headers } = request
  const path = pathOf(request)
  const { host = headers[AUTHORITY_HEADER_NAME] } = headers
  if (typeof host !== 'string' || !path.startsWith('/')) return path
  return `${isEncryptedConnection(request) ? 'https' : 'http'}://${host}${path}`
}

/**
 * Returns only the path if the header `Host` alone determines the origin, since building and parsing a URL
 * would be wasted work.
 */
const toShortUrl = (request: NodeRequest): string =>
  isEncryptedConnection(request) || request.headers.host === undefined
    ? toAbsoluteUrl(request)
    : pathOf(request)

/** Whether each character of a body is one byte, which is faster to send. */
const hasAsciiBody = ({ headers, body }: WireResponse): boolean =>
  body !== undefined && headers['Content-Length'] === `${body.length}`

const sendResponse = (
  response: NodeResponse,
  wireResponse: WireResponse,
  closesConnection: boolean,
): void => {
  // Another middleware has already responded, such as a timeout of the framework.
  if (response.headersSent) return
  const { status, headers, body } = wireResponse
  response.writeHead(status, closesConnection ? { ...headers, Connection: 'close' } : headers)
  // Text is sent in one piece with the headers.
  if (body === undefined) response.end()
  else if (hasAsciiBody(wireResponse)) response.end(body, 'latin1')
  else response.end(body)
}

/** Responds to requests of `node:http` and compatible frameworks. */
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
    const wireRequest = {
      method,
      url: toShortUrl(request),
      headers,
      body: undefined,
      signal: controller.signal,
    }
    try {
      if (method === 'POST') {
        abortOnClose()
        sendResponse(
          response,
          await respond({ ...wireRequest, ...(await readRequestBody(request, handler)) }),
          false,
        )
        return
      }
      const wireResponse = respond(wireRequest)
      if (isPromiseLike(wireResponse)) abortOnClose()
      sendResponse(response, isPromiseLike(wireResponse) ? await wireResponse : wireResponse, false)
    } catch (error) {
      // After an incomplete body, the connection cannot be used again. HTTP/2 has streams instead.
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
 * disconnects, the reads for it are aborted.
 *
 * Also mounts an Explorer.
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
