import { invalidParameterError } from '../base/errors.ts'
import type { CallHooks } from '../execute/call-hooks.ts'
import type { Engine } from '../execute/engine.ts'
import { JsonReadApi } from '../execute/read-api.ts'
import type { AnyGraph } from '../graph-interface.ts'
import type { BodyMeter } from './body-meter.ts'
import type { BodyParameters } from './body-parameters.ts'
import { parseQuery } from './form.ts'
import type { HandlerSettings } from './handler-options.ts'
import type { OpenApiDocuments } from './openapi/open-api.ts'
import { RequestParameters } from './parameters.ts'
import { DEFAULT_PICTURE_PATH, findOrigin, type ParsedPath, parsePath, splitUrl } from './parse-url.ts'
import type { BatchBudget, RequestCharges } from './request-charges.ts'
import type { ResponseSizeLimit } from './response-size-limit.ts'
import type { TraceIds } from './trace-ids.ts'
import type { ValueBudget } from './value-budget.ts'
import { headerOf, LINKS_HEADER_NAME, type WireRequest } from './wire.ts'

const BEARER_PREFIX = 'Bearer '

const readHeaderToken = (request: WireRequest): string | undefined => {
  const header = headerOf(request, 'authorization')
  if (header === undefined) return undefined
  // Handles the usual form of the header in half the time of the pattern below.
  const token = header.startsWith(BEARER_PREFIX) ? header.slice(BEARER_PREFIX.length) : ''
  if (token !== '' && !/\s/.test(token)) return token
  return /^(?:Bearer|OAuth) +(\S+) *$/i.exec(header)?.[1]
}

/**
 * Reads the token of a request from a parameter, or from a header with the scheme Bearer or OAuth.
 *
 * @throws GraphError `invalid_parameter` for two different tokens.
 */
const readToken = (request: WireRequest, parameters: RequestParameters): string | undefined => {
  const headerToken = readHeaderToken(request)
  const parameterToken = parameters.getText('access_token')
  if (headerToken !== undefined && parameterToken !== undefined && headerToken !== parameterToken) {
    throw invalidParameterError('access_token', 'one token', 'two different tokens')
  }
  return parameterToken ?? headerToken
}

/** The state that all requests to one handler share. */
export type HandlerContext = {
  readonly engine: Engine
  readonly graph: AnyGraph
  readonly settings: HandlerSettings
  readonly openApi: OpenApiDocuments
  readonly traceIds: TraceIds
  readonly bodyMeter: BodyMeter
}

/** The state that all requests of a batch share. */
export type BatchContext = {
  /** The prefix of links, without a version. */
  readonly baseUrl: string
  readonly version: string | undefined
  /** The token and proof of the batch, for requests that do not have their own. */
  readonly token: string | undefined
  readonly proof: string | undefined
  /**
   * The query of the batch. If a request has no token, the links in its response contain the token and proof
   * from this query.
   */
  readonly query: URLSearchParams
  readonly budget: BatchBudget
  readonly responseLimit: ResponseSizeLimit
  readonly valueBudget: ValueBudget
  /** The deadline, in milliseconds since the epoch. */
  readonly deadline: number
  /** The charges of the batch, which its requests update. */
  readonly charges: RequestCharges
  /** Called before the `run` of the action that the current request names, in a batch that may write. */
  readonly onRun?: () => void
}

/** A parsed request: the call, its credentials, and the prefix of its links. */
export type ParsedRequest = ParsedPath & {
  readonly context: HandlerContext
  readonly request: WireRequest
  /** The method in capital letters. The parameter `method` overrides the method `POST`. */
  readonly method: string
  readonly query: URLSearchParams
  /** The parameters of the query and the body. */
  readonly parameters: RequestParameters
  /** The name of a file in the body. */
  readonly fileName: string | undefined
  readonly token: string | undefined
  readonly proof: string | undefined
  /** The prefix of links, without a version. */
  readonly baseUrl: string
  readonly readApi: JsonReadApi
  readonly charges: RequestCharges
  readonly valueBudget: ValueBudget
  readonly batch: BatchContext | undefined
}

/**
 * Parses `pretty`, which requests an indented response. Ignores invalid text, because an error about the
 * layout would help nobody.
 */
export const parsePretty = (text: string | null | undefined): boolean | undefined => {
  if (text === '1' || text === 'true') return true
  return text === '0' || text === 'false' ? false : undefined
}

