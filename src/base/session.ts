import type { NodeId } from './ids.ts'

/** The viewer, app and scopes of a call. Times are milliseconds since the epoch. */
export type Session = {
  /** The node of the person or page that the token was issued for; undefined for a token of an app alone. */
  readonly viewer: NodeId | undefined
  readonly app: string
  /** The granted scopes. A scope that the schema does not use has no effect. */
  readonly scopes: readonly string[]
  readonly issuedAt: number
  readonly expiresAt: number | undefined
}
