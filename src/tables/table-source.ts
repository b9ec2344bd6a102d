import type { Awaitable } from '../base/awaitable.ts'
import type { Session } from '../base/session.ts'
import type {
  StoreCapabilities,
  StoreReader,
  StoreReadRequest,
  StoreReadResult,
  StoreSnapshot,
} from '../store/contract.ts'

/** Reads the tables of one database. It ignores the tokens of a request. */
export interface TableSource extends StoreReader {
  readonly capabilities: Pick<
    StoreCapabilities,
    'snapshots' | 'durable' | 'shared' | 'readsAhead' | 'conditions' | 'bySession'
  >
  /** Opens a view that later writes do not change, for the session of its reads. */
  snapshot(session: Session | undefined): Awaitable<StoreSnapshot>
  /** Closes the connections that the source opened itself. */
  close?(): void
}

/**
 * Returns the results of a request that do not depend on rows. A source reads no tokens, and a collection is its table,
 * so it is always complete.
 */
export const resultsWithoutRows = ({
  tokens,
  flags,
}: StoreReadRequest): Pick<StoreReadResult, 'tokens' | 'flags'> => ({
  tokens: tokens.map(() => undefined),
  ...(flags && { flags: flags.map(() => true) }),
})
