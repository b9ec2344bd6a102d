import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import type { ErrorReason } from '../base/error-kinds.ts'
import { GraphError, toGraphError } from '../base/errors.ts'
import type { ItemResponder } from './batch/respond-to-batch.ts'
import { type BodyParameters, NO_BODY_PARAMETERS, parseBodyParameters } from './body-parameters.ts'
import { createCorsHeaders, findAllowedRequests } from './cors.ts'
import { executeRoute } from './execute-route.ts'
import { hasBodyParameters } from './methods.ts'
import {
  type BatchContext,
  type HandlerContext,
  type ParsedRequest,
  parsePretty,
  parseRequest,
} from './parsed-request.ts'
import { requestTooLargeError } from './read-body.ts'
import { RequestCharges } from './request-charges.ts'
import { ResponseSizeLimit } from './response-size-limit.ts'
import {
  addStandardHeaders,
  createErrorResponse,
  createSuccessResponse,
  indentJson,
  type ResponseOptions,
  type RouteResult,
} from './responses.ts'
import { assertOriginAllowed } from './same-origin.ts'
import { ValueBudget } from './value-budget.ts'
import { headerOf, type WireRequest, type WireResponse } from './wire.ts'

/** Returns the options of a response, or the defaults if the request could not be parsed. */
const resolveResponseOptions = (
  { engine }: HandlerContext,
  parsed: ParsedRequest | undefined,
): ResponseOptions => {
  const { registry } = engine
  return {
    version: registry.resolveVersion(parsed?.version),
    pretty: parsePretty(parsed?.parameters.getText('pretty')) === true,
  }
}

/** Calls `onError`. If the listener throws, the response does not change. */
const reportError = ({ settings }: HandlerContext, error: GraphError): void => {
  try {
    settings.onError?.(error)
  } catch {}
}

/**
 * Checks the size of the URL and the body. A server may read bodies without limits, and items of a batch have
 * bodies too.
 */
const assertRequestSize = ({ settings: { limits } }: HandlerContext, { url, body }: WireRequest): void => {
  if (url.length > limits.url) throw requestTooLargeError('URL', limits.url, url.length)
  if (body !== undefined && body.length > limits.body)
    throw requestTooLargeError('body', limits.body, body.length)
}

const createUsageHeaders = ({ appUsagePercent }: RequestCharges): { readonly [name: string]: string } =>
  appUsagePercent === undefined
    ? {}
    : {
        'X-App-Usage': JSON.stringify({
          call_count: appUsagePercent,
          total_time: appUsagePercent,
          total_cputime: appUsagePercent,
        }),
      }

const createPreflightResponse = ({ engine }: HandlerContext): WireResponse => ({
  status: 204,
  headers: { Allow: findAllowedRequests(engine).methods },
  body: undefined,
})

/**
 * The reasons of errors that are detected before the token is checked. An error of the token takes precedence
 * over them.
 */
const REASONS_CHECKED_AFTER_TOKEN: readonly ErrorReason[] = ['invalid_parameter', 'method_not_supported']

/**
 * Explains a missing token of a request that has the header `Authorization` in another form. The message contains
 * nothing of the header, which may be a token.
 */
const explainMissingToken = (error: GraphError, request: WireRequest): GraphError =>
  error.reason === 'token_missing' && headerOf(request, 'authorization') !== undefined
    ? new GraphError(
        'token_missing',
        '(#104) An access token is required to request this resource. The header has the form "Authorization: Bearer TOKEN"',
      )
    : error

/** Creates the response to an error, and passes the error to `onError`. */
export const handleError = (
  context: HandlerContext,
  error: GraphError,
  parsed?: ParsedRequest,
): WireResponse => {
  const maskedError = context.engine.masking.maskError(error, parsed?.token)
  reportError(context, maskedError)
  return createErrorResponse(maskedError, resolveResponseOptions(context, parsed))
}

/** Handles one request. Its methods return a promise only if they have to wait. */
class RequestHandler implements ItemResponder {
  readonly #context: HandlerContext
  readonly #request: WireRequest
  readonly #batch: BatchContext | undefined
  readonly #charges: RequestCharges
  readonly #valueBudget: ValueBudget
  #parsed: ParsedRequest | undefined

  constructor(context: HandlerContext, request: WireRequest, batch: BatchContext | undefined) {
    const { settings, engine } = context
    this.#context = context
    this.#request = request
    this.#batch = batch
    const deadline = batch?.deadline ?? Date.now() + engine.limits.timeoutMs
    const responseLimit = batch?.responseLimit ?? new ResponseSizeLimit(settings.limits.response)
    this.#charges = new RequestCharges({ settings, budget: batch?.budget, responseLimit, deadline })
    this.#valueBudget = batch?.valueBudget ?? new ValueBudget(settings.limits)
  }

