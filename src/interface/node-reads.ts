import type { CallOptions, Description, Remarks, Token } from '../execute/call-options.ts'
import type { FieldsInput } from '../schema/inference/expression.ts'
import type { TypeName } from '../schema/inference/place.ts'
import type { Schema } from '../schema/schema.ts'
import type { ByIdWithRemarks, WithMetadata, WithRemarks } from './answers.ts'
import type { NodeFound, NodeSelection } from './call.ts'

/** The reads of nodes. A name that the schema does not have is a compile error that tells it. */
export interface NodeReads<TSchema extends Schema> {
  /**
   * Reads the node that the token stands for, which may be of any of the schema's viewer types.
   *
   * @throws GraphError in this order: for the token, its proof, the text of the expression, a viewer that there is none of or
   * that is gone, names that its type does not have, scopes that it takes, and what it costs.
   * @throws TypeError for an unknown option or one of another type.
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
    token: Token,
    call?: NodeSelection<TSchema, 'me', undefined, TFields> &
      Description<TMetadata> &
      Remarks<TDebug, TPartial> &
      CallOptions,
  ): Promise<
    WithRemarks<WithMetadata<NodeFound<TSchema, 'me', undefined, TFields>, TMetadata>, TDebug, TPartial>
  >

  /**
   * Reads one node by its id, or the viewer's where the id is `me`. With `type` the answer is typed, and a node of
   * another type is as if it did not exist.
   *
   * @throws GraphError as `getMe` does; `node_missing` for a node that does not exist or may not be seen.
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
    token: Token,
    call: { readonly id: TId; readonly type?: TType } & NodeSelection<TSchema, TId, TType, TFields> &
      Description<TMetadata> &
      Remarks<TDebug, TPartial> &
      CallOptions,
  ): Promise<WithRemarks<WithMetadata<NodeFound<TSchema, TId, TType, TFields>, TMetadata>, TDebug, TPartial>>

  /**
   * Reads several nodes at once, keyed by the ids as they were asked; the order of the keys is not promised. One id at
   * fault fails the call, unless `partial` leaves it out.
   *
   * @throws GraphError as `getNode` does; `too_many_ids`.
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
    token: Token,
    call: { readonly ids: readonly TId[] } & NodeSelection<TSchema, TId, undefined, TFields> &
      Description<TMetadata> &
      Remarks<TDebug, TPartial> &
      CallOptions,
  ): Promise<
    ByIdWithRemarks<WithMetadata<NodeFound<TSchema, TId, undefined, TFields>, TMetadata>, TDebug, TPartial>
  >
}
