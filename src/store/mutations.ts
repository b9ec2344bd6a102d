import type { NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import type { Increment, WriteCondition } from './conditional.ts'
import type { DerivedEntry } from './derived-entries.ts'
import type { CompletionFlag, EdgeKey, EdgeRecord, NodeRecord, TokenRecord } from './records.ts'

/**
 * One change. `patchNode` merges `fields` into the fields of a node; null removes a field.
 *
 * `mirror` is the other side of a mirrored edge: the edge from the target to the source, under the name of the
 * mirror. A mutation with a mirror is equivalent to two mutations, one directly after the other: `putEdge`
 * also writes the mirror, with the time and data of the edge, and `deleteEdge` also deletes it. Both sides
 * are in one mutation, so that every store can keep them equal when writers race or fail. An edge that is its
 * own mirror is written once.
 *
 * `when` is evaluated atomically with the write, after the mutations before it. `increment` adds a number to a
 * value after `fields` is merged; a missing value counts as 0.
 *
 * `deriveEntry` makes one entry of a collection or of a further order equal to what its record contains after
 * the mutations before it; see {@link DerivedEntry}. `putFlag` sets the value of a
 * completion flag, and replaces its last value.
 */
export type StoreMutation =
  | { readonly op: 'putNode'; readonly node: NodeRecord; readonly when?: WriteCondition | undefined }
  | {
      readonly op: 'patchNode'
      readonly id: NodeId
      readonly fields: JsonObject
      readonly increment?: { readonly [name: string]: Increment } | undefined
      readonly when?: WriteCondition | undefined
    }
  | { readonly op: 'deleteNode'; readonly id: NodeId; readonly when?: WriteCondition | undefined }
  | {
      readonly op: 'putEdge'
      readonly edge: EdgeRecord
      readonly mirror?: EdgeKey | undefined
      readonly when?: WriteCondition | undefined
    }
  | {
      readonly op: 'deleteEdge'
      readonly edge: EdgeKey
      readonly mirror?: EdgeKey | undefined
      readonly when?: WriteCondition | undefined
    }
  | { readonly op: 'putToken'; readonly digest: string; readonly token: TokenRecord }
  | { readonly op: 'deleteToken'; readonly digest: string }
  | { readonly op: 'deriveEntry'; readonly entry: DerivedEntry }
  | { readonly op: 'putFlag'; readonly flag: CompletionFlag }
