import type { JWTPayload } from 'jose'
import { copyClaims } from '../../base/claims.ts'
import { isTime } from '../../base/dates.ts'
import { isPlainObject, type JsonObject } from '../../base/json.ts'
import type { Session } from '../../base/session.ts'
import { isAppName, isScopeList, isViewerOfKind } from '../grant.ts'
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
  return isViewerOfKind(viewer, undefined) && isAppName(app) && isScopeList(scopes)
    ? { viewer, app, scopes }
    : undefined
}

const toMilliseconds = (seconds: number): number => Math.floor(seconds * 1000)

/** Copies the named claims of a token. Returns `undefined` if a session cannot have them. */
const copyNamedClaims = (payload: JWTPayload, names: readonly string[]): JsonObject | undefined => {
  const claims = Object.fromEntries(
    names.filter(name => Object.hasOwn(payload, name)).map(name => [name, payload[name]]),
  )
  try {
    return copyClaims('createJwtAuth', claims)
  } catch {
    // The token is JSON, so its claims are too deep, or contain a lone surrogate.
    return undefined
  }
}

/** Adds the claims of a grant. The graph validates them with the session, so others are returned as they are. */
const mergeClaims = (
  copied: JsonObject,
  { claims }: GrantOptions,
  names: readonly string[],
): JsonObject | undefined => {
  if (claims === undefined) return names.length === 0 ? undefined : copied
  return isPlainObject(claims) ? { ...copied, ...claims } : claims
}

/**
 * Returns the session of a grant with the times and the named claims of a token, or `undefined` if a time is out
 * of range, or if a session cannot have one of the claims.
 */
export const toSession = (
  payload: JWTPayload,
  grant: GrantOptions,
  claimNames: readonly string[],
): Session | undefined => {
  const { iat = 0, exp } = payload
  const issuedAt = toMilliseconds(iat)
  const expiresAt = exp === undefined ? undefined : toMilliseconds(exp)
  if (!isTime(issuedAt) || (expiresAt !== undefined && !isTime(expiresAt))) return undefined
  const copied = copyNamedClaims(payload, claimNames)
  if (copied === undefined) return undefined
  const claims = mergeClaims(copied, grant, claimNames)
  const session = { viewer: grant.viewer, app: grant.app, scopes: grant.scopes ?? [], issuedAt, expiresAt }
  return claims === undefined ? session : { ...session, claims }
}
