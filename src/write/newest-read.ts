import type { Session } from '../base/session.ts'
import type { StoreReadOptions } from '../store/contract.ts'

/** The maximum time of a read that a write depends on, in milliseconds. A store limits the time of the write itself. */
const READ_TIMEOUT_MS = 10_000

/** Creates the options of a read that a write depends on. It must see the newest state of the store. */
export const createNewestReadOptions = (
  signal: AbortSignal | undefined,
  session: Session | undefined,
): StoreReadOptions => ({
  signal,
  deadline: Date.now() + READ_TIMEOUT_MS,
  minRevision: 'newest',
  ...(session && { session }),
})
