import type { NodeId } from '../base/ids.ts'

/** A time as callers write it: integer milliseconds, a `Date` or ISO 8601. */
export type TimeInput = number | string | Date

/** Values by name, before the schema was asked about them. */
export type ValuesInput = { readonly [name: string]: unknown }

/** A node as callers write it. */
export type NodeInput = { readonly id: NodeId; readonly type: string; readonly fields: ValuesInput }

/** Which edge is meant. */
export type EdgeKeyInput = { readonly source: NodeId; readonly name: string; readonly target: NodeId }

/** An edge as callers write it. */
export type EdgeInput = EdgeKeyInput & { readonly time: TimeInput; readonly data?: ValuesInput | undefined }

/**
 * One change of a write. `putNode` replaces the whole node; `patchNode` changes the fields that it names, and null
 * removes one; `deleteNode` takes the node's edges along. An edge without a time is of now. Mirrors of edges are kept
 * by themselves: writing either side writes both.
 */
export type WriteMutation =
  | { readonly op: 'putNode'; readonly node: NodeInput }
  | { readonly op: 'patchNode'; readonly id: NodeId; readonly fields: ValuesInput }
  | { readonly op: 'deleteNode'; readonly id: NodeId }
  | {
      readonly op: 'putEdge'
      readonly edge: Omit<EdgeInput, 'time'> & { readonly time?: TimeInput | undefined }
    }
  | { readonly op: 'deleteEdge'; readonly edge: EdgeKeyInput }

/** One record of a load: a line of NDJSON, or an item. */
export type LoadRecord = { readonly node: NodeInput } | { readonly edge: EdgeInput }
