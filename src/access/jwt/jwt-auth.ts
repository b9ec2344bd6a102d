import {
  decodeJwt,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import type { Awaitable } from '../../base/awaitable.ts'
import type { Auth, AuthResult, UnrecognizedToken } from '../auth.ts'
import { causeOf, issuerCause, rejectionCause } from './jwt-causes.ts'
import { createKeyGetter } from './jwt-keys.ts'
import { assertJwtOptions, type JwtAuthOptions, parseNames, resolveAlgorithms } from './jwt-options.ts'
import { toGrantOptions, toSession } from './jwt-session.ts'

/**
 * The maximum length of a token. Longer texts are ignored, because verifying a signature hashes the whole
 * text.
 */
const MAX_TOKEN_LENGTH = 8192
const JWT_PATTERN = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

/** The errors of `jose` for a text that is not a JWT, and for a JWT that none of the keys signed. */
const FOREIGN_TOKEN_ERRORS = [
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JWTInvalid,
] as const

/**
 * Converts an error of `jose` to a result.
 *
 * @throws the error itself if it is not about the token, for example if a key set cannot be fetched.
 */
const toAuthResult = (error: unknown): AuthResult | UnrecognizedToken => {
  if (error instanceof errors.JWTExpired) return { failure: 'expired' }
  if (error instanceof errors.JWTClaimValidationFailed) {
    const cause = causeOf(error)
    return error.claim === 'aud' || error.claim === 'typ' ? { cause } : { failure: 'invalid', cause }
  }
  if (error instanceof errors.JOSEError && FOREIGN_TOKEN_ERRORS.some(foreign => error instanceof foreign))
    return { cause: causeOf(error) }
  throw error
}

/** Verifies a token. If several keys match its header, tries each of them. */
const verifyJwt = async (
  token: string,
  getKey: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<JWTPayload> => {
  try {
    return (await jwtVerify(token, getKey, options)).payload
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, options)).payload
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

const NO_GRANT = '"grant" returned undefined'
const NO_DEFAULT_GRANT =
  'the claims "sub", "azp" or "client_id", and "scope" are no viewer, app and scopes; use the option "grant"'
const NO_SESSION = 'a claim of the token is not valid: "iat", "exp", or one that the option "claims" names'

/** `jose` uses seconds. */
const MS_PER_SECOND = 1000

/** Authenticates the tokens of one issuer. */
class JwtAuth implements Auth {
  readonly #getKey: JWTVerifyGetKey
  readonly #issuers: readonly string[] | undefined
  readonly #verifyOptions: JWTVerifyOptions
  readonly #grant: NonNullable<JwtAuthOptions['grant']>
  readonly #noGrant: string
  readonly #claimNames: readonly string[]
  readonly #now: () => number

  constructor(options: JwtAuthOptions) {
    const {
      clockToleranceMs = 0,
      grant = toGrantOptions,
      now = Date.now,
      typ,
      allowNoExpiry = false,
    } = options
    const audience = parseNames('audience', options.audience)
    this.#getKey = createKeyGetter(options)
    this.#issuers = parseNames('issuer', options.issuer)
    this.#verifyOptions = {
      algorithms: resolveAlgorithms(options),
      clockTolerance: clockToleranceMs / MS_PER_SECOND,
      ...(audience !== undefined && { audience }),
      ...(typ !== undefined && { typ }),
      ...(!allowNoExpiry && { requiredClaims: ['exp'] }),
    }
    this.#grant = grant
    this.#noGrant = options.grant === undefined ? NO_DEFAULT_GRANT : NO_GRANT
    this.#claimNames = [...(options.claims ?? [])]
    this.#now = now
  }

  authenticate(token: string): Awaitable<AuthResult | UnrecognizedToken | undefined> {
    return token.length <= MAX_TOKEN_LENGTH && JWT_PATTERN.test(token)
      ? this.#authenticateJwt(token)
      : undefined
  }

  async #authenticateJwt(token: string): Promise<AuthResult | UnrecognizedToken> {
    const verification = await this.#verifyClaims(token).catch(toAuthResult)
    if (!('claims' in verification)) return verification
    const { claims } = verification
    const grant = await this.#grant(claims)
    if (grant === undefined) return { failure: 'invalid', cause: rejectionCause(this.#noGrant) }
    const session = toSession(claims, grant, this.#claimNames)
    return session === undefined ? { failure: 'invalid', cause: rejectionCause(NO_SESSION) } : { session }
  }

  async #verifyClaims(token: string): Promise<{ readonly claims: JWTPayload } | UnrecognizedToken> {
    // Check the issuer before the signature, because a token of another issuer must not wait for the keys of
    // this issuer, or fail if they cannot be fetched.
    const { iss } = decodeJwt(token)
    if (this.#issuers !== undefined && !this.#issuers.includes(iss ?? ''))
      return { cause: issuerCause(this.#issuers, iss) }
    const options = { ...this.#verifyOptions, currentDate: new Date(this.#now()) }
    return { claims: await verifyJwt(token, this.#getKey, options) }
  }
}

/**
 * Accepts JSON Web Tokens that an issuer signed. This function requires `jose`, an optional peer dependency.
 * Set `issuer` and `audience` if the issuer's tokens contain them. The next `Auth` checks tokens of other
 * issuers. If a key set cannot be fetched, the call fails with the transient error `store_error`. A token is
 * verified in each call, and cannot be revoked before it expires.
 *
 * @throws TypeError for an unknown option, an option of the wrong type, or an algorithm that does not match
 * the key.
 * @example
 * ```ts
 * import { SignJWT } from 'jose'
 * import { createGraph } from 'kithgraph'
 * import { createJwtAuth } from 'kithgraph/jwt'
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const secret = crypto.getRandomValues(new Uint8Array(32))
 * const auth = createJwtAuth({ secret, issuer: 'https://id.example.org', audience: 'graph' })
 * const graph = createGraph(createMemoryStore(), { auth })
 * await graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } }])
 *
 * const jwt = new SignJWT({ azp: 'demo', scope: 'email' }).setProtectedHeader({ alg: 'HS256' }).setSubject('4')
 * const token = await jwt.setIssuer('https://id.example.org').setAudience('graph').setExpirationTime('1h').sign(secret)
 * console.log(await graph.getMe(token)) // { name: 'Ada', id: '4' }
 * ```
 */
export const createJwtAuth = (options: JwtAuthOptions): Auth => {
  assertJwtOptions(options)
  return new JwtAuth(options)
}
