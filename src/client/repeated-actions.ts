import { ActionCallError } from '../base/action-call-error.ts'
import type { GraphError } from '../base/errors.ts'
import { type HttpResult, isTransient } from './http-result.ts'
import type { RemoteRequest } from './remote-request.ts'

type FailedResult = Extract<HttpResult, { readonly error: GraphError }>

/** The reasons of errors that are detected before an action runs. */
const RATE_LIMIT_REASONS: readonly string[] = ['app_rate_limited', 'user_rate_limited']

/**
 * Whether a request may be sent again after a result. An action may have been carried out, so it is sent again
 * only with a key, or after a rate limit. It is never sent again if the response says that it was carried out.
 */
export const mayRepeat = ({ action }: RemoteRequest, result: HttpResult): boolean => {
  if (action === undefined || 'body' in result) return true
  const { error, sent } = result
  if (sent?.originalResponse !== undefined) return false
  if (RATE_LIMIT_REASONS.includes(error.reason)) return true
  return action.idempotencyKey !== undefined && (sent?.isTransient ?? isTransient(error))
}

/**
 * Returns the error for a caller. The error of an action has the properties that the server sent. If no graph sent
 * it, an action without a key may have been carried out, so callers must not repeat it either.
 */
export const toCallError = ({ action }: RemoteRequest, { error, sent }: FailedResult): GraphError => {
  if (action === undefined) return error
  if (sent !== undefined) return new ActionCallError(error, sent)
  return action.idempotencyKey === undefined ? new ActionCallError(error, { isTransient: false }) : error
}
