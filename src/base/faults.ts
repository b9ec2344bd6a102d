import type { JsonObject } from './json.ts'

type Kind = {
  readonly status: number
  readonly code: number
  readonly subcode?: number
  readonly type: 'OAuthException' | 'GraphMethodException' | 'GraphBatchException'
  readonly transient?: true
}

/** Every fault there is, under its stable reason. Codes, types and statuses are those of the classic protocol. */
const KINDS = {
  token_missing: { status: 400, code: 104, type: 'OAuthException' },
  viewer_missing: { status: 400, code: 2500, type: 'OAuthException' },
  token_unknown: { status: 400, code: 190, type: 'OAuthException' },
  token_expired: { status: 400, code: 190, subcode: 463, type: 'OAuthException' },
  token_revoked: { status: 400, code: 190, subcode: 466, type: 'OAuthException' },
  proof_invalid: { status: 400, code: 100, type: 'GraphMethodException' },
  node_missing: { status: 400, code: 100, subcode: 33, type: 'GraphMethodException' },
  unknown_field: { status: 400, code: 100, type: 'OAuthException' },
  bad_parameter: { status: 400, code: 100, type: 'OAuthException' },
  syntax: { status: 400, code: 2500, type: 'OAuthException' },
  duplicate: { status: 400, code: 2500, type: 'OAuthException' },
  unknown_path: { status: 400, code: 2500, type: 'OAuthException' },
  not_in_version: { status: 400, code: 12, type: 'OAuthException' },
  scope_missing: { status: 403, code: 200, type: 'OAuthException' },
  method_not_supported: { status: 400, code: 100, subcode: 33, type: 'GraphMethodException' },
  too_many_ids: { status: 400, code: 100, type: 'OAuthException' },
  too_many_batch_items: { status: 400, code: 100, type: 'GraphBatchException' },
  bad_batch: { status: 400, code: 100, type: 'GraphBatchException' },
  request_too_large: { status: 413, code: 1, type: 'OAuthException' },
  request_too_slow: { status: 408, code: 1, type: 'OAuthException' },
  expression_too_long: { status: 400, code: 1, type: 'OAuthException' },
  expression_too_deep: { status: 400, code: 1, type: 'OAuthException' },
  expression_too_wide: { status: 400, code: 1, type: 'OAuthException' },
  too_costly: { status: 400, code: 1, type: 'OAuthException' },
  answer_too_large: { status: 400, code: 1, type: 'OAuthException' },
  rate_limited_app: { status: 403, code: 4, type: 'OAuthException', transient: true },
  rate_limited_user: { status: 403, code: 17, type: 'OAuthException', transient: true },
  invalid_mutation: { status: 400, code: 100, type: 'OAuthException' },
  store_fault: { status: 503, code: 2, type: 'OAuthException', transient: true },
  deadline: { status: 503, code: 2, type: 'OAuthException', transient: true },
  aborted: { status: 503, code: 2, type: 'OAuthException', transient: true },
  internal: { status: 500, code: 1, type: 'OAuthException' },
} as const satisfies { [reason: string]: Kind }

/** The stable word for what went wrong: a closed set, each described in `docs/errors.md`. */
export type FaultReason = keyof typeof KINDS

/** Whether a word is such a reason. */
export const isFaultReason = (word: unknown): word is FaultReason =>
  typeof word === 'string' && Object.hasOwn(KINDS, word)

/** The particulars of a fault. `reason` is always there; what else is depends on it. */
export type FaultData = JsonObject & { readonly reason: FaultReason }

/** The JSON envelope of a fault, as `error.toJSON()` gives it. */
export type FaultEnvelope = {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly is_transient?: true
    readonly code: number
    readonly error_subcode?: number
    readonly error_data: FaultData
    readonly fbtrace_id: string
  }
}

const BRAND = Symbol.for('kithgraph.GraphError')
const TRACE_BYTES = 8

/** Random, in hexadecimal. */
export const newTraceId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(TRACE_BYTES))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * A fault: something that the data, the token or the request is to blame for. What the calling code got wrong
 * (an unknown option, a missing store) is a `TypeError` instead.
 *
 * `cause` holds what a store threw; it is never part of `toJSON()`.
 *
 * @example
 * ```ts
 * import { createGraph, isGraphError } from 'kithgraph'
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const { getMe } = createGraph(createMemoryStore())
 * const error: unknown = await getMe('no such token').catch(error => error)
 * if (!isGraphError(error)) throw error
 * console.log(error.code, error.data.reason) // 190 token_unknown
 * ```
 */
export class GraphError extends Error {
  override readonly name = 'GraphError'
  readonly type: string
  readonly code: number
  readonly subcode: number | undefined
  /** The HTTP status that fits. */
  readonly status: number
  /** Random, for finding the fault again in a log. */
  readonly traceId: string
  readonly data: FaultData
  readonly [BRAND] = true

  constructor(
    reason: FaultReason,
    message: string,
    data: JsonObject = {},
    options: { cause?: unknown; traceId?: string } = {},
  ) {
    super(message, options)
    const kind: Kind = KINDS[reason]
    this.type = kind.type
    this.code = kind.code
    this.subcode = kind.subcode
    this.status = kind.status
    this.traceId = options.traceId ?? newTraceId()
    this.data = { reason, ...data }
  }

  /** The envelope that a client gets: message, type, code and particulars; no cause and no stack. */
  toJSON(): FaultEnvelope {
    const kind: Kind = KINDS[this.data.reason]
    return {
      error: {
        message: this.message,
        type: this.type,
        ...(kind.transient && { is_transient: true }),
        code: this.code,
        ...(this.subcode !== undefined && { error_subcode: this.subcode }),
        error_data: this.data,
        fbtrace_id: this.traceId,
      },
    }
  }
}

/** Whether a value is a {@link GraphError}, of this copy of the library or of another. */
export const isGraphError = (value: unknown): value is GraphError =>
  typeof value === 'object' && value !== null && BRAND in value

/** A mutation or a loaded record that cannot be written: where it is, what would do, what came. */
export const invalidMutation = (index: number, path: string, expected: string, came: string): GraphError =>
  new GraphError(
    'invalid_mutation',
    `(#100) Mutation ${index}: ${path === '' ? '' : `${path} `}must be ${expected}, came ${came}`,
    { index, path, expected, came },
  )

/** A parameter that cannot be used. */
export const badParameter = (parameter: string, expected: string, came: string): GraphError =>
  new GraphError(
    'bad_parameter',
    `(#100) Invalid parameter ${parameter}: expected ${expected}, came ${came}`,
    {
      parameter,
      expected,
      came,
    },
  )

/** Whatever was not foreseen: its text stays in `cause`, since it was not written for callers. */
export const internalFault = (cause: unknown): GraphError =>
  new GraphError(
    'internal',
    '(#1) An unexpected error occurred; the trace id finds it in the log',
    {},
    { cause },
  )
