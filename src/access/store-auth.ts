import { BoundedMap } from '../base/bounded-map.ts'
import type { Session } from '../base/session.ts'
import type { TokenRecord } from '../store/contract.ts'
import { type Authenticator, type AuthResult, INVALID_TOKEN } from './auth.ts'
import { hasTokenGeneration, tokenGenerationOf } from './generations.ts'
import type { AppSecrets } from './proof.ts'
import { timingSafeEqual } from './timing-safe-equal.ts'
import { computeTokenFamily, digestToken, digestTokenFamily, extractTokenFamily } from './token-text.ts'

const MAX_CACHED_TOKENS = 4096

/** The values that are derived from the text of a token. They are cached, because they need hashing. */
type CachedToken = {
  readonly digests: readonly [token: string, family: string]
  readonly family: string
  /** The viewer that `family` is known to belong to; '' for a token without a viewer. */
  verifiedViewer?: string
  /**
   * The last record of the token, with its result: a store that keeps its records in memory returns the same
   * object each time.
   */
  lastResult?: { readonly record: TokenRecord; readonly result: AuthResult }
}

const toSession = ({ viewer, app, scopes, issuedAt, expiresAt }: TokenRecord): Session =>
  Object.freeze({ viewer, app, scopes, issuedAt, expiresAt })

const toAuthResult = (cached: CachedToken, record: TokenRecord): AuthResult => {
  if (cached.lastResult?.record !== record)
    cached.lastResult = { record, result: { session: toSession(record) } }
  return cached.lastResult.result
}

/** Authenticates an app's own token, `APP|SECRET`, which has no viewer. */
const authenticateApp = (token: string, secrets: AppSecrets): AuthResult => {
  const separatorIndex = token.indexOf('|')
  const app = token.slice(0, separatorIndex)
  const secret = separatorIndex > 0 && Object.hasOwn(secrets, app) ? secrets[app] : undefined
  if (secret === undefined || !timingSafeEqual(token.slice(separatorIndex + 1), secret)) return INVALID_TOKEN
  return { session: Object.freeze({ viewer: undefined, app, scopes: [], issuedAt: 0, expiresAt: undefined }) }
}

/** Authenticates the tokens in the store and the tokens of apps. */
export class StoreAuth implements Authenticator {
  readonly #now: () => number
  readonly #secret: string
  readonly #appSecrets: AppSecrets
  readonly #cache = new BoundedMap<CachedToken>(MAX_CACHED_TOKENS)

  constructor(options: { now: () => number; secret: string; appSecrets: AppSecrets }) {
    this.#now = options.now
    this.#secret = options.secret
    this.#appSecrets = options.appSecrets
  }

  digestsOf(token: string): readonly string[] {
    return this.#getCachedToken(token)?.digests ?? []
  }

  authenticate(token: string, [record, familyRecord]: readonly (TokenRecord | undefined)[]): AuthResult {
    const cached = this.#getCachedToken(token)
    if (cached === undefined) return authenticateApp(token, this.#appSecrets)
    if (record === undefined || !hasTokenGeneration(record) || !this.#isFamilyOfViewer(cached, record))
      return INVALID_TOKEN
    if (record.revokedAt !== undefined || record.generation !== tokenGenerationOf(familyRecord))
      return { failure: 'revoked' }
    if (record.expiresAt !== undefined && record.expiresAt <= this.#now()) return { failure: 'expired' }
    return toAuthResult(cached, record)
  }

  #getCachedToken(token: string): CachedToken | undefined {
    const existing = this.#cache.get(token)
    if (existing !== undefined) return existing
    const family = extractTokenFamily(token, this.#secret)
    if (family === undefined) return undefined
    const cached: CachedToken = { digests: [digestToken(token), digestTokenFamily(family)], family }
    this.#cache.set(token, cached)
    return cached
  }

  /**
   * Whether the family in the token is that of the viewer in its record. After a change of the secret it is
   * not, and the token is rejected: `revokeAll` would not revoke it.
   */
  #isFamilyOfViewer(cached: CachedToken, record: TokenRecord): boolean {
    const viewer = record.viewer ?? ''
    if (
      cached.verifiedViewer !== viewer &&
      timingSafeEqual(cached.family, computeTokenFamily(record.viewer, this.#secret))
    ) {
      cached.verifiedViewer = viewer
    }
    return cached.verifiedViewer === viewer
  }
}
