/** The properties of an error that follow from its reason. */
export type ErrorKind = {
  readonly status: number
  readonly code: number
  readonly subcode?: number
  /** Default `OAuthException`. */
  readonly type?: 'GraphMethodException' | 'GraphBatchException'
  readonly transient?: true
}

/**
 * The properties of each error by its stable reason. Codes, types and statuses are those of the classic
 * protocol.
 */
export const ERROR_KINDS = {
  token_missing: { status: 400, code: 104 },
  viewer_required: { status: 400, code: 2500 },
  token_invalid: { status: 400, code: 190 },
  token_expired: { status: 400, code: 190, subcode: 463 },
  token_revoked: { status: 400, code: 190, subcode: 466 },
  proof_invalid: { status: 400, code: 100, type: 'GraphMethodException' },
  node_not_found: { status: 400, code: 100, subcode: 33, type: 'GraphMethodException' },
  field_not_found: { status: 400, code: 100 },
  invalid_parameter: { status: 400, code: 100 },
  invalid_syntax: { status: 400, code: 2500 },
  duplicate_name: { status: 400, code: 2500 },
  path_not_found: { status: 400, code: 2500 },
  field_not_in_version: { status: 400, code: 12 },
  scope_missing: { status: 403, code: 200 },
  method_not_supported: { status: 400, code: 100, subcode: 33, type: 'GraphMethodException' },
  too_many_ids: { status: 400, code: 100 },
  batch_too_large: { status: 400, code: 100, type: 'GraphBatchException' },
  invalid_batch: { status: 400, code: 100, type: 'GraphBatchException' },
  request_too_large: { status: 413, code: 1 },
  request_too_slow: { status: 408, code: 1 },
  expression_too_long: { status: 400, code: 1 },
  expression_too_deep: { status: 400, code: 1 },
  expression_too_wide: { status: 400, code: 1 },
  query_too_expensive: { status: 400, code: 1 },
  response_too_large: { status: 400, code: 1 },
  app_rate_limited: { status: 403, code: 4, transient: true },
  user_rate_limited: { status: 403, code: 17, transient: true },
  conflict: { status: 409, code: 100 },
  invalid_mutation: { status: 400, code: 100 },
  action_denied: { status: 403, code: 200 },
  action_failed: { status: 400, code: 100 },
  origin_not_allowed: { status: 403, code: 200 },
  store_error: { status: 503, code: 2, transient: true },
  timeout: { status: 503, code: 2, transient: true },
  aborted: { status: 503, code: 2, transient: true },
  internal_error: { status: 500, code: 1 },
} as const satisfies { [reason: string]: ErrorKind }

/** The stable reason of an error. `docs/errors.md` describes each reason. */
export type ErrorReason = keyof typeof ERROR_KINDS

/** Whether a word is the reason of an error. */
export const isErrorReason = (word: unknown): word is ErrorReason =>
  typeof word === 'string' && Object.hasOwn(ERROR_KINDS, word)
