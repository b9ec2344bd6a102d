import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import type { GraphError } from '../base/errors.ts'
import { type BodyMeasurement, type BodyMeter, matchesEtag } from './body-meter.ts'
import { headerOf, VARY_HEADER_VALUE, type WireRequest, type WireResponse } from './wire.ts'

/** The result of a route: JSON text, or a complete response of another kind. */
export type RouteResult = string | WireResponse

/** The options of a response. */
export type ResponseOptions = {
  /** The version that served the request. */
  readonly version: string
  readonly pretty: boolean
}

/** The options of a successful response, with its trace id. */
export type TracedResponseOptions = ResponseOptions & { readonly traceId: string }

/** The options of a successful JSON response. */
export type JsonResponseOptions = TracedResponseOptions & { readonly bodyMeter: BodyMeter }

const encoder = new TextEncoder()

const JSON_CONTENT_TYPE = 'application/json; charset=UTF-8'
const MAX_CHALLENGE_LENGTH = 400

const createLengthHeader = (body: string | undefined): { readonly [name: string]: string } =>
  body === undefined ? {} : { 'Content-Length': `${encoder.encode(body).length}` }

/** Adds the version, the trace id and the length to a response that is not JSON. */
export const addStandardHeaders = (
  { status, headers, body }: WireResponse,
  { version, traceId }: TracedResponseOptions,
): WireResponse => ({
  status,
  headers: {
    'facebook-api-version': version,
    'x-fb-trace-id': traceId,
    ...createLengthHeader(body),
    ...headers,
  },
  body,
})

/**
 * The maximum length, in characters, of a text that is indented. Indentation makes lists of numbers many
 * times longer.
 */
const MAX_INDENTED_LENGTH = 262_144

/** Indents JSON text, unless it is very long. */
export const indentJson = (text: string): string =>
  text.length > MAX_INDENTED_LENGTH ? text : JSON.stringify(JSON.parse(text), undefined, 2)

/** The headers of a JSON response that no cache may keep. */
const UNCACHED_HEADERS = {
  'Content-Type': JSON_CONTENT_TYPE,
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'private, no-store',
  Vary: VARY_HEADER_VALUE,
}

/** Creates a successful JSON response that no cache may keep, without an `ETag` and the standard headers. */
export const createUncachedResponse = (body: string): WireResponse => ({
  status: 200,
  headers: UNCACHED_HEADERS,
  body,
})

const NOT_MODIFIED_STATUS = 304

/** Creates a successful response with an `ETag`, or a 304 response if the client already has the body. */
export const createSuccessResponse = (
  request: WireRequest,
  body: string,
  options: JsonResponseOptions,
): Awaitable<WireResponse> => {
  const measurement = options.bodyMeter.measure(body)
  return isPromiseLike(measurement)
    ? measurement.then(settledMeasurement => createJsonResponse(request, body, settledMeasurement, options))
    : createJsonResponse(request, body, measurement, options)
}

const createJsonResponse = (
  request: WireRequest,
  body: string,
  { etag, encodedBytes }: BodyMeasurement,
  { version, traceId }: TracedResponseOptions,
): WireResponse => {
  if (isCachedByClient(request, etag)) return createNotModifiedResponse(etag, version, traceId)
  return {
    status: 200,
    // Uses one object literal, because spreading objects would take several times as long.
    headers: {
      'Content-Type': JSON_CONTENT_TYPE,
      'X-Content-Type-Options': 'nosniff',
      'facebook-api-version': version,
      'x-fb-trace-id': traceId,
      'Cache-Control': 'private',
      Vary: VARY_HEADER_VALUE,
      'Content-Length': `${encodedBytes}`,
      ETag: etag,
    },
    body,
  }
}

/**
 * Whether the client already has this body. A response to `POST` always has a body, because the status 304 is
 * only for `GET` and `HEAD`.
 */
const isCachedByClient = (request: WireRequest, etag: string): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  matchesEtag(headerOf(request, 'if-none-match'), etag)

const createNotModifiedResponse = (etag: string, version: string, traceId: string): WireResponse => ({
  status: NOT_MODIFIED_STATUS,
  headers: {
    'facebook-api-version': version,
    'x-fb-trace-id': traceId,
    'Cache-Control': 'private',
    Vary: VARY_HEADER_VALUE,
    ETag: etag,
  },
  body: undefined,
})

/** Quotes text for a header. Characters other than printable ASCII become question marks. */
const quoteHeaderText = (text: string): string =>
  `"${text
    .slice(0, MAX_CHALLENGE_LENGTH)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .replaceAll(/["\\]/g, '\\$&')}"`

const formatChallenge = ({ code, message }: GraphError): string =>
  `OAuth "Facebook Platform" ${quoteHeaderText(code === 190 ? 'invalid_token' : 'invalid_request')} ${quoteHeaderText(message)}`

const MIN_SERVER_ERROR_STATUS = 500

/** Creates the response for an error. The body is the error envelope. */
export const createErrorResponse = (
  error: GraphError,
  { version, pretty }: ResponseOptions,
): WireResponse => {
  const { retry_after: retryAfter } = error.data
  const text = JSON.stringify(error.toJSON())
  const body = pretty ? indentJson(text) : text
  return {
    status: error.status,
    headers: {
      ...UNCACHED_HEADERS,
      'facebook-api-version': version,
      'x-fb-trace-id': error.traceId,
      ...createLengthHeader(body),
      ...(error.status < MIN_SERVER_ERROR_STATUS && { 'WWW-Authenticate': formatChallenge(error) }),
      ...(typeof retryAfter === 'number' && { 'Retry-After': `${retryAfter}` }),
    },
    body,
  }
}
