import type { Session } from '../base/session.ts'
import type { FieldsInput } from '../schema/inference/expression.ts'
import type { TypeName } from '../schema/inference/parent.ts'
import type { Schema } from '../schema/schema.ts'
import type {
  GetEdgeEntryOptions,
  GetEdgeOptions,
  GetEdgesOptions,
  HasEdgeOptions,
  IterateEdgeOptions,
  Token,
} from './read-options.ts'
import type {
  CallOrder,
  CallParameters,
  CheckedEntryFields,
  EdgePage,
  EntryResult,
  RequireParameters,
  SourceEdgeName,
} from './read-types.ts'
import type { ByIdWithDebug, WithDebug } from './results.ts'

/**
 * The reads of edges. `type` is the type of the source. Without `type`, an entry may be a target of any edge
 * with the given name. If the id is `me`, only the edges of the viewer types are considered.
 */
export interface EdgeReads<TSchema extends Schema, TToken = Token | Session> {
  /**
   * Reads a page of an edge, in the order of the edge or in the requested order. The last page has no
   * `paging.next`. The page of an empty edge is `{ data: [] }`.
   *
   * @throws GraphError in the same cases as `getNode`, and in these: `field_not_found` if the type of the
   * node does not have the edge, `scope_missing` if the token lacks the scope of the edge, and
   * `invalid_parameter` for an invalid cursor, date or limit.
   * @throws TypeError for an unknown option or type.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const graph = createGraph(createMemoryStore())
   * const session = graph.session({ viewer: '4', app: 'demo', scopes: [] })
   * await graph.write([
   *   { op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } },
   *   { op: 'putNode', node: { id: '9', type: 'photo', fields: {} } },
   *   { op: 'putEdge', edge: { source: '9', name: 'likes', target: '4' } },
   * ])
   * const likes = await graph.getEdge(session, { id: '9', type: 'photo', edge: 'likes', fields: 'name', summary: true })
   * console.log(likes.data, likes.summary?.total_count) // [ { name: 'Ada', id: '4' } ] 1
   * ```
   */
  getEdge<
    TId extends string,
    TEdge extends SourceEdgeName<TSchema, TId, TType>,
    TType extends TypeName<TSchema> | undefined = undefined,
    const TFields extends FieldsInput = undefined,
    TSummary extends boolean | undefined = undefined,
    TDebug extends 'all' | undefined = undefined,
    TPartial extends boolean | undefined = undefined,
  >(
    token: TToken,
    options: GetEdgeOptions<
      TId,
      TType,
      TEdge,
      CheckedEntryFields<TSchema, TId, TType, TEdge, TFields>,
      TSummary,
      TDebug,
      TPartial,
      CallParameters<TSchema, TId, TType, TEdge>,
      CallOrder<TSchema, TId, TType, TEdge>
    > &
      RequireParameters<CallParameters<TSchema, TId, TType, TEdge>>,
  ): Promise<WithDebug<EdgePage<TSchema, TId, TType, TEdge, TFields, TSummary>, TDebug, TPartial>>

  /**
   * Reads the same edge of several nodes at once. Returns the pages by the requested ids, in no particular
   * order. An error for one id fails the call. With `partial`, the id is left out instead.
   *
   * @throws GraphError in the same cases as `getEdge`, and `too_many_ids` if there are too many ids.
   * @throws TypeError for an unknown option or type.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const graph = createGraph(createMemoryStore())
   * const session = graph.session({ viewer: '4', app: 'demo', scopes: [] })
   * await graph.write([{ op: 'putNode', node: { id: '9', type: 'photo', fields: {} } }])
   * const comments = await graph.getEdges(session, { ids: ['9'], type: 'photo', edge: 'comments' })
   * console.log(comments['9']) // { data: [] }
   * ```
   */
  getEdges<
    TId extends string,
    TEdge extends SourceEdgeName<TSchema, TId, TType>,
    TType extends TypeName<TSchema> | undefined = undefined,
    const TFields extends FieldsInput = undefined,
    TSummary extends boolean | undefined = undefined,
    TDebug extends 'all' | undefined = undefined,
    TPartial extends boolean | undefined = undefined,
  >(
    token: TToken,
    options: GetEdgesOptions<
      TId,
      TType,
      TEdge,
      CheckedEntryFields<TSchema, TId, TType, TEdge, TFields>,
      TSummary,
      TDebug,
      TPartial,
      CallParameters<TSchema, TId, TType, TEdge>,
      CallOrder<TSchema, TId, TType, TEdge>
    > &
      RequireParameters<CallParameters<TSchema, TId, TType, TEdge>>,
  ): Promise<ByIdWithDebug<EdgePage<TSchema, TId, TType, TEdge, TFields, TSummary>, TDebug, TPartial>>

