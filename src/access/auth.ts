import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { GraphError, isGraphError } from '../base/errors.ts'
import type { Session } from '../base/session.ts'
import type { TokenRecord } from '../store/contract.ts'

/** The reason why a token is not accepted. */
export type AuthFailure = 'invalid' | 'expired' | 'revoked'

/**
 * The result of authenticating a token: its session, or the reason why the token is not accepted. `cause` explains a
 * failure to the operator: it becomes the `cause` of the error, which no response contains.
 */
export type AuthResult =
  | { readonly session: Session }
  | { readonly failure: AuthFailure; readonly cause?: unknown }

/** The reason why an {@link Auth} did not recognize a token. It matters only if no other `Auth` recognizes it. */
export type UnrecognizedToken = { readonly cause: unknown }

/** Clients of the protocol match the first words of these messages. */
const AUTH_ERRORS = {
  invalid: ['token_invalid', 'Invalid OAuth access token'],
  expired: ['token_expired', 'Error validating access token: it has expired'],
  revoked: ['token_revoked', 'Error validating access token: it was revoked'],
} as const

/** Creates the error of a token that is not accepted. */
export const authError = (failure: AuthFailure, cause?: unknown): GraphError => {
  const [reason, message] = AUTH_ERRORS[failure]
  return new GraphError(reason, message, {}, cause === undefined ? {} : { cause })
}

/** The result for an invalid token, and for a token of an unknown kind. */
export const INVALID_TOKEN: AuthResult = { failure: 'invalid' }

/**
 * Authenticates tokens of one kind. A service implements this interface to accept tokens that the graph did
 * not issue.
 */
export interface Auth {
  /**
   * Returns the key of the token's record in the store, or `undefined` if the token has no record. The first
   * store read of a call includes the record.
   */
  digest?(token: string): string | undefined
  /**
   * Returns the session of a token, or the reason why the token is not accepted. Returns `undefined`, or
   * `{ cause }` with the reason, for a token of another kind, which the next {@link Auth} then checks. `record` is
   * the record in the store under the digest. If this method throws, the call fails with `store_error`. A `cause`
   * must not contain the token.
   */
  authenticate(
    token: string,
    record: TokenRecord | undefined,
    signal: AbortSignal | undefined,
  ): Awaitable<AuthResult | UnrecognizedToken | undefined>
}

/** The authentication of one token after the digests are computed. */
export interface StartedAuth {
  /**
   * The keys of the records that authenticate the token. The first store read of a call includes these
   * records.
   */
  readonly digests: readonly string[]
  /**
   * Returns the result, or `undefined` for a token of another kind. `records[i]` is the record in the store
   * under `digests[i]`.
   */
  finish(
    records: readonly (TokenRecord | undefined)[],
    signal: AbortSignal | undefined,
  ): Awaitable<AuthResult | undefined>
}

/** The authentication of a graph, with all its {@link Auth}s. One token may need several records. */
export interface Authenticator {
  /** Starts to authenticate a token. */
  start(token: string): StartedAuth
}

/**
 * Throws a transient error for a token that cannot be checked, for example because keys cannot be fetched.
 * The token may be valid.
 */
const rethrowAsStoreError = (error: unknown): never => {
  if (isGraphError(error)) throw error
  throw new GraphError('store_error', '(#2) The token cannot be checked at present', {}, { cause: error })
}

/**
 * Authenticates a token with its records. A token of an unknown kind is invalid.
 *
 * @throws GraphError `store_error` if the token cannot be checked.
 */
export const finishAuth = (
  startedAuth: StartedAuth,
  records: readonly (TokenRecord | undefined)[],
  signal: AbortSignal | undefined,
): Awaitable<AuthResult> => {
  try {
    const authResult = startedAuth.finish(records, signal)
    return isPromiseLike(authResult)
      ? authResult.then(result => result ?? INVALID_TOKEN, rethrowAsStoreError)
      : (authResult ?? INVALID_TOKEN)
  } catch (error) {
    return rethrowAsStoreError(error)
  }
}
