import type { Awaitable } from '../base/awaitable.ts'
import { type GraphError, toGraphError } from '../base/errors.ts'
import { usageError } from '../base/usage-error.ts'
import { engineOf } from '../execute/engine.ts'
import type { AnyGraph } from '../graph-interface.ts'
import { BodyMeter } from './body-meter.ts'
import { createCorsHeaders } from './cors.ts'
import { type HandlerOptions, type RequestLimits, resolveHandlerOptions } from './handler-options.ts'
import { OpenApiDocuments } from './openapi/open-api.ts'
import type { HandlerContext } from './parsed-request.ts'
import { handleError, handleRequest } from './request-handler.ts'
import { TraceIds } from './trace-ids.ts'
import { toWebResponse, toWireRequest, type WireRequest, type WireResponse } from './wire.ts'

/** Responds to a request. Returns a promise only if it has to wait. Never rejects or throws. */
type SyncResponder = (request: WireRequest) => Awaitable<WireResponse>

/** The key of the synchronous variant of a handler's `respond`, for listeners that need no promise. */
const RESPOND_SYNC = Symbol('kithgraph.respondSync')

/**
 * Returns the synchronous variant of a handler's `respond`, which returns a promise only if it has to wait.
 * If `createHandler` did not create the handler, returns `respond` itself.
 */
export const syncResponderOf = ({ respond }: { readonly respond: SyncResponder }): SyncResponder => {
  const respondSync: unknown = Reflect.get(respond, RESPOND_SYNC)
  // The cast is safe, because only `createHandler` sets the symbol.
  return typeof respondSync === 'function' ? (respondSync as SyncResponder) : respond
}

/** The HTTP handler of a graph. */
export interface Handler {
  /**
   * Responds to a web `Request`, which every runtime with `fetch` supports. Rejects only if the value is not
   * a `Request`, with a `TypeError`.
   */
  (request: Request): Promise<Response>
  /**
   * Responds to a request whose body has already been read, for servers without `Request` and `Response`.
   * Never rejects.
   */
  respond(request: WireRequest): Promise<WireResponse>
  /** Creates the response to a request that could not be read, such as one with a body that is too large. */
  respondWithError(error: GraphError, request: Pick<WireRequest, 'method' | 'headers'>): WireResponse
  /** The limits of a request, for servers that read bodies themselves. */
  readonly limits: RequestLimits
}

const ETAG_KEY_BYTES = 16

/**
 * Rejects a Node request, because reading its headers would fail with an error that does not explain the
 * mistake.
 */
const assertWebRequest = (request: { readonly headers?: { readonly get?: unknown } }): void => {
  if (typeof request?.headers?.get === 'function') return
  const expected = 'a Request of the Fetch API (on a Node server, mount toNodeListener(handler))'
  throw usageError('handler', 'request', expected, 'another value')
}

/**
 * Creates an HTTP handler for a graph: a function from a request to its response that can be mounted on any
 * server.
 *
 * @throws TypeError for a value that is not a graph, an unknown option, or an option of the wrong type.
 * @example
 * ```ts
 * import { createGraph } from 'kithgraph'
 * import { createHandler } from 'kithgraph/http'
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const graph = createGraph(createMemoryStore())
 * await graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } }])
 * const token = await graph.tokens.issue({ viewer: '4', app: 'demo' })
 *
 * const handler = createHandler(graph)
 * const response = await handler(new Request(`http://localhost/v1.0/me?fields=name&access_token=${token}`))
 * console.log(response.status, await response.json()) // 200 { name: 'Ada', id: '4' }
 * ```
 */
export const createHandler = (graph: AnyGraph, options: HandlerOptions = {}): Handler => {
  const engine = engineOf('createHandler', graph)
  const settings = resolveHandlerOptions(options)
  const { limits, actions, registry } = engine
  const { schema } = registry
  const actionDescriptions = Object.keys(schema.types).flatMap(type => actions?.describe(type) ?? [])
  const documentedLimits = { ...limits, batch: settings.limits.batch }
  const context: HandlerContext = {
    engine,
    graph,
    settings,
    openApi: new OpenApiDocuments(schema, documentedLimits, actionDescriptions),
    traceIds: new TraceIds(),
    bodyMeter: new BodyMeter(engine.deriveKey('validators of bodies', ETAG_KEY_BYTES), engine.turnQueue),
  }
  const respondSync: SyncResponder = request => handleRequest(context, request)
  const respond = Object.assign(async (request: WireRequest) => respondSync(request), {
    [RESPOND_SYNC]: respondSync,
  })
  const respondWithError: Handler['respondWithError'] = (error, request) => {
    const { status, headers, body } = handleError(context, error)
    return { status, headers: { ...headers, ...createCorsHeaders(request, settings.cors, engine) }, body }
  }
  const handle = async (request: Request): Promise<Response> => {
    assertWebRequest(request)
    try {
      return toWebResponse(await respond(await toWireRequest(request, settings.limits)))
    } catch (error) {
      const { method, headers } = request
      return toWebResponse(
        respondWithError(toGraphError(error), { method, headers: Object.fromEntries(headers) }),
      )
    }
  }
  return Object.freeze(Object.assign(handle, { respond, respondWithError, limits: settings.limits }))
}
