import type { ActionCallErrorOptions } from '../base/action-call-error.ts'
import { isErrorReason } from '../base/error-kinds.ts'
import { GraphError } from '../base/errors.ts'
import { isNonArrayObject, isObject, type JsonObject, type JsonValue } from '../base/json.ts'
import type { RawResponse } from './raw-response.ts'

/** The result of one request. */
export type HttpResult =
  | { readonly body: JsonValue }
  | {
      readonly error: GraphError
      /** The properties of the error in its envelope; undefined if no graph sent the error. */
      readonly sent: ActionCallErrorOptions | undefined
      /** Whether another attempt may succeed. */
      readonly retryable: boolean
      /**
       * Whether the request is invalid or exceeds a limit, so that a part of a batch may succeed without the
       * rest.
       */
      readonly isClientError: boolean
      /** The delay in milliseconds that the server requests; undefined if it requests none. */
      readonly retryAfterMs: number | undefined
    }

const MS_PER_SECOND = 1000
const MIN_REDIRECTION_STATUS = 300
const MIN_CLIENT_ERROR_STATUS = 400
const TOO_LARGE_STATUS = 413
const TOO_MANY_REQUESTS_STATUS = 429
const MIN_SERVER_ERROR_STATUS = 500

const isRetryableStatus = (status: number): boolean =>
  status === TOO_MANY_REQUESTS_STATUS || status >= MIN_SERVER_ERROR_STATUS

/** Browsers hide redirects that they do not follow, including their status. */
const isRedirection = (status: number): boolean =>
  status === 0 || (status >= MIN_REDIRECTION_STATUS && status < MIN_CLIENT_ERROR_STATUS)

/** Whether an error is transient according to its envelope. */
export const isTransient = (error: GraphError): boolean => error.toJSON().error.is_transient === true

/** Creates the result of a request without a response. */
export const createFailure = (error: GraphError): HttpResult => ({
  error,
  sent: undefined,
  retryable: isTransient(error),
  isClientError: false,
  retryAfterMs: undefined,
})

/** Parses `Retry-After`: seconds, or a date. */
const parseRetryAfter = (
  retryAfter: string | null,
  { retry_after: seconds }: JsonObject,
): number | undefined => {
  const text = retryAfter ?? (typeof seconds === 'number' ? `${seconds}` : '')
  const delayMs = /^\d{1,9}$/.test(text) ? Number(text) * MS_PER_SECOND : Date.parse(text) - Date.now()
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs)
}

const parseJson = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Creates the error for a response that no graph sends, such as an HTML page. The error does not show the
 * text of the response, because that text is not meant for callers.
 */
export const unexpectedResponseError = (cause: object): GraphError =>
  new GraphError(
    'internal_error',
    '(#1) The response of the server does not come from a graph',
    {},
    { cause },
  )

/**
 * Creates the error for the status of a response that no graph sends. The error is `store_error` if a retry
 * may help, because a proxy may send such a status while its server is down or busy. Otherwise, it is
 * `internal_error`.
 */
const toStatusError = ({ status, contentType }: RawResponse): GraphError => {
  const cause = { status, contentType }
  if (isRetryableStatus(status))
    return new GraphError('store_error', `(#2) The server responded with status ${status}`, {}, { cause })
  if (!isRedirection(status)) return unexpectedResponseError(cause)
  // The target of the redirect would receive the token and could respond with anything.
  const message = `(#1) The server redirects (status ${status}), and the client does not follow redirects`
  return new GraphError('internal_error', message, {}, { cause })
}

/**
 * Parses the error in an envelope. If this version of the library does not have the reason, the reason
 * becomes `store_error` for a transient error, and otherwise `internal_error`. The message is kept, and the
 * envelope becomes the cause.
 */
const parseGraphError = (status: number, error: JsonObject): GraphError => {
  const { message, error_data, fbtrace_id: traceId, is_transient } = error
  const { reason, ...data } = isNonArrayObject(error_data) ? error_data : {}
  const traceOptions = typeof traceId === 'string' ? { traceId } : {}
  if (isErrorReason(reason)) return new GraphError(reason, `${message}`, data, traceOptions)
  const nearestReason = is_transient === true ? 'store_error' : 'internal_error'
  return new GraphError(nearestReason, `${message}`, data, { ...traceOptions, cause: { status, error } })
}

const parseSentProperties = (
  status: number,
  { is_transient, original_response: response }: JsonObject,
): ActionCallErrorOptions => ({
  status,
  isTransient: is_transient === true,
  ...(isNonArrayObject(response) &&
    typeof response.id === 'string' && { originalResponse: { id: response.id } }),
})

/** Converts a response to a result: the JSON of a successful response, or the error of any other response. */
export const toHttpResult = (response: RawResponse): HttpResult => {
  const { status, retryAfter, text } = response
  const body = parseJson(text)
  const isSuccess = status >= 200 && status < MIN_REDIRECTION_STATUS
  if (isSuccess && isObject(body)) return { body }
  const errorBody = isNonArrayObject(body) && status >= MIN_CLIENT_ERROR_STATUS ? body.error : undefined
  const isGraphErrorBody = isNonArrayObject(errorBody) && typeof errorBody.message === 'string'
  const sent = isGraphErrorBody ? parseSentProperties(status, errorBody) : undefined
  const error = isGraphErrorBody ? parseGraphError(status, errorBody) : toStatusError(response)
  const retryable = isTransient(error) || isRetryableStatus(status)
  const isClientError = !retryable && (isGraphErrorBody || status === TOO_LARGE_STATUS)
  return { error, sent, retryable, isClientError, retryAfterMs: parseRetryAfter(retryAfter, error.data) }
}
