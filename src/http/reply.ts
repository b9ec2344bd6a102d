import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { type GraphError, internalFault, isGraphError } from '../base/faults.ts'
import { type BodyMeter, isKnown, type Measured } from './etag.ts'
import { headerOf, VARY, type WireRequest, type WireResponse } from './wire.ts'

/** What a route answers: JSON text, or a whole response of another kind. */
export type Answer = string | WireResponse

/** What is said of a response beside its body. */
export type Remarks = {
  /** The version that served it. */
  readonly version: string
  readonly pretty: boolean
}

/** The same of a success, which has no trace id of its own. */
export type Traced = Remarks & { readonly traceId: string }

/** The same of a success that is text. */
export type Measuring = Traced & { readonly meter: BodyMeter }

const encoder = new TextEncoder()

const JSON_TYPE = 'application/json; charset=UTF-8'
const MAX_REASON = 400

const lengthOf = (body: string | undefined): { readonly [name: string]: string } =>
  body === undefined ? {} : { 'Content-Length': `${encoder.encode(body).length}` }

/** What is no JSON keeps its headers, beside those that every response has. */
export const other = (
  { status, headers, body }: WireResponse,
  { version, traceId }: Traced,
): WireResponse => ({
  status,
  headers: { 'facebook-api-version': version, 'x-fb-trace-id': traceId, ...lengthOf(body), ...headers },
  body,
})

/** Characters that somebody may still read. Indented, lists of numbers grow to many times their length. */
const READABLE = 262_144

/** JSON text laid out for people. */
export const indented = (text: string): string =>
  text.length > READABLE ? text : JSON.stringify(JSON.parse(text), undefined, 2)

const NOT_MODIFIED = 304

/** A successful answer as it is laid out, with a validator, or without a body where the client has it already. */
export const success = (
  request: WireRequest,
  body: string,
  measuring: Measuring,
): Awaitable<WireResponse> => {
  const measured = measuring.meter.measure(body)
  return isPromiseLike(measured)
    ? measured.then(late => whole(request, body, late, measuring))
    : whole(request, body, measured, measuring)
}

const whole = (
  request: WireRequest,
  body: string,
  { etag, length }: Measured,
  { version, traceId }: Traced,
): WireResponse => {
  if (isAtHand(request, etag)) return notModified(etag, version, traceId)
  return {
    status: 200,
    // One literal: to put it together of parts would take several times as long.
    headers: {
      'Content-Type': JSON_TYPE,
      'X-Content-Type-Options': 'nosniff',
      'facebook-api-version': version,
      'x-fb-trace-id': traceId,
      'Cache-Control': 'private',
      Vary: VARY,
      'Content-Length': `${length}`,
      ETag: etag,
    },
    body,
  }
}

/** Whether a client has this already. What is read by `POST` is sent in full: 304 is not for other methods than these. */
const isAtHand = (request: WireRequest, etag: string): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && isKnown(headerOf(request, 'if-none-match'), etag)

const notModified = (etag: string, version: string, traceId: string): WireResponse => ({
  status: NOT_MODIFIED,
  headers: {
    'facebook-api-version': version,
    'x-fb-trace-id': traceId,
    'Cache-Control': 'private',
    Vary: VARY,
    ETag: etag,
  },
  body: undefined,
})

/** Text in quotes, as a header can carry it: what is no printable ASCII is a question mark. */
const quoted = (text: string): string =>
  `"${text
    .slice(0, MAX_REASON)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .replaceAll(/["\\]/g, '\\$&')}"`

const challenge = ({ code, message }: GraphError): string =>
  `OAuth "Facebook Platform" ${quoted(code === 190 ? 'invalid_token' : 'invalid_request')} ${quoted(message)}`

/** Whatever was thrown as a fault: what was not foreseen says nothing of itself. */
export const faultOf = (error: unknown): GraphError => (isGraphError(error) ? error : internalFault(error))

const SERVER_FAULT = 500

/** A fault in its envelope. */
export const failure = (fault: GraphError, { version, pretty }: Remarks): WireResponse => {
  const { retry_after: retryAfter } = fault.data
  const text = JSON.stringify(fault.toJSON())
  const body = pretty ? indented(text) : text
  return {
    status: fault.status,
    headers: {
      'Content-Type': JSON_TYPE,
      'X-Content-Type-Options': 'nosniff',
      'facebook-api-version': version,
      'x-fb-trace-id': fault.traceId,
      'Cache-Control': 'private, no-store',
      Vary: VARY,
      ...lengthOf(body),
      ...(fault.status < SERVER_FAULT && { 'WWW-Authenticate': challenge(fault) }),
      ...(typeof retryAfter === 'number' && { 'Retry-After': `${retryAfter}` }),
    },
    body,
  }
}