const CREDENTIAL_PARAMETERS = ['access_token', 'appsecret_proof'] as const

/**
 * Creates the part of the query that all links of a response share: the credentials from the query of the
 * request or batch, and `pretty`. Each read adds its own parameters to its links. Other parameters are
 * dropped.
 */
const createLinkQuery = (query: URLSearchParams, batchQuery: URLSearchParams | undefined): string => {
  const credentials = CREDENTIAL_PARAMETERS.flatMap(name => {
    const text = query.get(name) || batchQuery?.get(name)
    return text ? [`${name}=${encodeURIComponent(text)}&`] : []
  })
  const pretty = parsePretty(query.get('pretty'))
  return credentials.join('') + (pretty === undefined ? '' : `pretty=${Number(pretty)}&`)
}

/** Creates the hooks of a call: the base of its links, and its charges. */
const createCallHooks = (
  { engine }: HandlerContext,
  baseUrl: string,
  version: string | undefined,
  { query, batchQuery, hasRelativeLinks, charges, batch }: CallHooksInput,
): CallHooks => {
  const { defaultPicture } = engine.registry.schema
  return {
    linkBase: version === undefined ? baseUrl : `${baseUrl}/${version}`,
    linkQuery: hasRelativeLinks ? '' : createLinkQuery(query, batchQuery),
    defaultPicture:
      defaultPicture === DEFAULT_PICTURE_PATH ? `${baseUrl}${DEFAULT_PICTURE_PATH}` : defaultPicture,
    deadline: batch?.deadline,
    onRun: batch?.onRun,
    onSession: session => charges.setSession(session),
    charge: (cost, session) => charges.charge(cost, session),
    chargeScanExcess: (points, session) => charges.chargeWithoutWaiting(points, session),
    onLength: length => charges.trackLength(length),
  }
}

/** The state for handling one request. */
export type RequestContext = {
  readonly charges: RequestCharges
  readonly valueBudget: ValueBudget
  readonly batch: BatchContext | undefined
}

type CallHooksInput = Omit<RequestContext, 'valueBudget'> & {
  readonly query: URLSearchParams
  /** The query of the batch, for a request without its own token. */
  readonly batchQuery: URLSearchParams | undefined
  readonly hasRelativeLinks: boolean
}

const resolveBaseUrl = (
  { settings }: HandlerContext,
  request: WireRequest,
  batch: BatchContext | undefined,
): string => {
  if (batch !== undefined) return batch.baseUrl
  const { baseUrl, basePath, trustProxy } = settings
  return baseUrl ?? `${findOrigin(request, trustProxy) ?? ''}${basePath}`
}

const resolveMethod = (method: string, parameters: RequestParameters): string =>
  method === 'POST' ? (parameters.getText('method') ?? method).toUpperCase() : method

/**
 * Parses a request. `body` contains the parameters in its body.
 *
 * @throws GraphError for an invalid path, host or parameter. No error depends on the data.
 */
export const parseRequest = (
  context: HandlerContext,
  request: WireRequest,
  body: BodyParameters,
  { charges, valueBudget, batch }: RequestContext,
): ParsedRequest => {
  const urlParts = splitUrl(request.url)
  const query = parseQuery(urlParts.query, valueBudget)
  const parameters = new RequestParameters(valueBudget, query, body.parameters)
  const { route, version = batch?.version } = parsePath(
    urlParts.path,
    batch === undefined ? context.settings.basePath : '',
  )
  const hasRelativeLinks = headerOf(request, LINKS_HEADER_NAME) === 'relative'
  const baseUrl = hasRelativeLinks ? '' : resolveBaseUrl(context, request, batch)
  const requestToken = readToken(request, parameters)
  const token = requestToken ?? batch?.token
  // The proof of a batch applies only to the token of the batch.
  const batchProof = token === batch?.token ? batch?.proof : undefined
  const batchQuery = requestToken === undefined ? batch?.query : undefined
  const hooksInput = { query, batchQuery, hasRelativeLinks, charges, batch }
  const hooks = createCallHooks(context, baseUrl, version, hooksInput)
  return {
    version,
    route,
    context,
    request,
    method: resolveMethod(request.method.toUpperCase(), parameters),
    query,
    parameters,
    fileName: body.fileName,
    token,
    proof: parameters.getText('appsecret_proof') ?? batchProof,
    baseUrl,
    readApi: new JsonReadApi(context.engine, hooks),
    charges,
    valueBudget,
    batch,
  }
}
