import type { Awaitable } from '../base/awaitable.ts'
import { GraphError, isGraphError } from '../base/faults.ts'
import type { Session } from '../base/session.ts'
import type { TokenRecord } from '../store/contract.ts'

/** Why a token stands for nobody. */
export type Refusal = 'unknown' | 'expired' | 'revoked'

/** Whom a token stands for, or why for nobody. */
export type Verdict = { readonly session: Session } | { readonly refused: Refusal }

/** What is said of a token of no known kind. */
export const UNKNOWN: Verdict = { refused: 'unknown' }

/** Tells whom a token stands for: what a service brings along to let in tokens of its own. */
export interface Auth {
  /** The key of the record to read from the store with the first wave; without one, nothing is read. */
  digest?(token: string): string | undefined
  /** Undefined: not a token of this kind, so that the next kind is asked. `record` is what the store holds under the digest. */
  authenticate(
    token: string,
    record: TokenRecord | undefined,
    signal: AbortSignal | undefined,
  ): Awaitable<Verdict | undefined>
}

/** An {@link Auth} as queries use it: it may read several records. */
export interface Authenticator {
  /** What is to be read from the store to judge the token: the keys join the query's first wave. */
  keysOf(token: string): readonly string[]
  /** `records[i]` is what the store holds under `keysOf(token)[i]`. Undefined: not a token of this kind. */
  authenticate(
    token: string,
    records: readonly (TokenRecord | undefined)[],
    signal: AbortSignal | undefined,
  ): Awaitable<Verdict | undefined>
}

/** What cannot be judged, such as under keys that cannot be fetched, is not refused: nothing was said against the token. */
export const cannotJudge = (error: unknown): never => {
  if (isGraphError(error)) throw error
  throw new GraphError('store_fault', '(#2) The token cannot be checked at present', {}, { cause: error })
}
