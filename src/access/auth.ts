import type { Awaitable } from '../base/awaitable.ts'
import type { Session } from '../base/session.ts'
import type { TokenRecord } from '../store/contract.ts'

/** Why a token stands for nobody. */
export type Refusal = 'unknown' | 'expired' | 'revoked'

/** Whom a token stands for, or why for nobody. */
export type Verdict = { readonly session: Session } | { readonly refused: Refusal }

/** Tells whom a token stands for. */
export interface Auth {
  /** What is to be read from the store to judge the token: the keys join the query's first wave. */
  keysOf(token: string): readonly string[]
  /** `records[i]` is what the store holds under `keysOf(token)[i]`. */
  authenticate(token: string, records: readonly (TokenRecord | undefined)[]): Awaitable<Verdict>
}
