import { GraphError, isFaultReason } from '../base/faults.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import type { Arrival } from './arrival.ts'

/** What became of one request. */
export type Outcome =
  | { readonly answer: JsonValue }
  | {
      readonly fault: GraphError
      /** Whether another attempt may end otherwise. */
      readonly isPassing: boolean
      /** Whether it was asked wrongly, or for too much, so that a part of it may do. */
      readonly isRefusal: boolean
      /** Milliseconds for which the server wants to be left alone; undefined where it did not say. */
      readonly rest: number | undefined
    }

const SECOND = 1000
const REDIRECTION = 300
const CLIENT_FAULT = 400
const TOO_LARGE = 413
const TOO_MANY_REQUESTS = 429
const SERVER_FAULT = 500

const isPassingStatus = (status: number): boolean => status === TOO_MANY_REQUESTS || status >= SERVER_FAULT

/** Browsers show nothing of a redirection that they do not follow, its status neither. */
const isRedirection = (status: number): boolean =>
  status === 0 || (status >= REDIRECTION && status < CLIENT_FAULT)

const isTransient = (fault: GraphError): boolean => fault.toJSON().error.is_transient === true

/** A request without an answer to look at. */
export const failed = (fault: GraphError): Outcome => ({
  fault,
  isPassing: isTransient(fault),
  isRefusal: false,
  rest: undefined,
})

/** Seconds, or the date of the end. */
const restOf = (retryAfter: string | null, { retry_after: seconds }: JsonObject): number | undefined => {
  const text = retryAfter ?? (typeof seconds === 'number' ? `${seconds}` : '')
  const rest = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : Date.parse(text) - Date.now()
  return Number.isNaN(rest) ? undefined : Math.max(0, rest)
}

const parsed = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An answer that no graph gives, such as a page. What it says is not told: it was not written for callers. */
export const foreignAnswer = (cause: object): GraphError =>
  new GraphError('internal', '(#1) The server did not answer as a graph does', {}, { cause })

/** The same by its status: what stands in front of a server that is down, or busy, answers so for the moment. */
const answeredBy = ({ status, contentType }: Arrival): GraphError => {
  const cause = { status, contentType }
  if (isPassingStatus(status))
    return new GraphError('store_fault', `(#2) The server answered with status ${status}`, {}, { cause })
  if (!isRedirection(status)) return foreignAnswer(cause)
  // Whoever it leads to would get the token, and could answer as they like.
  const message = `(#1) The server redirects (status ${status}), and redirections are not followed`
  return new GraphError('internal', message, {}, { cause })
}

/**
 * The fault in an envelope. One whose reason this version of the library does not know is `store_fault` where another
 * attempt may help, else `internal`: with the server's message, and all that it said as the cause.
 */
const faultIn = (status: number, error: JsonObject): GraphError => {
  const { message, error_data, fbtrace_id: id, is_transient } = error
  const { reason, ...data } = isJsonObject(error_data) ? error_data : {}
  const trace = typeof id === 'string' ? { traceId: id } : {}
  if (isFaultReason(reason)) return new GraphError(reason, `${message}`, data, trace)
  const nearest = is_transient === true ? 'store_fault' : 'internal'
  return new GraphError(nearest, `${message}`, data, { ...trace, cause: { status, error } })
}

/** What an answer means: a success its JSON, everything else a fault. */
export const outcomeOf = (arrival: Arrival): Outcome => {
  const { status, retryAfter, text } = arrival
  const body = parsed(text)
  const isSuccess = status >= 200 && status < REDIRECTION
  if (isSuccess && typeof body === 'object' && body !== null) return { answer: body }
  const error = isJsonObject(body) && status >= CLIENT_FAULT ? body.error : undefined
  const isOfGraph = isJsonObject(error) && typeof error.message === 'string'
  const fault = isOfGraph ? faultIn(status, error) : answeredBy(arrival)
  const isPassing = isTransient(fault) || isPassingStatus(status)
  const isRefusal = !isPassing && (isOfGraph || status === TOO_LARGE)
  return { fault, isPassing, isRefusal, rest: restOf(retryAfter, fault.data) }
}
