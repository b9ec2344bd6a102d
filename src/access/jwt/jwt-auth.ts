import {
  decodeJwt,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import type { Awaitable } from '../../base/awaitable.ts'
import { type Auth, UNKNOWN, type Verdict } from '../auth.ts'
import { keysOf } from './jwt-keys.ts'
import { algorithmsOf, type JwtAuthOptions, namesOf } from './jwt-options.ts'
import { grantOf, toSession } from './jwt-session.ts'

/** Longer texts are not looked at: checking a signature hashes all of it. */
const LONGEST = 8192
const JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

/** What is thrown of a text that is no JWT, and of one that another issuer's key signed. */
const FOREIGN = [
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JWTInvalid,
] as const

/** What a failure says of the token. @throws what says nothing of it: no key set could be had, or the key does not do. */
const judgeFailure = (error: unknown): Verdict | undefined => {
  if (error instanceof errors.JWTExpired) return { refused: 'expired' }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === 'aud' || error.claim === 'typ' ? undefined : UNKNOWN
  }
  if (FOREIGN.some(kind => error instanceof kind)) return undefined
  throw error
}

/** Where a token does not say which of several keys signed it, each is tried. */
const verify = async (
  token: string,
  keys: JWTVerifyGetKey,
  checks: JWTVerifyOptions,
): Promise<JWTPayload> => {
  try {
    return (await jwtVerify(token, keys, checks)).payload
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, checks)).payload
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

/** Judges the tokens of one issuer. */
export class JwtAuth implements Auth {
  readonly #keys: JWTVerifyGetKey
  readonly #issuers: readonly string[] | undefined
  readonly #checks: JWTVerifyOptions
  readonly #grant: NonNullable<JwtAuthOptions['grant']>
  readonly #now: () => number

  constructor(options: JwtAuthOptions) {
    const { clockTolerance = 0, grant = grantOf, now = Date.now, typ, allowNoExpiry = false } = options
    const audience = namesOf('audience', options.audience)
    this.#keys = keysOf(options)
    this.#issuers = namesOf('issuer', options.issuer)
    this.#checks = {
      algorithms: algorithmsOf(options),
      clockTolerance,
      ...(audience !== undefined && { audience }),
      ...(typ !== undefined && { typ }),
      ...(!allowNoExpiry && { requiredClaims: ['exp'] }),
    }
    this.#grant = grant
    this.#now = now
  }

  authenticate(token: string): Awaitable<Verdict | undefined> {
    return token.length <= LONGEST && JWT.test(token) ? this.#judge(token) : undefined
  }

  async #judge(token: string): Promise<Verdict | undefined> {
    const found = await this.#claimsOf(token).then(claims => claims && { claims }, judgeFailure)
    if (found === undefined || !('claims' in found)) return found
    const grant = await this.#grant(found.claims)
    const session = grant && toSession(found.claims, grant)
    return session === undefined ? UNKNOWN : { session }
  }

  async #claimsOf(token: string): Promise<JWTPayload | undefined> {
    // Before the signature is checked: another issuer's token must not wait for this one's keys, nor fail with them.
    if (this.#issuers !== undefined && !this.#issuers.includes(decodeJwt(token).iss ?? '')) return undefined
    return verify(token, this.#keys, { ...this.#checks, currentDate: new Date(this.#now()) })
  }
}
