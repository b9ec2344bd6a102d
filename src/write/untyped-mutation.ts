import type { NodeId } from '../base/ids.ts'

/** A time as callers write it: integer milliseconds, a `Date` or ISO 8601. */
export type TimeInput = number | string | Date

/** Values by name, before they are validated against the schema. */
export type UntypedFields = { readonly [name: string]: unknown }

/** A node as callers write it. */
export type UntypedNodeInput = { readonly id: NodeId; readonly type: string; readonly fields: UntypedFields }

/** The key of an edge. */
export type UntypedEdgeKey = { readonly source: NodeId; readonly name: string; readonly target: NodeId }

/** An edge as callers write it. */
export type UntypedEdgeInput = UntypedEdgeKey & {
  readonly time: TimeInput
  readonly data?: UntypedFields | undefined
}

/**
 * One change of a write. `putNode` replaces the whole node; `patchNode` changes the named fields, and null
 * removes one; `deleteNode` also deletes the node's edges. An edge without a time gets the current time.
 * Mirrors are automatic: writing either side writes both.
 */
export type UntypedMutation =
  | { readonly op: 'putNode'; readonly node: UntypedNodeInput }
  | { readonly op: 'patchNode'; readonly id: NodeId; readonly fields: UntypedFields }
  | { readonly op: 'deleteNode'; readonly id: NodeId }
  | {
      readonly op: 'putEdge'
      readonly edge: Omit<UntypedEdgeInput, 'time'> & { readonly time?: TimeInput | undefined }
    }
  | { readonly op: 'deleteEdge'; readonly edge: UntypedEdgeKey }

/** One record of a load: a line of NDJSON, or an item. */
export type UntypedLoadRecord = { readonly node: UntypedNodeInput } | { readonly edge: UntypedEdgeInput }
