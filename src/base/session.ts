import type { NodeId } from './ids.ts'

/** Whom a call is made for. Times are milliseconds since the epoch. */
export type Session = {
  /** Whom the token stands for; undefined for a token of an app alone. */
  readonly viewer: NodeId | undefined
  readonly app: string
  /** The words that were granted; those that no schema names mean nothing. */
  readonly scopes: readonly string[]
  readonly issuedAt: number
  readonly expiresAt: number | undefined
}
