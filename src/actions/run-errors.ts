import { ActionCallError } from '../base/action-call-error.ts'
import {
  GraphError,
  internalError,
  isGraphError,
  type OriginalResponse,
  toGraphError,
} from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { isActionError, isOwnFailure } from './action-error.ts'

const CONFLICT_STATUS = 409
const INVALID_STATUS = 400

/** The failures of a write, which keep none of their details. */
const WRITE_FAILURES = {
  conflict: { status: CONFLICT_STATUS, message: '(#100) The data was changed in the meantime' },
  invalid_mutation: { status: INVALID_STATUS, message: '(#100) The data cannot be written' },
} as const

/** The reasons that stay. With a key, they are transient. */
const KEPT_REASONS: readonly string[] = ['store_error', 'timeout', 'aborted']

/**
 * Returns the error of a call for an error of its `run`, with the status of an {@link ActionError}. A failure that the
 * action does not declare is a mistake in it.
 */
const toFailure = (
  error: unknown,
  declared: readonly string[] | undefined,
): { readonly error: GraphError; readonly status?: number } => {
  if (isActionError(error)) {
    const { failure, status, message, data, cause } = error
    if (declared !== undefined && isOwnFailure(failure) && !declared.includes(failure))
      return { error: internalError(error) }
    const details: JsonObject = data === undefined ? { failure } : { failure, data }
    return { error: new GraphError('action_failed', message, details, { cause }), status }
  }
  if (!isGraphError(error)) return { error: internalError(error) }
  const { reason } = error
  if (reason === 'conflict' || reason === 'invalid_mutation') {
    const { status, message } = WRITE_FAILURES[reason]
    return { error: new GraphError('action_failed', message, { failure: reason }, { cause: error }), status }
  }
  return { error: KEPT_REASONS.includes(reason) ? error : internalError(error) }
}

/**
 * Converts an error of `run` to the error of the call. `declared` are the failures that the action declares, and
 * `hasKey` is whether the call may be repeated without doing something twice.
 */
export const toRunError = (
  thrown: unknown,
  declared: readonly string[] | undefined,
  hasKey: boolean,
  mask: (error: GraphError) => GraphError,
): GraphError => {
  const { error, status } = toFailure(thrown, declared)
  return new ActionCallError(mask(error), {
    status,
    isTransient: hasKey && KEPT_REASONS.includes(error.reason),
  })
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
export const withOriginalResponse = (error: unknown, originalResponse: OriginalResponse): GraphError =>
  new ActionCallError(toGraphError(error), { isTransient: false, originalResponse })
