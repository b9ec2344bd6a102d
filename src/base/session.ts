import type { NodeId } from './ids.ts'

/** The viewer, app and scopes of a call. Times are milliseconds since the epoch. */
export type Session = {
  /** The raw id of the viewer, or `undefined` for a token of an app alone. */
  readonly viewer: NodeId | undefined
  readonly app: string
  /** The granted scopes. They may include scopes that the schema does not use. */
  readonly scopes: readonly string[]
  readonly issuedAt: number
  readonly expiresAt: number | undefined
}
