import type { Awaitable } from '../base/awaitable.ts'
import type { NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import type { Session } from '../base/session.ts'
import type { NodeRecord } from '../store/contract.ts'
import type { ParameterValues } from './parameter.ts'

/** The part of one list that a call of an {@link EdgeResolver} requests. */
export type ResolvedPageRequest = {
  /** The maximum number of entries to return, at least 1. */
  readonly limit: number
  /** The position after which the page begins, or `undefined` for the beginning of the list. */
  readonly from?: string
  /**
   * `backward` requests the entries in front of `from`, the nearest first, or the last entries of the list.
   * Only an edge with `backward: true` receives it.
   */
  readonly direction: 'forward' | 'backward'
  /** The earliest time in milliseconds, inclusive. Only an edge with `times: true` receives it. */
  readonly minTime?: number
  /** The latest time in milliseconds, inclusive. Only an edge with `times: true` receives it. */
  readonly maxTime?: number
}

/** An entry that an {@link EdgeResolver} returns. */
export type ResolvedEntry = {
  /** The id of the node. A node that does not exist, or that the viewer may not see, is left out. */
  readonly id: NodeId
  /** The position in the list: unique in the list, at most 500 bytes. It is encrypted in cursors. */
  readonly position: string
  /** The stored values of the edge's own fields. */
  readonly data?: JsonObject | undefined
}

/** A page that an {@link EdgeResolver} returns. */
export type ResolvedPage = {
  /** At most `limit` entries, in the order of the direction. */
  readonly entries: readonly ResolvedEntry[]
  /** Whether the list has more entries in the direction of the read. */
  readonly hasMore: boolean
  /** The number of entries of the whole list, for `total_count`. */
  readonly total?: number | undefined
}

/** The properties of a call that an {@link EdgeResolver} receives. `pages[i]` belongs to `sources[i]`. */
export type EdgeResolveContext<TValues = ParameterValues> = {
  readonly parameters: TValues
  readonly pages: readonly ResolvedPageRequest[]
  readonly session: Session
  readonly signal: AbortSignal | undefined
  /** The time in milliseconds since the epoch, the same throughout a call. */
  readonly now: number
}

/**
 * Returns a page of a computed edge for each source, in the same order. One call serves all sources of a
 * level. If the policies leave out entries, the function is called again for the rest of the page.
 */
export type EdgeResolver<TValues = ParameterValues> = (
  sources: readonly NodeRecord[],
  context: EdgeResolveContext<TValues>,
) => Awaitable<readonly ResolvedPage[]>
