import type { Awaitable } from '../base/awaitable.ts'
import { GraphError, isGraphError } from '../base/errors.ts'
import type { Session } from '../base/session.ts'
import type { TokenRecord } from '../store/contract.ts'

/** The reason why a token is not accepted. */
export type AuthFailure = 'invalid' | 'expired' | 'revoked'

/** The result of authenticating a token: its session, or the reason why it is not accepted. */
export type AuthResult = { readonly session: Session } | { readonly failure: AuthFailure }

/** The result for a token of an unknown kind. */
export const INVALID_TOKEN: AuthResult = { failure: 'invalid' }

/**
 * Authenticates tokens of one kind. A service implements it to accept tokens that the graph did not issue.
 */
export interface Auth {
  /**
   * Returns the key of the token's record in the store, which the first read of a call includes; undefined if
   * it has none.
   */
  digest?(token: string): string | undefined
  /**
   * Returns the session of a token or why it is not accepted; undefined if the token is of another kind, so
   * that the next {@link Auth} is called. `record` is the record in the store under the digest.
   */
  authenticate(
    token: string,
    record: TokenRecord | undefined,
    signal: AbortSignal | undefined,
  ): Awaitable<AuthResult | undefined>
}

/** The authentication of a graph, with all its {@link Auth}s. It may read several records. */
export interface Authenticator {
  /** Returns the keys of the records that the token needs. They are part of the first read of a call. */
  digestsOf(token: string): readonly string[]
  /**
   * Returns undefined for a token of another kind. `records[i]` is the record in the store under
   * `digestsOf(token)[i]`.
   */
  authenticate(
    token: string,
    records: readonly (TokenRecord | undefined)[],
    signal: AbortSignal | undefined,
  ): Awaitable<AuthResult | undefined>
}

/**
 * Throws a transient error for a token that cannot be checked, for example because keys cannot be fetched: it
 * may be valid.
 */
export const rethrowAsStoreError = (error: unknown): never => {
  if (isGraphError(error)) throw error
  throw new GraphError('store_error', '(#2) The token cannot be checked at present', {}, { cause: error })
}
