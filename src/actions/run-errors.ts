import { ActionCallError } from '../base/action-call-error.ts'
import {
  GraphError,
  internalError,
  isGraphError,
  type OriginalResponse,
  toGraphError,
} from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { isActionError, toReportedFailure } from './action-error.ts'

/** The reasons that stay. With a key, they are transient. */
const KEPT_REASONS: readonly string[] = ['store_error', 'timeout', 'aborted']

/** An error of a call, with a status that does not follow from its reason. */
type Failure = { readonly error: GraphError; readonly status?: number | undefined }

/**
 * Returns the error of a call for an error of its `run`.
 *
 * @throws an error that the caller must not see: a mistake in the action.
 */
const toFailure = (thrown: unknown, declared: readonly string[] | undefined): Failure => {
  if (isActionError(thrown)) {
    const { failure, status, message, data, cause } = toReportedFailure(thrown, declared)
    const details: JsonObject = data === undefined ? { failure } : { failure, data }
    return { error: new GraphError('action_failed', message, details, { cause }), status }
  }
  if (!isGraphError(thrown)) throw thrown
  const { reason, status } = thrown
  if (KEPT_REASONS.includes(reason)) return { error: thrown }
  if (reason !== 'conflict' && reason !== 'invalid_mutation') throw thrown
  const message =
    reason === 'conflict'
      ? '(#100) The data was changed in the meantime'
      : '(#100) The data cannot be written'
  return { error: new GraphError('action_failed', message, { failure: reason }, { cause: thrown }), status }
}

const toMaskedFailure = (
  thrown: unknown,
  declared: readonly string[] | undefined,
  mask: (error: GraphError) => GraphError,
): Failure => {
  try {
    const { error, status } = toFailure(thrown, declared)
    return { error: mask(error), status }
  } catch (cause) {
    return { error: mask(internalError(cause)) }
  }
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
  const { error, status } = toMaskedFailure(thrown, declared, mask)
  return new ActionCallError(error, {
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