  /**
   * Returns whether a node has an edge to another node, and the viewer may see the edge. The source must
   * exist. If the target does not exist, the result is false.
   *
   * @throws GraphError in the same cases as `getEdge`.
   * @throws TypeError for an unknown option or type.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const graph = createGraph(createMemoryStore())
   * const session = graph.session({ viewer: '4', app: 'demo', scopes: [] })
   * await graph.write([{ op: 'putNode', node: { id: '9', type: 'photo', fields: {} } }])
   * console.log(await graph.hasEdge(session, { id: '9', edge: 'likes', target: 'me' })) // false
   * ```
   */
  hasEdge<
    TId extends string,
    TEdge extends SourceEdgeName<TSchema, TId, TType>,
    TType extends TypeName<TSchema> | undefined = undefined,
  >(
    token: TToken,
    options: HasEdgeOptions<TId, TType, TEdge, CallParameters<TSchema, TId, TType, TEdge>> &
      RequireParameters<CallParameters<TSchema, TId, TType, TEdge>>,
  ): Promise<boolean>

  /**
   * Reads one entry of an edge by its target: the fields of the node and those of the edge. Returns `undefined` if the
   * list with the same parameters does not contain the target, or the viewer may not see it. The source must exist.
   *
   * @throws GraphError in the same cases as `getEdge`, and `invalid_parameter` for a computed edge.
   * @throws TypeError for an unknown option or type.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const graph = createGraph(createMemoryStore())
   * const session = graph.session({ viewer: '4', app: 'demo', scopes: [] })
   * await graph.write([
   *   { op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } },
   *   { op: 'putNode', node: { id: '9', type: 'photo', fields: {} } },
   *   { op: 'putEdge', edge: { source: '9', name: 'likes', target: '4' } },
   * ])
   * const like = await graph.getEdgeEntry(session, { id: '9', type: 'photo', edge: 'likes', target: 'me', fields: 'name' })
   * console.log(like) // { name: 'Ada', id: '4' }
   * ```
   */
  getEdgeEntry<
    TId extends string,
    TEdge extends SourceEdgeName<TSchema, TId, TType>,
    TType extends TypeName<TSchema> | undefined = undefined,
    const TFields extends FieldsInput = undefined,
    TDebug extends 'all' | undefined = undefined,
    TPartial extends boolean | undefined = undefined,
  >(
    token: TToken,
    options: GetEdgeEntryOptions<
      TId,
      TType,
      TEdge,
      CheckedEntryFields<TSchema, TId, TType, TEdge, TFields>,
      TDebug,
      TPartial,
      CallParameters<TSchema, TId, TType, TEdge>
    > &
      RequireParameters<CallParameters<TSchema, TId, TType, TEdge>>,
  ): Promise<WithDebug<EntryResult<TSchema, TId, TType, TEdge, TFields>, TDebug, TPartial> | undefined>

  /**
   * Iterates over all entries of an edge, page by page. Each page is read when its first entry is requested.
   * An entry that exists during the whole iteration is returned exactly once, even if other entries are
   * written in the meantime.
   *
   * @throws GraphError in the same cases as `getEdge`, when a page is read.
   * @throws TypeError for an unknown option or type, when the first entry is requested.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const graph = createGraph(createMemoryStore())
   * const session = graph.session({ viewer: '4', app: 'demo', scopes: [] })
   * await graph.write([
   *   { op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } },
   *   { op: 'putNode', node: { id: '9', type: 'photo', fields: {} } },
   *   { op: 'putEdge', edge: { source: '9', name: 'likes', target: '4' } },
   * ])
   * for await (const person of graph.iterateEdge(session, { id: '9', type: 'photo', edge: 'likes', limit: 100 })) {
   *   console.log(person.name) // Ada
   * }
   * ```
   */
  iterateEdge<
    TId extends string,
    TEdge extends SourceEdgeName<TSchema, TId, TType>,
    TType extends TypeName<TSchema> | undefined = undefined,
    const TFields extends FieldsInput = undefined,
  >(
    token: TToken,
    options: IterateEdgeOptions<
      TId,
      TType,
      TEdge,
      CheckedEntryFields<TSchema, TId, TType, TEdge, TFields>,
      CallParameters<TSchema, TId, TType, TEdge>,
      CallOrder<TSchema, TId, TType, TEdge>
    > &
      RequireParameters<CallParameters<TSchema, TId, TType, TEdge>>,
  ): AsyncIterable<EntryResult<TSchema, TId, TType, TEdge, TFields>>
}
