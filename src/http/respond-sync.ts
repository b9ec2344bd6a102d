import type { Awaitable } from '../base/awaitable.ts'
import type { WireRequest, WireResponse } from './wire.ts'

/** Responds to a request. Returns a promise only if something is awaited. Never rejects or throws. */
export type SyncResponder = (request: WireRequest) => Awaitable<WireResponse>

/** The key of the synchronous variant of a handler's `respond`, for listeners that need no promise. */
export const RESPOND_SYNC = Symbol('kithgraph.respondSync')

/**
 * Returns the synchronous variant of a handler's `respond`, which returns a promise only if something is
 * awaited; for a handler that `createHandler` did not create, its own `respond`.
 */
export const syncResponderOf = ({ respond }: { readonly respond: SyncResponder }): SyncResponder => {
  const respondSync: unknown = Reflect.get(respond, RESPOND_SYNC)
  // Only `createHandler` sets the symbol.
  return typeof respondSync === 'function' ? (respondSync as SyncResponder) : respond
}
