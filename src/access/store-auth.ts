import { BoundedMap } from '../base/bounded-map.ts'
import type { IdKind } from '../base/ids.ts'
import type { Session } from '../base/session.ts'
import type { TokenRecord } from '../store/contract.ts'
import { type Authenticator, type AuthResult, INVALID_TOKEN, type StartedAuth } from './auth.ts'
import { isViewerOfKind } from './grant.ts'
import type { AppSecrets } from './proof.ts'
import { timingSafeEqual } from './secret.ts'
import {
  computeTokenFamily,
  digestToken,
  digestTokenFamily,
  extractTokenFamily,
  hasTokenGeneration,
  tokenGenerationOf,
} from './token-family.ts'

const MAX_CACHED_TOKENS = 4096

const toSession = ({ viewer, app, scopes, issuedAt, expiresAt }: TokenRecord): Session =>
  Object.freeze({ viewer, app, scopes, issuedAt, expiresAt })

/** The parts of a graph that {@link StoreAuth} uses. */
type StoreAuthOptions = {
  readonly now: () => number
  readonly secret: string
  /** The kind of the ids of the graph. */
  readonly kind: IdKind
  readonly appSecrets: AppSecrets
}

/**
 * A token in the format of `tokens.issue`. Instances are cached, so the digests of a token are not computed
 * again for each call.
 */
class IssuedToken implements StartedAuth {
  readonly digests: readonly [token: string, family: string]
  readonly #options: StoreAuthOptions
  readonly #family: string
  /**
   * The viewer that the token's family was found to belong to: '' for a token without a viewer, and
   * `undefined` before the check.
   */
  #verifiedViewer: string | undefined
  /**
   * The last valid record of the token, with its result. An in-memory store returns the same record object
   * each time.
   */
  #lastResult: { readonly record: TokenRecord; readonly result: AuthResult } | undefined

  constructor(options: StoreAuthOptions, token: string, family: string) {
    this.digests = [digestToken(token), digestTokenFamily(family)]
    this.#options = options
    this.#family = family
  }

  finish([record, familyRecord]: readonly (TokenRecord | undefined)[]): AuthResult {
    if (record === undefined || !hasTokenGeneration(record) || !this.#isFamilyOfViewer(record))
      return INVALID_TOKEN
    if (record.revokedAt !== undefined || record.generation !== tokenGenerationOf(familyRecord))
      return { failure: 'revoked' }
    if (record.expiresAt !== undefined && record.expiresAt <= this.#options.now())
      return { failure: 'expired' }
    if (this.#lastResult?.record !== record)
      this.#lastResult = { record, result: { session: toSession(record) } }
    return this.#lastResult.result
  }

  /**
   * Whether the family in the token belongs to the viewer in the token's record. After a change of the
   * secret, it no longer does. The token is then rejected, because `revokeAll` could not revoke it. A viewer whose
   * id is of the other kind, for example in the database of another graph, has no tokens either.
   */
  #isFamilyOfViewer(record: TokenRecord): boolean {
    const viewer = record.viewer ?? ''
    if (
      this.#verifiedViewer !== viewer &&
      isViewerOfKind(record.viewer, this.#options.kind) &&
      timingSafeEqual(this.#family, computeTokenFamily(record.viewer, this.#options.secret))
    ) {
      this.#verifiedViewer = viewer
    }
    return this.#verifiedViewer === viewer
  }
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
  readonly #options: StoreAuthOptions
  readonly #cache = new BoundedMap<IssuedToken>(MAX_CACHED_TOKENS)

  constructor(options: StoreAuthOptions) {
    this.#options = options
  }

  start(token: string): StartedAuth {
    const existing = this.#cache.get(token)
    if (existing !== undefined) return existing
    const { secret, appSecrets } = this.#options
    const family = extractTokenFamily(token, secret)
    if (family === undefined) return { digests: [], finish: () => authenticateApp(token, appSecrets) }
    const issuedToken = new IssuedToken(this.#options, token, family)
    this.#cache.set(token, issuedToken)
    return issuedToken
  }
}
