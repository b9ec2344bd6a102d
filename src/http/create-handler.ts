import type { GraphError } from '../base/faults.ts'
import { engineOf } from '../execute/engine.ts'
import type { UntypedGraph } from '../graph-interface.ts'
import { answerRequest, refuseRequest } from './answer.ts'
import { type AnswerAtOnce, AT_ONCE } from './at-once.ts'
import { corsHeaders } from './cors.ts'
import { BodyMeter } from './etag.ts'
import type { Service } from './exchange.ts'
import { type HandlerOptions, type RequestLimits, settleHandlerOptions } from './handler-options.ts'
import { OpenApiTexts } from './openapi/open-api-texts.ts'
import { faultOf } from './reply.ts'
import { TraceIds } from './trace-ids.ts'
import { toWebResponse, toWire } from './web.ts'
import type { WireRequest, WireResponse } from './wire.ts'

/** Answers requests over a graph. */
export interface Handler {
  /**
   * Answers a request of the Web's own kind, as every runtime with `fetch` has it. It rejects with a TypeError what is no
   * such request, and nothing else.
   */
  (request: Request): Promise<Response>
  /** The same without the Web's objects, for servers of other kinds. The body is read already. It never rejects. */
  answer(request: WireRequest): Promise<WireResponse>
  /** The answer to a request that could not be read, such as one whose body is too large. */
  refuse(fault: GraphError, request: Pick<WireRequest, 'method' | 'headers'>): WireResponse
  /** What a request may come to at the most, for those who read bodies on their own. */
  readonly limits: RequestLimits
}

const VALIDATOR_KEY_BYTES = 16

/** A request of Node is met before anything is made of it: whoever sent it would be answered with nothing of use. */
const assertRequest = (request: { readonly headers?: { readonly get?: unknown } }): void => {
  if (typeof request?.headers?.get === 'function') return
  throw new TypeError(
    'handler: expected a Request of the Web, came another; for servers of Node, mount toNodeListener(handler)',
  )
}

/**
 * Makes a graph a service over HTTP: a function from a request to its response, to be mounted wherever one stands.
 *
 * @throws TypeError for what is no graph, an unknown option, or one of another kind.
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
export const createHandler = (graph: UntypedGraph, options: HandlerOptions = {}): Handler => {
  const engine = engineOf('createHandler', graph)
  const settings = settleHandlerOptions(options)
  const { limits, registry } = engine
  const openApi = new OpenApiTexts(registry.schema, { ...limits, batch: settings.limits.batch })
  const service: Service = {
    engine,
    graph,
    settings,
    openApi,
    traceIds: new TraceIds(),
    meter: new BodyMeter(engine.keyFor('validators of bodies', VALIDATOR_KEY_BYTES), engine.turns),
  }
  const answerAtOnce: AnswerAtOnce = request => answerRequest(service, request)
  const answer = Object.assign(async (request: WireRequest) => answerAtOnce(request), {
    [AT_ONCE]: answerAtOnce,
  })
  const refuse: Handler['refuse'] = (fault, request) => {
    const { status, headers, body } = refuseRequest(service, fault)
    return { status, headers: { ...headers, ...corsHeaders(request, settings.cors) }, body }
  }
  const handle = async (request: Request): Promise<Response> => {
    assertRequest(request)
    try {
      return toWebResponse(await answer(await toWire(request, settings.limits)))
    } catch (error) {
      const { method, headers } = request
      return toWebResponse(refuse(faultOf(error), { method, headers: Object.fromEntries(headers) }))
    }
  }
  return Object.freeze(Object.assign(handle, { answer, refuse, limits: settings.limits }))
}
