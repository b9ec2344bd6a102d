import type { IdKind } from '../base/ids.ts'

/** The capabilities of a store, as data for the engine and the conformance suite. */
export type StoreCapabilities = {
  /** Whether `snapshot()` returns a view that later writes do not change. */
  readonly snapshots: boolean
  /** Whether written data survives the end of the process. */
  readonly durable: boolean
  /** Whether other processes see the same data. */
  readonly shared: boolean
  /**
   * `batch`: a write is all or nothing. `source`: the changes of each source id are all or nothing, and
   * writing the same batch again completes it.
   */
  readonly atomicity: 'batch' | 'source'
  /** Whether `write` supports `when`, `increment` and batch ids. */
  readonly conditionalWrites: boolean
  /**
   * Whether the store has collections and orders: `deriveEntry`, `putFlag`, `flags`, and `ROOT_ID` as the
   * source of ranges and checks.
   */
  readonly collections: boolean
  /** Whether reads receive `ahead` and `nodesAhead`, because the store may use them. Default false. */
  readonly readsAhead?: boolean | undefined
  /** Whether ranges receive `conditions` and `maxExamined`. Default false. */
  readonly conditions?: boolean | undefined
  /** The kinds of ids that the store can contain. Without it, the store contains `digits`. */
  readonly ids?: readonly IdKind[] | undefined
  /**
   * Whether each session sees its own data. Such a store receives the session of a call with each read and
   * snapshot, and its data is read after the token only. A read without a session contains only `tokens`, or
   * belongs to a write without a session. The session is a frozen copy: it is data, and no permission. Default
   * `false`.
   */
  readonly bySession?: boolean | undefined
  /**
   * What the store writes: nodes, edges and tokens; only tokens; or nothing, so that its `write` throws. The
   * snapshots of a store that writes only tokens need not contain them: the token of a call is read before its
   * snapshot is taken. Default `all`.
   */
  readonly writes?: 'all' | 'tokens' | 'none' | undefined
}

/** Whether other programs write the nodes and edges of a store, and the store only reads them. */
export const isReadOnly = ({ writes = 'all' }: StoreCapabilities): boolean => writes !== 'all'
