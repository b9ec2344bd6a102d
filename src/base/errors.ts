import { ERROR_KINDS, type ErrorKind, type ErrorReason } from './error-kinds.ts'
import { isObject, type JsonObject } from './json.ts'
import { formatMismatch } from './usage-error.ts'

/**
 * The details of an error, such as `parameter` or `limit`. They depend on the reason. The reason itself is in
 * `error.reason`.
 */
export type ErrorData = JsonObject & { readonly reason?: never }

/** The JSON envelope of an error, which `error.toJSON()` returns. */
export type ErrorEnvelope = {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly is_transient?: true
    readonly code: number
    readonly error_subcode?: number
    readonly error_data: JsonObject & { readonly reason: ErrorReason }
    readonly fbtrace_id: string
    /** Present if an action was carried out, and the read after it failed. */
    readonly original_response?: { readonly id: string }
  }
}

/** The result of an action that was carried out: the public id of its node, and the revision of its write. */
export type OriginalResponse = { readonly id: string; readonly revision?: string | undefined }

const ERROR_BRAND = Symbol.for('kithgraph.GraphError')
const TRACE_BYTES = 8

/** Returns a random trace id: 16 hexadecimal digits. */
export const createTraceId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(TRACE_BYTES))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * An error in the data, the token or the request. An error in the calling code, such as an unknown option or
 * a missing store, is a `TypeError` instead.
 *
 * `cause` is the error that a store or a resolver threw, or the reason why a JWT is not accepted. The cause of a `conflict` is `{ found }`, the value
 * that a condition was compared with: all fields for the path `when.exists`, and undefined for a missing record.
 * The cause is never part of `toJSON()`, but `console.log(error)` prints it.
 *
 * @example
 * ```ts
 * import { createGraph, isGraphError } from 'kithgraph'
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const { getMe } = createGraph(createMemoryStore())
 * const error: unknown = await getMe('no such token').catch(error => error)
 * if (!isGraphError(error)) throw error
 * console.log(error.code, error.reason) // 190 token_invalid
 * ```
 */
export class GraphError extends Error {
  override readonly name = 'GraphError'
  /** The stable reason; see `docs/errors.md`. */
  readonly reason: ErrorReason
  readonly type: string
  readonly code: number
  readonly subcode: number | undefined
  /** The HTTP status of a response with this error. */
  readonly status: number
  /** A random id of the error. The library does not write logs. Log this id to find the error later. */
  readonly traceId: string
  readonly data: ErrorData
  /** The result of an action that was carried out, if the read after it failed. */
  declare readonly originalResponse?: OriginalResponse | undefined
  readonly [ERROR_BRAND] = true

  constructor(
    reason: ErrorReason,
    message: string,
    data: ErrorData = {},
    options: { cause?: unknown; traceId?: string } = {},
  ) {
    super(message, options)
    const kind: ErrorKind = ERROR_KINDS[reason]
    this.reason = reason
    this.type = kind.type ?? 'OAuthException'
    this.code = kind.code
    this.subcode = kind.subcode
    this.status = kind.status
    this.traceId = options.traceId ?? createTraceId()
    this.data = data
  }

  /** Returns the envelope for a client: message, type, code and data, without the cause and the stack. */
  toJSON(): ErrorEnvelope {
    const kind: ErrorKind = ERROR_KINDS[this.reason]
    return {
      error: {
        message: this.message,
        type: this.type,
        ...(kind.transient && { is_transient: true }),
        code: this.code,
        ...(this.subcode !== undefined && { error_subcode: this.subcode }),
        error_data: { reason: this.reason, ...this.data },
        fbtrace_id: this.traceId,
      },
    }
  }
}

/** Whether a value is a {@link GraphError}, even if another copy of the library created it. */
export const isGraphError = (value: unknown): value is GraphError => isObject(value) && ERROR_BRAND in value

/** The message by which clients recognize a request that is too large or too expensive. */
export const REDUCE_DATA_MESSAGE = "Please reduce the amount of data you're asking for"

/** `recordLabel` is "Mutation 0" or "Line 3"; an empty path means the record itself. */
const formatInvalidRecord = (recordLabel: string, path: string, expected: string, received: string): string =>
  formatMismatch(path === '' ? recordLabel : `${recordLabel}: "${path}"`, expected, received)

/**
 * Creates the error for a mutation that cannot be written: `(#100) Mutation 0: "id" must be …; received …`.
 */
export const invalidMutationError = (
  index: number,
  path: string,
  expected: string,
  received: string,
): GraphError =>
  new GraphError(
    'invalid_mutation',
    `(#100) ${formatInvalidRecord(`Mutation ${index}`, path, expected, received)}`,
    { index, path, expected, received },
  )

/**
 * Creates the error for a condition that does not hold. Only its cause contains what was found, because
 * services return the other parts to their callers.
 */
export const conflictError = (index: number, path: string, found: unknown): GraphError =>
  new GraphError(
    'conflict',
    `(#100) Mutation ${index}: the condition "${path}" does not hold`,
    { index, path },
    { cause: { found } },
  )

/** Creates the error for a batch whose id belongs to another batch. */
export const batchConflictError = (): GraphError =>
  new GraphError(
    'conflict',
    '(#100) Invalid parameter "id": must be unique; received the id of another batch',
    { path: 'id' },
  )

/**
 * Creates the error for a loaded record that cannot be written: `(#100) Line 3: "node.id" must be …; received
 * …`.
 */
export const invalidRecordError = (
  { unit, line }: { readonly unit: 'Line' | 'Item'; readonly line: number },
  path: string,
  expected: string,
  received: string,
): GraphError =>
  new GraphError(
    'invalid_mutation',
    `(#100) ${formatInvalidRecord(`${unit} ${line}`, path, expected, received)}`,
    { line, path, expected, received },
  )

/**
 * Creates the error for a parameter: `(#100) Invalid parameter "limit": must be an integer; received 1.5`.
 */
export const invalidParameterError = (parameter: string, expected: string, received: string): GraphError =>
  new GraphError(
    'invalid_parameter',
    `(#100) ${formatMismatch(`Invalid parameter "${parameter}":`, expected, received)}`,
    { parameter, expected, received },
  )

/**
 * Creates the error for an unexpected exception, which becomes its `cause`. The message does not contain the
 * text of the exception, because clients must not see it.
 */
export const internalError = (cause: unknown): GraphError =>
  new GraphError(
    'internal_error',
    '(#1) An unexpected error occurred; its trace id identifies it',
    {},
    { cause },
  )

/**
 * Converts a thrown value to a GraphError. An unexpected value becomes an `internal_error` without details.
 */
export const toGraphError = (error: unknown): GraphError =>
  isGraphError(error) ? error : internalError(error)

/** Creates the error for a call whose signal was aborted with a reason. */
export const abortedError = (reason: unknown): GraphError =>
  new GraphError('aborted', '(#2) The request was aborted', {}, { cause: reason })

/** Creates the error for a call that exceeded its timeout. */
export const timeoutError = (options?: { readonly cause: object }): GraphError =>
  new GraphError('timeout', '(#2) The request exceeded its timeout', {}, options)
