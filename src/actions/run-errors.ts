import {
  GraphError,
  internalError,
  isGraphError,
  type OriginalResponse,
  toGraphError,
} from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { isActionError } from './action-error.ts'

const CONFLICT_STATUS = 409
const INVALID_STATUS = 400

/** The failures of a write, which keep none of their details. */
const WRITE_FAILURES = {
  conflict: { status: CONFLICT_STATUS, message: '(#100) The data was changed in the meantime' },
  invalid_mutation: { status: INVALID_STATUS, message: '(#100) The data cannot be written' },
} as const

const TRANSIENT_REASONS: readonly string[] = ['store_error', 'timeout', 'aborted']

/**
 * Converts an error of `run` to the error of the call. `hasKey` is whether the call may be repeated without doing
 * something twice.
 */
export const toRunError = (error: unknown, hasKey: boolean): GraphError => {
  if (isActionError(error)) {
    const { failure, status, message, data, cause } = error
    const details: JsonObject = data === undefined ? { failure } : { failure, data }
    return new GraphError('action_failed', message, details, { status, cause })
  }
  if (!isGraphError(error)) return internalError(error)
  const { reason, message, data, cause, traceId } = error
  if (reason === 'conflict' || reason === 'invalid_mutation') {
    const failure = WRITE_FAILURES[reason]
    return new GraphError(
      'action_failed',
      failure.message,
      { failure: reason },
      { status: failure.status, cause: error },
    )
  }
  if (!TRANSIENT_REASONS.includes(reason)) return internalError(error)
  return new GraphError(reason, message, data, { cause, traceId, isTransient: hasKey })
}

/** Creates the error for a `run` that exceeded its time limit. */
export const runTimeoutError = (): GraphError =>
  new GraphError('timeout', '(#2) The action exceeded its time limit. It may have been carried out')

/** Creates the error for a result that the action does not declare. */
export const badResultError = (cause: unknown): GraphError =>
  new GraphError(
    'internal_error',
    '(#1) The action was carried out, but its result is not valid',
    {},
    { cause },
  )

/** Adds the result of the action to the error of the read after it. The action must not be repeated. */
export const withOriginalResponse = (error: unknown, originalResponse: OriginalResponse): GraphError => {
  const { reason, message, data, cause, traceId, status } = toGraphError(error)
  return new GraphError(reason, message, data, {
    cause,
    traceId,
    status,
    isTransient: false,
    originalResponse,
  })
}
