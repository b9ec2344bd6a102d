import { isPromiseLike } from '../base/awaitable.ts'
import { describe } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'
import { isPlainObject } from '../base/json.ts'
import { Aborters } from './aborters.ts'
import { atOnce } from './at-once.ts'
import type { Handler } from './create-handler.ts'
import { decodedBody } from './decoded-body.ts'
import type { NodeRequest, NodeResponse } from './node-messages.ts'
import { readBody } from './read-body.ts'
import { faultOf } from './reply.ts'
import { answerByWeb, type WebHandler } from './web-listener.ts'
import { headerOf, type WireRequest, type WireResponse } from './wire.ts'

type Body = Pick<WireRequest, 'headers' | 'body'>

/** JSON can be read that is too deep to be printed again. */
const printed = (body: unknown): string => {
  try {
    return JSON.stringify(body)
  } catch {
    throw badParameter('body', 'a JSON object', 'what is none')
  }
}

/** What a framework has read, in a form that reads as the original did. */
const parsedBody = ({ headers, body }: NodeRequest): Body =>
  typeof body === 'string' || body instanceof Uint8Array
    ? { headers, body }
    : { headers: { ...headers, 'content-type': 'application/json' }, body: printed(body) }

/** Some parsers leave an empty object behind where they read nothing. */
const isParsed = (body: unknown): boolean =>
  typeof body === 'string' ||
  body instanceof Uint8Array ||
  (isPlainObject(body) && Object.keys(body).length > 0)

const bodyOf = async (request: NodeRequest, { limits }: Handler): Promise<Body> => {
  const { headers, body } = request
  if (isParsed(body)) return parsedBody(request)
  const chunks = request.iterator({ destroyOnReturn: false })
  return {
    headers,
    body: await readBody(decodedBody(chunks, headerOf(request, 'content-encoding'), limits), limits),
  }
}

/** HTTP/2 names the host in a header of its own. */
const AUTHORITY = ':authority'

const pathOf = ({ url = '/', originalUrl }: NodeRequest): string => originalUrl ?? url

const isEncrypted = ({ socket }: NodeRequest): boolean => 'encrypted' in socket && socket.encrypted === true

const urlOf = (request: NodeRequest): string => {
  const { headers } = request
  const path = pathOf(request)
  const { host = headers[AUTHORITY] } = headers
  if (typeof host !== 'string' || !path.startsWith('/')) return path
  return `${isEncrypted(request) ? 'https' : 'http'}://${host}${path}`
}

/** Of a request that says by its header `Host` alone where it went, the path: all else is put together and taken apart for nothing. */
const shortUrlOf = (request: NodeRequest): string =>
  isEncrypted(request) || request.headers.host === undefined ? urlOf(request) : pathOf(request)

/** Whether each character of a body is one byte, which makes it cheaper to send. */
const isAscii = ({ headers, body }: WireResponse): boolean =>
  body !== undefined && headers['Content-Length'] === `${body.length}`

const send = (response: NodeResponse, answer: WireResponse, isLast: boolean): void => {
  // Somebody in front has answered meanwhile, such as a time-out of the framework.
  if (response.headersSent) return
  const { status, headers, body } = answer
  response.writeHead(status, isLast ? { ...headers, Connection: 'close' } : headers)
  // As text, which goes out in one piece with the headers.
  if (body === undefined) response.end()
  else if (isAscii(answer)) response.end(body, 'latin1')
  else response.end(body)
}

/** Answers requests of `node:http` and what builds on it. */
type NodeListener = (request: NodeRequest, response: NodeResponse) => Promise<void>

const listenerOf = (handler: Handler): NodeListener => {
  const aborters = new Aborters()
  const answer = atOnce(handler)
  return async (request, response) => {
    const aborter = aborters.next(request.socket)
    const endWithClient = (): void => {
      response.on('close', () => {
        if (!response.writableEnded) aborter.abort()
      })
    }
    const { method = 'GET', headers } = request
    const asked = { method, url: shortUrlOf(request), headers, body: undefined, signal: aborter.signal }
    try {
      if (method === 'POST') {
        endWithClient()
        send(response, await answer({ ...asked, ...(await bodyOf(request, handler)) }), false)
        return
      }
      const answered = answer(asked)
      if (isPromiseLike(answered)) endWithClient()
      send(response, isPromiseLike(answered) ? await answered : answered, false)
    } catch (error) {
      // A body that was not read to its end leaves a connection that nothing else can be read from; HTTP/2 has streams.
      send(response, handler.refuse(faultOf(error), { method, headers }), !(AUTHORITY in headers))
    }
  }
}

/**
 * Makes a handler a listener for `node:http` and `node:http2`, and for what builds on them:
 * `createServer(toNodeListener(handler))`, `app.use('/graph', toNodeListener(handler))`. A client that goes away ends what is read for it.
 *
 * An Explorer is mounted in the same way.
 *
 * @throws TypeError for what is no function.
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
    throw new TypeError(
      `toNodeListener: expected what createHandler or createExplorer made, came ${describe(handler)}`,
    )
  return 'answer' in handler
    ? listenerOf(handler)
    : (request, response) => answerByWeb(handler, urlOf(request), request, response)
}
