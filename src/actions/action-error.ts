import { describeValue } from '../base/describe.ts'
import type { PublicId } from '../base/ids.ts'
import { isObject, isPlainObject, type JsonValue } from '../base/json.ts'
import { formatChoices, usageError } from '../base/usage-error.ts'
import { jsonType } from '../schema/json-type.ts'

const STATUSES = [400, 403, 404, 409, 410, 422, 429] as const
const FAILURE_PATTERN = /^[a-z][a-z0-9_]*$/
/** The failures that the library itself reports. */
const LIBRARY_FAILURES = ['conflict', 'invalid_mutation', 'key_reused'] as const
const KEY_REUSED_FAILURE: LibraryFailure = 'key_reused'
const BRAND = Symbol.for('kithgraph.ActionError')

/** A failure that the library itself reports for an action. */
export type LibraryFailure = (typeof LIBRARY_FAILURES)[number]

/** What a failure of an action must be. */
export const EXPECTED_FAILURE = 'a word [a-z][a-z0-9_]* of your own'

/** Whether an action may report a failure of this name. */
export const isOwnFailure = (failure: unknown): failure is string =>
  typeof failure === 'string' &&
  FAILURE_PATTERN.test(failure) &&
  !LIBRARY_FAILURES.some(word => word === failure)

/** A JSON value that an action sends to its callers. It contains no raw id: `graph.ids.toPublic` converts it. */
export type FailureValue =
  | PublicId
  | number
  | boolean
  | null
  | readonly FailureValue[]
  | { readonly [name: string]: FailureValue }

/** The options of an {@link ActionError}. */
export type ActionErrorOptions = {
  /** The HTTP status of a response with this error. Default 400. */
  readonly status?: (typeof STATUSES)[number] | undefined
  /** The message for the caller, which leaves as it is. */
  readonly message: string
  /** Details for the caller, which leave as they are. */
  readonly data?: { readonly [name: string]: FailureValue } | undefined
  /** The cause, which stays on the server. */
  readonly cause?: unknown
}

/**
 * A failure that an action reports to its caller: an error with the reason `action_failed`, whose
 * `error_data.failure` is this word.
 *
 * @throws TypeError for a failure that is not a word `[a-z][a-z0-9_]*` or belongs to the library, for another status
 * than 400, 403, 404, 409, 410, 422 and 429, and for data that is not JSON or has more than 100 levels.
 * @example
 * ```ts
 * import { ActionError } from 'kithgraph/actions'
 *
 * const error = new ActionError('already_member', { status: 409, message: 'You are a member already.' })
 * console.log(error.failure, error.status) // already_member 409
 * ```
 */
export class ActionError extends Error {
  override readonly name = 'ActionError'
  readonly failure: string
  readonly status: number
  readonly data: ActionErrorOptions['data']
  readonly [BRAND] = true

  constructor(failure: string, options: ActionErrorOptions) {
    if (options !== KEY_REUSED) assertOwnFailure(failure)
    assertOptions(options ?? {})
    const { message, status = 400, data, cause } = options
    super(message, cause === undefined ? {} : { cause })
    this.failure = failure
    this.status = status
    this.data = data
  }
}

/** The options of the only error of this class that the library itself creates. */
const KEY_REUSED: ActionErrorOptions = Object.freeze({
  status: 409,
  message: '(#100) The idempotency key was used before with other parameters',
})

const assertOwnFailure = (failure: unknown): void => {
  if (!isOwnFailure(failure))
    throw usageError('ActionError', 'failure', EXPECTED_FAILURE, describeValue(failure))
}

type UncheckedOptions = { readonly [N in keyof ActionErrorOptions]?: unknown }

const assertOptions = ({ status = 400, message, data = {} }: UncheckedOptions): void => {
  if (!STATUSES.some(allowed => allowed === status))
    throw usageError('ActionError', 'status', `one of ${STATUSES.join(', ')}`, describeValue(status))
  if (typeof message !== 'string')
    throw usageError('ActionError', 'message', 'a string', describeValue(message))
  if (!isPlainObject(data) || !jsonType.isValid(data))
    throw usageError(
      'ActionError',
      'data',
      'an object of JSON values with at most 100 levels',
      describeValue(data),
    )
}

/** Whether a value is an {@link ActionError}, even if another copy of the library created it. */
export const isActionError = (value: unknown): value is ActionError => isObject(value) && BRAND in value

/** The parts of an {@link ActionError} that its caller receives, and its cause. */
export type ReportedFailure = Pick<ActionError, 'failure' | 'status' | 'message' | 'cause'> & {
  readonly data: JsonValue | undefined
}

/**
 * Returns the parts of an error that another copy of the library may have created, or that a program has changed. Each
 * part is read once and copied, so that the caller receives what was checked. `declared` are the failures that the
 * action declares.
 *
 * @throws TypeError for a failure that the action cannot report, and for other parts that are not valid.
 */
export const toReportedFailure = (
  error: ActionError,
  declared: readonly string[] | undefined,
): ReportedFailure => {
  const { failure, status, message, data, cause } = error
  assertOptions({ status, message, data })
  if (failure !== KEY_REUSED_FAILURE) {
    assertOwnFailure(failure)
    if (declared !== undefined) assertDeclared('ActionError', failure, declared)
  }
  return { failure, status, message, data: data === undefined ? undefined : jsonType.parse(data), cause }
}

/** @throws TypeError for a failure that is not declared. */
export const assertDeclared = (location: string, failure: string, declared: readonly string[]): void => {
  if (declared.includes(failure)) return
  const expected = declared.length === 0 ? 'declared in "failures" of the action' : formatChoices(declared)
  throw usageError(location, 'failure', expected, describeValue(failure))
}

/**
 * Creates the error for a key that was used before with other parameters: `action_failed` with the failure `key_reused`
 * and the status 409. `write` throws it itself. An action that writes with code of its own throws it if what the call
 * has stored before does not match its parameters.
 *
 * @example
 * ```ts
 * import { keyReusedError } from 'kithgraph/actions'
 *
 * const { failure, status } = keyReusedError()
 * console.log(failure, status) // key_reused 409
 * ```
 */
export const keyReusedError = (): ActionError => new ActionError(KEY_REUSED_FAILURE, KEY_REUSED)
