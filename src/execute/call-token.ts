import { type Authenticator, type AuthResult, INVALID_TOKEN, rethrowAsStoreError } from '../access/auth.ts'
import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { describeValue } from '../base/describe.ts'
import { GraphError } from '../base/errors.ts'
import type { Session } from '../base/session.ts'
import { usageError } from '../base/usage-error.ts'
import type { StoreReadOptions, StoreReadResult } from '../store/contract.ts'
import { settleInTime } from '../store/settle-in-time.ts'
import type { Caller } from './call.ts'
import type { Engine } from './engine.ts'
import type { ReadMethod } from './graph-event.ts'

/** The session of a call, or the text of its token. Both are undefined for a call without a token. */
type CallToken = { readonly session: Session | undefined; readonly token: string | undefined }

/**
 * Returns the session of a caller, or the text of its token.
 *
 * @throws TypeError for a caller that is neither text nor a session of this graph, unless it is null or
 * undefined.
 */
export const parseCaller = (
  engine: Pick<Engine, 'isSession'>,
  method: ReadMethod,
  caller: Caller,
): CallToken => {
  if (typeof caller === 'object' && caller !== null && engine.isSession(caller))
    return { session: caller, token: undefined }
  if (typeof caller === 'string' || caller === undefined || caller === null)
    return { session: undefined, token: caller ?? undefined }
  throw usageError(method, 'token', 'a string or a session of this graph', describeValue(caller))
}

/** Returns the digests of the records that a token needs. @throws GraphError `token_missing`. */
export const digestsOfToken = (
  { auth }: Pick<Engine, 'auth'>,
  token: string | undefined,
): readonly string[] => {
  if (token === undefined || token === '') {
    throw new GraphError('token_missing', '(#104) An access token is required to request this resource')
  }
  return auth.digestsOf(token)
}

/**
 * Authenticates a token with its records, at most until the deadline or an abort.
 *
 * @throws GraphError `store_error` if the token cannot be checked; `aborted`, `timeout`.
 */
export const authenticateToken = (
  auth: Authenticator,
  token: string,
  records: StoreReadResult['tokens'],
  { signal, deadline }: Pick<StoreReadOptions, 'signal' | 'deadline'>,
): Awaitable<AuthResult> => {
  try {
    const authResult = auth.authenticate(token, records, signal)
    if (!isPromiseLike(authResult)) return authResult ?? INVALID_TOKEN
    const settledResult = settleInTime(authResult.then(undefined, rethrowAsStoreError), signal, deadline)
    return settledResult.then(settledAuthResult => settledAuthResult ?? INVALID_TOKEN, rethrowAsStoreError)
  } catch (error) {
    return rethrowAsStoreError(error)
  }
}
