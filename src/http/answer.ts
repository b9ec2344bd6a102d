import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import type { FaultReason, GraphError } from '../base/faults.ts'
import { AnswerRoom } from './answer-room.ts'
import type { ItemResponder } from './batch/answer-batch.ts'
import { bodyEntries } from './body.ts'
import { corsHeaders, METHODS } from './cors.ts'
import type { Entry } from './entry.ts'
import { type Enclosing, type Exchange, exchangeOf, prettyOf, type Service } from './exchange.ts'
import { requestTooLarge } from './read-body.ts'
import { type Answer, failure, faultOf, indented, other, type Remarks, success } from './reply.ts'
import { RequestValues } from './request-values.ts'
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

/** Answers with a fault, and tells of it whoever listens. */
export const refuseRequest = (service: Service, fault: GraphError, exchange?: Exchange): WireResponse => {
  const masked = service.engine.masking.fault(fault, exchange?.token)
  tell(service, masked)
  return failure(masked, remarksOf(service, exchange))
}

const NOTHING_SENT: readonly Entry[] = []

/** One request from its text to its response: promised only where something is waited for. */
class Answering implements ItemResponder {
  readonly #service: Service
  readonly #request: WireRequest
  readonly #enclosing: Enclosing | undefined
  readonly #spending: Spending
  readonly #values: RequestValues
  #exchange: Exchange | undefined

  constructor(service: Service, request: WireRequest, enclosing: Enclosing | undefined) {
    const { settings, engine } = service
    this.#service = service
    this.#request = request
    this.#enclosing = enclosing
    const deadline = enclosing?.deadline ?? Date.now() + engine.limits.deadline
    const room = enclosing?.room ?? new AnswerRoom(settings.limits.answer)
    this.#spending = new Spending({ settings, budget: enclosing?.budget, room, deadline })
    this.#values = enclosing?.values ?? new RequestValues(settings.limits)
  }

  /** Never rejects. */
  run(): Awaitable<WireResponse> {
    const response = this.#request.method === 'OPTIONS' ? preflight : this.#read()
    return isPromiseLike(response) ? response.then(late => this.#whole(late)) : this.#whole(response)
  }

  answerItem(item: WireRequest, enclosing: Enclosing): Awaitable<WireResponse> {
    return answerRequest(this.#service, item, enclosing)
  }

  refuseItem(fault: GraphError): WireResponse {
    return refuseRequest(this.#service, fault, this.#exchange)
  }

  #read(): Awaitable<WireResponse> {
    const request = this.#request
    try {
      assertSize(this.#service, request)
      const isPost = request.method.toUpperCase() === 'POST'
      const response = this.#answer(isPost ? bodyEntries(request, this.#values) : NOTHING_SENT)
      return isPromiseLike(response) ? response.then(undefined, error => this.#refuse(error)) : response
    } catch (error) {
      return this.#refuse(error)
    }
  }

  #answer(sent: readonly Entry[]): Awaitable<WireResponse> {
    const service = this.#service
    const circumstances = { spending: this.#spending, values: this.#values, enclosing: this.#enclosing }
    this.#exchange = exchangeOf(service, this.#request, sent, circumstances)
    const answer = answerRoute(this.#exchange, this)
    return isPromiseLike(answer) ? answer.then(late => this.#settle(late)) : this.#settle(answer)
  }

  #settle(answer: Answer): Awaitable<WireResponse> {
    const settling = this.#spending.settle()
    return settling === undefined ? this.#reply(answer) : settling.then(() => this.#reply(answer))
  }

  #reply(answer: Answer): Awaitable<WireResponse> {
    const { traceIds, meter } = this.#service
    const { version, pretty } = remarksOf(this.#service, this.#exchange)
    const remarks = { version, pretty, traceId: traceIds.next(), meter }
    if (typeof answer !== 'string') return other(answer, remarks)
    const body = pretty ? indented(answer) : answer
    if (body !== answer) this.#spending.wrote(body.length)
    return success(this.#request, body, remarks)
  }

  async #refuse(error: unknown): Promise<WireResponse> {
    const fault = await this.#inOrder(faultOf(error))
    const uncounted = await this.#spending.settleFailed()?.then(() => undefined, faultOf)
    return refuseRequest(this.#service, uncounted ?? fault, this.#exchange)
  }

  async #inOrder(fault: GraphError): Promise<GraphError> {
    const exchange = this.#exchange
    if (exchange === undefined || this.#spending.isMet || !PARAMETERS.includes(fault.data.reason))
      return fault
    const { reads, token, proof, request } = exchange
    try {
      await reads.session(token, { proof, signal: request.signal })
      return fault
    } catch (error) {
      return faultOf(error)
    }
  }

  /** With what stands around every response, also one that refuses. */
  #whole(response: WireResponse): WireResponse {
    const { settings } = this.#service
    const request = this.#request
    const spending = this.#spending
    this.#enclosing?.spending.learn(spending)
    const isWhole = settings.cors === undefined && spending.usage === undefined && request.method !== 'HEAD'
    if (isWhole) return response
    const { status, headers, body } = response
    return {
      status,
      headers: { ...headers, ...corsHeaders(request, settings.cors), ...usageHeaders(spending) },
      body: request.method === 'HEAD' ? undefined : body,
    }
  }
}

/**
 * Answers one request, alone or of a batch: at once where nothing is waited for. It neither rejects nor throws: what goes wrong
 * is answered as a fault.
 */
export const answerRequest = (
  service: Service,
  request: WireRequest,
  enclosing?: Enclosing,
): Awaitable<WireResponse> => new Answering(service, request, enclosing).run()
