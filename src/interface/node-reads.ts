import type { Session } from '../base/session.ts'
import type { FieldsInput } from '../schema/inference/expression.ts'
import type { TypeName } from '../schema/inference/parent.ts'
import type { Schema } from '../schema/schema.ts'
import type { GetMeOptions, GetNodeOptions, GetNodesOptions, Token } from './read-options.ts'
import type { CheckedNodeFields, NodeResult } from './read-types.ts'
import type { ByIdWithDebug, WithDebug, WithMetadata } from './results.ts'

/** The reads of nodes. A name that the schema does not have causes a compile error that contains the name. */
export interface NodeReads<TSchema extends Schema, TToken = Token | Session> {
  /**
   * Reads the node of the viewer, which may have any of the schema's viewer types.
   *
   * @throws GraphError for the first error in this order: the token, its proof of possession, the syntax of
   * the expression, a missing viewer, names that the viewer's type does not have, missing scopes, the cost.
   * @throws TypeError for an unknown option or an option of the wrong type.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const graph = createGraph(createMemoryStore())
   * await graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } }])
   * const token = await graph.tokens.issue({ viewer: '4', app: 'demo', scopes: [] })
   * const me = await graph.getMe(token, { fields: 'id,name' })
   * console.log(me.name.toUpperCase()) // ADA
   * ```
   */
  getMe<
    const TFields extends FieldsInput = undefined,
    TMetadata extends boolean | undefined = undefined,
    TDebug extends 'all' | undefined = undefined,
    TPartial extends boolean | undefined = undefined,
  >(
    token: TToken,
    options?: GetMeOptions<CheckedNodeFields<TSchema, 'me', undefined, TFields>, TMetadata, TDebug, TPartial>,
  ): Promise<
    WithDebug<WithMetadata<NodeResult<TSchema, 'me', undefined, TFields>, TMetadata>, TDebug, TPartial>
  >

  /**
   * Reads one node by its id, or the viewer's node if the id is `me`. With `type`, the result is typed, and a
   * node of another type is not found.
   *
   * @throws GraphError in the same cases as `getMe`, and `node_not_found` if the node does not exist or the
   * viewer may not see it.
   * @throws TypeError for an unknown option or type.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const graph = createGraph(createMemoryStore())
   * const session = graph.session({ viewer: '4', app: 'demo', scopes: [] })
   * await graph.write([{ op: 'putNode', node: { id: '7', type: 'page', fields: { name: 'Chess', about: 'A club.' } } }])
   * const page = await graph.getNode(session, { id: '7', type: 'page', fields: 'name,about' })
   * console.log(page) // { name: 'Chess', about: 'A club.', id: '7' }
   * ```
   */
  getNode<
    TId extends string,
    TType extends TypeName<TSchema> | undefined = undefined,
    const TFields extends FieldsInput = undefined,
    TMetadata extends boolean | undefined = undefined,
    TDebug extends 'all' | undefined = undefined,
    TPartial extends boolean | undefined = undefined,
  >(
    token: TToken,
    options: GetNodeOptions<
      TId,
      TType,
      CheckedNodeFields<TSchema, TId, TType, TFields>,
      TMetadata,
      TDebug,
      TPartial
    >,
  ): Promise<WithDebug<WithMetadata<NodeResult<TSchema, TId, TType, TFields>, TMetadata>, TDebug, TPartial>>

  /**
   * Reads several nodes at once. Returns an object with the nodes by the requested ids; the order of its keys
   * is not defined. An error for one id fails the call. With `partial`, the id is left out instead.
   *
   * @throws GraphError in the same cases as `getNode`, and `too_many_ids` if there are too many ids.
   * @throws TypeError for an unknown option.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const graph = createGraph(createMemoryStore())
   * const session = graph.session({ viewer: '4', app: 'demo', scopes: [] })
   * await graph.write([
   *   { op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } },
   *   { op: 'putNode', node: { id: '7', type: 'page', fields: { name: 'Chess' } } },
   * ])
   * const nodes = await graph.getNodes(session, { ids: ['4', '7'] })
   * console.log(nodes['7']) // { name: 'Chess', id: '7' }
   * ```
   */
  getNodes<
    TId extends string,
    const TFields extends FieldsInput = undefined,
    TMetadata extends boolean | undefined = undefined,
    TDebug extends 'all' | undefined = undefined,
    TPartial extends boolean | undefined = undefined,
  >(
    token: TToken,
    options: GetNodesOptions<
      TId,
      CheckedNodeFields<TSchema, TId, undefined, TFields>,
      TMetadata,
      TDebug,
      TPartial
    >,
  ): Promise<
    ByIdWithDebug<WithMetadata<NodeResult<TSchema, TId, undefined, TFields>, TMetadata>, TDebug, TPartial>
  >
}
