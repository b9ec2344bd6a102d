import type { NodeId } from './ids.ts'
import type { JsonObject } from './json.ts'

/** The viewer, app, scopes and claims of a call. Times are milliseconds since the epoch. */
export type Session = {
  /** The raw id of the viewer, or `undefined` for a token of an app alone. */
  readonly viewer: NodeId | undefined
  readonly app: string
  /** The granted scopes. They may include scopes that the schema does not use. */
  readonly scopes: readonly string[]
  readonly issuedAt: number
  readonly expiresAt: number | undefined
  /**
   * Facts about the bearer beyond viewer, app and scopes, such as an organization, from the token. Deeply frozen
   * JSON. Absent if the token or session has no claims.
   */
  readonly claims?: JsonObject | undefined
}

/** Marks a session. The member is not enumerable, so a copy of the session does not have it. */
const BYPASSES_POLICIES = Symbol('kithgraph.bypassesPolicies')

/** Marks a session as one whose calls skip policies. */
export const markAsBypassing = (session: Session): void => {
  Object.defineProperty(session, BYPASSES_POLICIES, { value: true })
}

/**
 * Whether calls with a session skip policies. Only `graph.session` marks sessions, and the sessions that an
 * `Auth` returns are copied, so the session of a token is never marked.
 */
export const bypassesPolicies = (session: object): boolean => Object.hasOwn(session, BYPASSES_POLICIES)
