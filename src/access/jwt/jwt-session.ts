import type { JWTPayload } from 'jose'
import { isTime } from '../../base/dates.ts'
import type { Session } from '../../base/session.ts'
import { isAppName, isOptionalViewerId, isScopeList } from '../grant.ts'
import type { GrantOptions } from '../sessions.ts'

/** Splits a text into words; returns other values unchanged. */
const splitWords = (claim: unknown): unknown =>
  typeof claim === 'string' ? claim.split(' ').filter(Boolean) : claim

/**
 * Returns the session options for the usual claims, or `undefined` if they are not valid. If a token belongs
 * only to an app, its `sub` is the app (RFC 9068 §2.2).
 */
export const toGrantOptions = (claims: JWTPayload): GrantOptions | undefined => {
  const app = claims.azp ?? claims.client_id
  const viewer = claims.sub === app ? undefined : claims.sub
  const scopes = splitWords(claims.scope ?? claims.scp ?? claims.scopes ?? [])
  return isOptionalViewerId(viewer) && isAppName(app) && isScopeList(scopes)
    ? { viewer, app, scopes }
    : undefined
}

const toMilliseconds = (seconds: number): number => Math.floor(seconds * 1000)

/** Returns the session of a grant with the times of the claims, or `undefined` if a time is out of range. */
export const toSession = ({ iat = 0, exp }: JWTPayload, grant: GrantOptions): Session | undefined => {
  const issuedAt = toMilliseconds(iat)
  const expiresAt = exp === undefined ? undefined : toMilliseconds(exp)
  if (!isTime(issuedAt) || (expiresAt !== undefined && !isTime(expiresAt))) return undefined
  return { viewer: grant.viewer, app: grant.app, scopes: grant.scopes ?? [], issuedAt, expiresAt }
}
