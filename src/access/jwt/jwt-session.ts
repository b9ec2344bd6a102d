import type { JWTPayload } from 'jose'
import { isTime } from '../../base/dates.ts'
import type { Session } from '../../base/session.ts'
import { isApp, isScopes, isViewerId } from '../grant.ts'
import type { SessionRequest } from '../sessions.ts'

/** Words parted by blanks, or a list of them. */
const wordsOf = (claim: unknown): unknown =>
  typeof claim === 'string' ? claim.split(' ').filter(Boolean) : claim

/**
 * Whom the claims of most issuers stand for; undefined where they make no grant. A `sub` that is the app itself is how
 * RFC 9068 §2.2 marks the token of an app alone.
 */
export const grantOf = (claims: JWTPayload): SessionRequest | undefined => {
  const app = claims.azp ?? claims.client_id
  const viewer = claims.sub === app ? undefined : claims.sub
  const scopes = wordsOf(claims.scope ?? claims.scp ?? claims.scopes ?? [])
  return isViewerId(viewer) && isApp(app) && isScopes(scopes) ? { viewer, app, scopes } : undefined
}

const toMilliseconds = (seconds: number): number => Math.floor(seconds * 1000)

/** The session of a grant for as long as the claims say; undefined where they name a time that no clock comes to. */
export const toSession = ({ iat = 0, exp }: JWTPayload, grant: SessionRequest): Session | undefined => {
  const issuedAt = toMilliseconds(iat)
  const expiresAt = exp === undefined ? undefined : toMilliseconds(exp)
  if (!isTime(issuedAt) || (expiresAt !== undefined && !isTime(expiresAt))) return undefined
  return { viewer: grant.viewer, app: grant.app, scopes: grant.scopes ?? [], issuedAt, expiresAt }
}
