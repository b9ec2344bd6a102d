import type { FaultReason, GraphError } from '../base/faults.ts'
import { AnswerRoom } from './answer-room.ts'
import { bodyEntries } from './body.ts'
import { corsHeaders, METHODS } from './cors.ts'
import { type Enclosing, type Exchange, exchangeOf, prettyOf, type Service } from './exchange.ts'
import { requestTooLarge } from './read-body.ts'
import { failure, faultOf, indented, other, type Remarks, success } from './reply.ts'
import { answerRoute } from './routes.ts'
import { Spending } from './spending.ts'
import type { WireRequest, WireResponse } from './wire.ts'

/** What the response to a request says of itself, as far as the request was understood. */
const remarksOf = ({ engine }: Service, exchange: Exchange | undefined): Remarks => {
  const { registry } = engine
  return {
    version: registry.version(exchange?.version),
    pretty: prettyOf(exchange?.parameters.text('pretty')) === true,
  }
}

/** A listener that throws must not turn an answer into another. */
const tell = ({ settings }: Service, fault: GraphError): void => {
  try {
    settings.onFault?.(fault)
  } catch {}
}

/** A body that others read, or that a batch put together, is held to what one that is read here is. */
const assertSize = ({ settings: { limits } }: Service, { url, body }: WireRequest): void => {
  if (url.length > limits.url) throw requestTooLarge('URL', limits.url, url.length)
  if (body !== undefined && body.length > limits.body) throw requestTooLarge('body', limits.body, body.length)
}

const usageHeaders = ({ usage }: Spending): { readonly [name: string]: string } =>
  usage === undefined
    ? {}
    : { 'X-App-Usage': JSON.stringify({ call_count: usage, total_time: usage, total_cputime: usage }) }

const preflight: WireResponse = { status: 204, headers: { Allow: METHODS }, body: undefined }

/** What is wrong with the request itself comes after what is wrong with its token, which was not looked at by then. */
const PARAMETERS: readonly FaultReason[] = ['bad_parameter', 'method_not_supported']

const inOrder = async (
  exchange: Exchange | undefined,
  spending: Spending,
  fault: GraphError,
): Promise<GraphError> => {
  if (exchange === undefined || spending.isMet || !PARAMETERS.includes(fault.data.reason)) return fault
  const { reads, token, proof, request } = exchange
  return reads.session(token, { proof, signal: request.signal }).then(() => fault, faultOf)
}

/** Answers with a fault, and tells of it whoever listens. */
export const refuseRequest = (service: Service, fault: GraphError, exchange?: Exchange): WireResponse => {
  tell(service, fault)
  return failure(fault, remarksOf(service, exchange))
}

const read = async (
  service: Service,
  request: WireRequest,
  spending: Spending,
  enclosing: Enclosing | undefined,
): Promise<WireResponse> => {
  let exchange: Exchange | undefined
  try {
    assertSize(service, request)
    const isPost = request.method.toUpperCase() === 'POST'
    const sent = isPost ? await bodyEntries(request) : []
    exchange = exchangeOf(service, request, sent, { spending, enclosing })
    const answer = await answerRoute(exchange, (item, around) => answerRequest(service, item, around))
    await spending.settle()
    const { version, pretty } = remarksOf(service, exchange)
    const remarks = { version, pretty, traceId: service.traceIds.next(), meter: service.meter }
    if (typeof answer !== 'string') return other(answer, remarks)
    const body = pretty ? indented(answer) : answer
    if (body !== answer) spending.wrote(body.length)
    return success(request, body, remarks)
  } catch (error) {
    const fault = await inOrder(exchange, spending, faultOf(error))
    const uncounted = await spending.settle()?.then(() => undefined, faultOf)
    return refuseRequest(service, uncounted ?? fault, exchange)
  }
}

/** Answers one request, alone or of a batch. It never rejects: what goes wrong is answered as a fault. */
export const answerRequest = async (
  service: Service,
  request: WireRequest,
  enclosing?: Enclosing,
): Promise<WireResponse> => {
  const { settings, engine } = service
  const deadline = enclosing?.deadline ?? Date.now() + engine.limits.deadline
  const room = enclosing?.room ?? new AnswerRoom(settings.limits.answer)
  const spending = new Spending({ settings, budget: enclosing?.budget, room, deadline })
  const response =
    request.method === 'OPTIONS' ? preflight : await read(service, request, spending, enclosing)
  enclosing?.spending.learn(spending)
  const isWhole = settings.cors === undefined && spending.usage === undefined && request.method !== 'HEAD'
  if (isWhole) return response
  const { status, headers, body } = response
  return {
    status,
    headers: { ...headers, ...corsHeaders(request, settings.cors), ...usageHeaders(spending) },
    body: request.method === 'HEAD' ? undefined : body,
  }
}
