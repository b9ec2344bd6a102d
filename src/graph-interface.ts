import type { SessionOptions } from './access/sessions.ts'
import type { Session } from './base/session.ts'
import type { EdgeReads } from './interface/edge-reads.ts'
import type { GraphIds } from './interface/ids.ts'
import type { NodeReads } from './interface/node-reads.ts'
import type { ExplainOptions } from './interface/read-options.ts'
import type { GraphTokens } from './interface/tokens.ts'
import type { Writes } from './interface/writes.ts'
import type { Explanation } from './plan/explain.ts'
import type { CheckedFields } from './schema/inference/checked-fields.ts'
import type { FieldsInput } from './schema/inference/expression.ts'
import type { EdgeNamesOn, ExplainParent, TypeName } from './schema/inference/parent.ts'
import type { AnySchema, Schema } from './schema/schema.ts'

/**
 * The graph that `createGraph` returns for a store. Its methods do not use `this`, and its results are plain
 * objects that the caller may change. `Graph` without a type argument is a graph of an unknown schema.
 */
export interface Graph<TSchema extends AnySchema = Schema>
  extends NodeReads<TSchema>,
    EdgeReads<TSchema>,
    Writes<TSchema> {
  /**
   * Returns the plan of an expression for nodes of a type, or for the entries of one of the type's edges.
   * Reads no data.
   *
   * @throws GraphError for an invalid expression; `field_not_found` for an edge that the type does not have.
   * @throws TypeError for an unknown option or type.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const { explain } = createGraph(createMemoryStore())
   * const { reads, cost, scopes } = explain({ type: 'user', fields: 'name,photos.limit(10){from}' })
   * console.log(reads, cost, scopes) // 3 22 [ 'user_photos' ]
   * ```
   */
  explain<
    TType extends TypeName<TSchema>,
    TEdge extends EdgeNamesOn<TSchema['types'], TType> | undefined = undefined,
    const TFields extends FieldsInput = undefined,
  >(
    options: ExplainOptions<
      TType,
      TEdge,
      CheckedFields<TSchema['types'], ExplainParent<TSchema['types'], TType, TEdge>, TFields>
    >,
  ): Explanation

  /**
   * Creates a session, which you can use instead of a token. The session is not stored, and only this graph
   * accepts it. With `bypassPolicies`, calls with the session skip all policies.
   *
   * @throws TypeError for an unknown option, or an invalid viewer, app, list of scopes or `bypassPolicies`. A viewer
   * with a named id must be of a viewer type.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const { session } = createGraph(createMemoryStore())
   * console.log(session({ viewer: '4', app: 'demo', scopes: ['email'] }).scopes) // [ 'email' ]
   * ```
   */
  session(options: SessionOptions): Session

  /** Issues, inspects and revokes the tokens in the store. */
  readonly tokens: GraphTokens

  /** Converts ids between their stored form and the public ids of an app. */
  readonly ids: GraphIds

  /**
   * Closes the graph and its store. Later calls fail with a `TypeError`.
   *
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const graph = createGraph(createMemoryStore())
   * await graph.close()
   * ```
   */
  close(): Promise<void>

  /** Closes the graph at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A graph of any schema, with untyped results. Every graph is assignable to this type, so a function with a
 * parameter of this type accepts any graph.
 *
 * @example
 * ```ts
 * import { type AnyGraph, createGraph } from 'kithgraph'
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const hasNode = async (graph: AnyGraph, id: string): Promise<boolean> => {
 *   const session = graph.session({ app: 'admin' })
 *   return id in (await graph.getNodes(session, { ids: [id], fields: 'id', partial: true }))
 * }
 *
 * const graph = createGraph(createMemoryStore())
 * console.log(await hasNode(graph, '4')) // false
 * ```
 */
// biome-ignore lint/suspicious/noExplicitAny: the compiler accepts any schema, without a comparison of types
export type AnyGraph = Graph<any>
