import type { CallOptions, PageOptions, Remarks, Token, WalkOptions } from '../execute/call-options.ts'
import type { PageOf } from '../schema/inference/answer.ts'
import type { FieldsInput } from '../schema/inference/expression.ts'
import type { TypeName } from '../schema/inference/place.ts'
import type { Schema } from '../schema/schema.ts'
import type { ByIdWithRemarks, WithRemarks } from './answers.ts'
import type { EdgeNameOf, EntryFound, EntrySelection } from './call.ts'

/**
 * The reads of edges. `type` is the source's: without it, entries are typed by all edges of that name, and by those of
 * the viewer types where the id is `me`.
 */
export interface EdgeReads<TSchema extends Schema> {
  /**
   * Reads a page of an edge, in the edge's order or the one asked. The end is where `paging.next` is absent; an empty
   * edge is `{ data: [] }`.
   *
   * @throws GraphError as `getNode` does; `unknown_field` for an edge that the node's type does not have, `scope_missing`,
   * `bad_parameter` for a cursor, date or limit that is none.
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
    TEdge extends EdgeNameOf<TSchema, TId, TType>,
    TType extends TypeName<TSchema> | undefined = undefined,
    const TFields extends FieldsInput = undefined,
    TSummary extends boolean | undefined = undefined,
    TDebug extends 'all' | undefined = undefined,
    TPartial extends boolean | undefined = undefined,
  >(
    token: Token,
    call: { readonly id: TId; readonly type?: TType; readonly edge: TEdge } & EntrySelection<
      TSchema,
      TId,
      TType,
      TEdge,
      TFields
    > &
      PageOptions<TSummary> &
      Remarks<TDebug, TPartial> &
      CallOptions,
  ): Promise<WithRemarks<PageOf<EntryFound<TSchema, TId, TType, TEdge, TFields>, TSummary>, TDebug, TPartial>>

  /**
   * Reads the same edge of several nodes at once, keyed by the ids as they were asked; the order of the keys is not
   * promised. One id at fault fails the call, unless `partial` leaves it out.
   *
   * @throws GraphError as `getEdge` does; `too_many_ids`.
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
    TEdge extends EdgeNameOf<TSchema, TId, TType>,
    TType extends TypeName<TSchema> | undefined = undefined,
    const TFields extends FieldsInput = undefined,
    TSummary extends boolean | undefined = undefined,
    TDebug extends 'all' | undefined = undefined,
    TPartial extends boolean | undefined = undefined,
  >(
    token: Token,
    call: { readonly ids: readonly TId[]; readonly type?: TType; readonly edge: TEdge } & EntrySelection<
      TSchema,
      TId,
      TType,
      TEdge,
      TFields
    > &
      PageOptions<TSummary> &
      Remarks<TDebug, TPartial> &
      CallOptions,
  ): Promise<
    ByIdWithRemarks<PageOf<EntryFound<TSchema, TId, TType, TEdge, TFields>, TSummary>, TDebug, TPartial>
  >

  /**
   * Tells whether a node has an edge to another, as far as the viewer may see it. The node must be there; the target
   * need not.
   *
   * @throws GraphError as `getEdge` does.
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
    TEdge extends EdgeNameOf<TSchema, TId, TType>,
    TType extends TypeName<TSchema> | undefined = undefined,
  >(
    token: Token,
    call: {
      readonly id: TId
      readonly type?: TType
      readonly edge: TEdge
      readonly target: string
    } & Pick<CallOptions, 'signal' | 'atLeast' | 'proof'>,
  ): Promise<boolean>

  /**
   * Walks an edge to its end, page by page: each page is read when its first entry is asked for. An edge that is there
   * throughout is met once, whatever is written meanwhile.
   *
   * @throws GraphError as `getEdge` does, when the first entry is asked for.
   * @throws TypeError for an unknown option or type, likewise.
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
    TEdge extends EdgeNameOf<TSchema, TId, TType>,
    TType extends TypeName<TSchema> | undefined = undefined,
    const TFields extends FieldsInput = undefined,
  >(
    token: Token,
    call: { readonly id: TId; readonly type?: TType; readonly edge: TEdge } & EntrySelection<
      TSchema,
      TId,
      TType,
      TEdge,
      TFields
    > &
      WalkOptions &
      Pick<Remarks, 'partial'> &
      CallOptions,
  ): AsyncIterable<EntryFound<TSchema, TId, TType, TEdge, TFields>>
}
