import { copyClaims } from '../base/claims.ts'
import type { NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import type { Session } from '../base/session.ts'
import type { TokenRecord } from '../store/contract.ts'
import type { AuthFailure } from './auth.ts'

/** The details of a token. Times are milliseconds since the epoch. */
export type TokenInspection = {
  readonly valid: boolean
  /** The reason why the token is not valid, or `undefined` if it is valid. */
  readonly failure: 'invalid' | 'expired' | 'revoked' | undefined
  readonly app: string | undefined
  readonly viewer: NodeId | undefined
  /**
   * The type of the viewer's node when `issue` created the token, or `app` for a token without a viewer.
   * Undefined for a token of another kind with a viewer, because no node is read.
   */
  readonly type: string | undefined
  readonly scopes: readonly string[]
  /** The scopes that the viewer declined, if `issue` created the token. */
  readonly declined: readonly string[]
  /** The claims of the token's sessions, or `undefined` if it has none. */
  readonly claims: JsonObject | undefined
  /** The time at which the token was issued, or 0 for a token without this time, such as `APP|SECRET`. */
  readonly issuedAt: number | undefined
  readonly expiresAt: number | undefined
}

/** Creates the details of a token. The type of its viewer is in the record that `issue` wrote. */
export const toInspection = (
  { viewer, app, scopes, claims, issuedAt, expiresAt }: Session | TokenRecord,
  record: TokenRecord | undefined,
  failure: TokenInspection['failure'],
): TokenInspection => {
  const ownRecord = record?.viewer === viewer ? record : undefined
  const type = viewer === undefined ? 'app' : ownRecord?.viewerType
  return {
    valid: failure === undefined,
    failure,
    app,
    viewer,
    type,
    scopes: [...scopes],
    declined: [...(ownRecord?.declined ?? [])],
    claims: claims && copyClaims('store.read', claims),
    issuedAt,
    expiresAt,
  }
}

/** Creates the details of a token that is not valid, and that no record describes. */
export const toFailedInspection = (failure: AuthFailure): TokenInspection => ({
  valid: false,
  failure,
  app: undefined,
  viewer: undefined,
  type: undefined,
  scopes: [],
  declined: [],
  claims: undefined,
  issuedAt: undefined,
  expiresAt: undefined,
})
