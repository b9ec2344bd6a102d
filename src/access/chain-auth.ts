import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { isTime } from '../base/dates.ts'
import { describeValue } from '../base/describe.ts'
import { internalError } from '../base/errors.ts'
import { isNonArrayObject } from '../base/json.ts'
import type { Session } from '../base/session.ts'
import { usageError, usageErrorAbout } from '../base/usage-error.ts'
import type { TokenRecord } from '../store/contract.ts'
import {
  type Auth,
  type Authenticator,
  type AuthResult,
  INVALID_TOKEN,
  type StartedAuth,
  type UnrecognizedToken,
} from './auth.ts'
import { toGrant } from './grant.ts'
import type { Viewers } from './viewers.ts'

type TokenRecords = readonly (TokenRecord | undefined)[]

const readDigest = (auth: Auth, token: string, location: string): string | undefined => {
  const digest: unknown = auth.digest?.(token)
  if (digest === undefined || (typeof digest === 'string' && digest !== '' && digest.isWellFormed())) {
    return digest
  }
  throw usageErrorAbout(`${location}.digest`, 'the result', 'a string or undefined', describeValue(digest))
}

const TIME_EXPECTED = 'milliseconds since the epoch'

/**
 * Validates and copies the session that an {@link Auth} returned, because the `Auth` may change its object
 * later.
 */
const toSession = (session: unknown, location: string): Session => {
  if (!isNonArrayObject(session)) {
    throw usageError(location, 'session', 'an object', describeValue(session))
  }
  const { issuedAt, expiresAt } = session
  const grant = toGrant(location, session, 'session.')
  if (!isTime(issuedAt)) {
    throw usageError(location, 'session.issuedAt', TIME_EXPECTED, describeValue(issuedAt))
  }
  if (expiresAt !== undefined && !isTime(expiresAt)) {
    throw usageError(location, 'session.expiresAt', `${TIME_EXPECTED} or undefined`, describeValue(expiresAt))
  }
  return Object.freeze({ ...grant, issuedAt, expiresAt })
}

/** Returns the result of an {@link Auth}. A token is not valid if its viewer cannot be a viewer of the graph. */
const toAuthResult = (result: unknown, location: string, viewers: Viewers): AuthResult => {
  const { failure, session, cause } = isNonArrayObject(result) ? result : {}
  if (failure === 'invalid' || failure === 'expired' || failure === 'revoked')
    return cause === undefined ? { failure } : { failure, cause }
  if (failure === undefined && session !== undefined) {
    const validSession = toSession(session, location)
    const viewerError = viewers.findError(location, 'session.viewer', validSession.viewer)
    return viewerError === undefined ? { session: validSession } : { failure: 'invalid', cause: viewerError }
  }
  throw usageErrorAbout(
    location,
    'the result',
    '{ session }, { failure }, { cause } or undefined',
    describeValue(result),
  )
}

/** Whether an {@link Auth} returned only the reason why it does not recognize the token. */
const isUnrecognized = (result: unknown): result is UnrecognizedToken =>
  isNonArrayObject(result) && 'cause' in result && !('session' in result) && !('failure' in result)

/** The result for a token that no {@link Auth} recognizes, with the reasons that they gave. */
const toUnrecognizedResult = (causes: readonly unknown[]): AuthResult => ({
  failure: 'invalid',
  cause: causes.length > 1 ? new AggregateError(causes) : causes[0],
})

/**
 * Converts an error that `digest` throws, or an error about an invalid result, to an internal error. Such an
 * error is a bug in the {@link Auth}, and clients must not see its details.
 */
const withInternalErrors = <T>(run: () => T): T => {
  try {
    return run()
  } catch (error) {
    throw internalError(error)
  }
}

/**
 * Calls each {@link Auth} in order, and then the authentication of the graph's own tokens. Uses the first
 * result that is not `undefined`.
 */
export class ChainAuth implements Authenticator {
  readonly #viewers: Viewers
  readonly #auths: readonly Auth[]
  readonly #graphAuth: Authenticator

  constructor(viewers: Viewers, auths: readonly Auth[], graphAuth: Authenticator) {
    this.#viewers = viewers
    this.#auths = auths
    this.#graphAuth = graphAuth
  }

  /** Starts the authentication of a token. `digests` begins with the digests for the graph's own tokens. */
  start(token: string): StartedAuth {
    const graphStart = this.#graphAuth.start(token)
    const digestByAuth = this.#readDigests(token)
    const otherDigests = digestByAuth.filter(digest => digest !== undefined)
    return {
      digests: otherDigests.length === 0 ? graphStart.digests : [...graphStart.digests, ...otherDigests],
      finish: (records, signal) => this.#finish(token, graphStart, digestByAuth, records, signal),
    }
  }

  #finish(
    token: string,
    graphStart: StartedAuth,
    digestByAuth: readonly (string | undefined)[],
    records: TokenRecords,
    signal: AbortSignal | undefined,
  ): Awaitable<AuthResult | undefined> {
    let nextRecordIndex = graphStart.digests.length
    const recordByAuth = digestByAuth.map(digest =>
      digest === undefined ? undefined : records[nextRecordIndex++],
    )
    const causes: unknown[] = []
    const addCauses = (result: AuthResult = INVALID_TOKEN): AuthResult =>
      result === INVALID_TOKEN ? toUnrecognizedResult(causes) : result
    const tryAuth = (index: number): Awaitable<AuthResult | undefined> => {
      const auth = this.#auths[index]
      if (auth === undefined) {
        const result = graphStart.finish(records, signal)
        return isPromiseLike(result) ? result.then(addCauses) : addCauses(result)
      }
      const handleResult = (result: AuthResult | UnrecognizedToken | undefined) => {
        if (result !== undefined && !isUnrecognized(result))
          return withInternalErrors(() => toAuthResult(result, `auth[${index}].authenticate`, this.#viewers))
        if (result !== undefined) causes.push(result.cause)
        return tryAuth(index + 1)
      }
      const result = auth.authenticate(token, recordByAuth[index], signal)
      return isPromiseLike(result) ? result.then(handleResult) : handleResult(result)
    }
    return tryAuth(0)
  }

  #readDigests(token: string): readonly (string | undefined)[] {
    return withInternalErrors(() =>
      this.#auths.map((auth, index) => readDigest(auth, token, `auth[${index}]`)),
    )
  }
}