  /** Never rejects or throws. */
  respond(): Awaitable<WireResponse> {
    const response =
      this.#request.method === 'OPTIONS' ? createPreflightResponse(this.#context) : this.#tryRespond()
    return isPromiseLike(response)
      ? response.then(settledResponse => this.#withCommonHeaders(settledResponse))
      : this.#withCommonHeaders(response)
  }

  respondToItem(item: WireRequest, batch: BatchContext): Awaitable<WireResponse> {
    return handleRequest(this.#context, item, batch)
  }

  respondWithItemError(error: GraphError): WireResponse {
    return handleError(this.#context, error, this.#parsed)
  }

  #tryRespond(): Awaitable<WireResponse> {
    const request = this.#request
    try {
      assertRequestSize(this.#context, request)
      const hasParameters = hasBodyParameters(request.method)
      const response = this.#execute(
        hasParameters ? parseBodyParameters(request, this.#valueBudget) : NO_BODY_PARAMETERS,
      )
      return isPromiseLike(response)
        ? response.then(undefined, error => this.#respondWithError(error))
        : response
    } catch (error) {
      return this.#respondWithError(error)
    }
  }

  #execute(bodyParameters: BodyParameters): Awaitable<WireResponse> {
    const context = this.#context
    const requestContext = { charges: this.#charges, valueBudget: this.#valueBudget, batch: this.#batch }
    this.#parsed = parseRequest(context, this.#request, bodyParameters, requestContext)
    const routeResult = executeRoute(this.#parsed, this)
    return isPromiseLike(routeResult)
      ? routeResult.then(settledResponse => this.#chargeAndRespond(settledResponse))
      : this.#chargeAndRespond(routeResult)
  }

  #chargeAndRespond(routeResult: RouteResult): Awaitable<WireResponse> {
    const charging = this.#charges.ensureCharged()
    return charging === undefined
      ? this.#formatResponse(routeResult)
      : charging.then(() => this.#formatResponse(routeResult))
  }

  #formatResponse(routeResult: RouteResult): Awaitable<WireResponse> {
    const { traceIds, bodyMeter } = this.#context
    const { version, pretty } = resolveResponseOptions(this.#context, this.#parsed)
    const options = { version, pretty, traceId: traceIds.next(), bodyMeter }
    if (typeof routeResult !== 'string') return addStandardHeaders(routeResult, options)
    const body = pretty ? indentJson(routeResult) : routeResult
    if (body !== routeResult) this.#charges.trackLength(body.length)
    return createSuccessResponse(this.#request, body, options)
  }

  async #respondWithError(error: unknown): Promise<WireResponse> {
    const graphError = explainMissingToken(await this.#preferEarlierError(toGraphError(error)), this.#request)
    const chargeError = await this.#charges.ensureChargedAfterError()?.then(() => undefined, toGraphError)
    return handleError(this.#context, chargeError ?? graphError, this.#parsed)
  }

  /** Returns the error of the origin or the token, if there is one, in place of an error that was detected before. */
  async #preferEarlierError(graphError: GraphError): Promise<GraphError> {
    try {
      await this.#checkOriginOrToken(graphError)
      return graphError
    } catch (error) {
      return toGraphError(error)
    }
  }

  async #checkOriginOrToken({ reason }: GraphError): Promise<void> {
    const parsed = this.#parsed
    if (parsed === undefined) {
      // A request that cannot be parsed may be a write.
      if (this.#batch === undefined) assertOriginAllowed(this.#context, this.#request)
    } else if (!this.#charges.hasSession && REASONS_CHECKED_AFTER_TOKEN.includes(reason)) {
      const { readApi, token, proof, request } = parsed
      await readApi.getSession(token, { proof, signal: request.signal })
    }
  }

  /** Adds the CORS and usage headers, and removes the body of a response to `HEAD`. */
  #withCommonHeaders(response: WireResponse): WireResponse {
    const { settings, engine } = this.#context
    const request = this.#request
    const charges = this.#charges
    this.#batch?.charges.mergeUsage(charges)
    const isComplete =
      settings.cors === undefined && charges.appUsagePercent === undefined && request.method !== 'HEAD'
    if (isComplete) return response
    const { status, headers, body } = response
    return {
      status,
      headers: {
        ...headers,
        ...createCorsHeaders(request, settings.cors, engine),
        ...createUsageHeaders(charges),
      },
      body: request.method === 'HEAD' ? undefined : body,
    }
  }
}

/**
 * Responds to one request, alone or as an item of a batch. Returns a promise only if it has to wait. Never
 * rejects or throws: errors become responses.
 */
export const handleRequest = (
  context: HandlerContext,
  request: WireRequest,
  batch?: BatchContext,
): Awaitable<WireResponse> => new RequestHandler(context, request, batch).respond()
