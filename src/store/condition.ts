import type { NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'

/**
 * What may make an entry of a range visible. It is about the node of the entry or, with `of`, about the node whose
 * id the stored field `of` contains. Without a valid id in this field, the condition does not hold.
 *
 * - `node`: the node is `id`.
 * - `field`: the stored value of the field is equal (`===`) to one of `anyOf`.
 * - `edge`: the list `name` of `from` has an edge to the node, or the list `name` of the node has an edge to `to`.
 * With `where`, each member of the data of this edge is equal to the value, or to one of the values of an array.
 *
 * @example
 * ```ts
 * import type { Condition } from 'kithgraph'
 *
 * // Public photos, and the photos of the friends of the viewer 7.
 * const conditions: readonly Condition[] = [
 *   { kind: 'field', field: 'privacy', anyOf: ['everyone'] },
 *   { kind: 'edge', name: 'friends', from: '7', of: 'owner' },
 * ]
 * console.log(conditions.length) // 2
 * ```
 */
export type Condition =
  | { readonly kind: 'node'; readonly of?: string | undefined; readonly id: NodeId }
  | { readonly kind: 'field'; readonly field: string; readonly anyOf: readonly (string | number | boolean)[] }
  | {
      readonly kind: 'edge'
      /** The name of the stored list. */
      readonly name: string
      readonly of?: string | undefined
      /** The source of the edge. Either `from` or `to` is present. */
      readonly from?: NodeId | undefined
      /** The target of the edge. */
      readonly to?: NodeId | undefined
      readonly where?: JsonObject | undefined
    }
