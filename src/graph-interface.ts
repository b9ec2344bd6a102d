import type { SessionRequest } from './access/sessions.ts'
import type { Session } from './base/session.ts'
import type { EdgeReads } from './interface/edge-reads.ts'
import type { GraphIds } from './interface/ids.ts'
import type { NodeReads } from './interface/node-reads.ts'
import type { GraphTokens } from './interface/tokens.ts'
import type { Writes } from './interface/writes.ts'
import type { Explanation } from './plan/explain.ts'
import type { FieldsInput } from './schema/inference/expression.ts'
import type { Checked } from './schema/inference/faults.ts'
import type { EdgeNamesOn, ExplainedPlace, TypeName } from './schema/inference/place.ts'
import type { Schema } from './schema/schema.ts'

export type { UntypedGraph } from './interface/untyped-graph.ts'

/**
 * A graph over a store: what `createGraph` answers. Its methods are free of `this`, and its answers are plain objects of
 * the caller's own. `Graph<Schema>`, or `Graph` alone, is a graph of which no type is known.
 */
export interface Graph<TSchema extends Schema = Schema>
  extends NodeReads<TSchema>,
    EdgeReads<TSchema>,
    Writes<TSchema> {
  /**
   * Tells what an expression comes to for nodes of a type, or for the entries of one of its edges, without reading
   * anything.
   *
   * @throws GraphError for what is wrong with the expression; `unknown_field` for an edge that the type does not have.
   * @throws TypeError for an unknown option or type.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const { explain } = createGraph(createMemoryStore())
   * const { waves, cost, scopes } = explain({ type: 'user', fields: 'name,photos.limit(10){from}' })
   * console.log(waves, cost, scopes) // 3 22 [ 'user_photos' ]
   * ```
   */
  explain<
    TType extends TypeName<TSchema>,
    TEdge extends EdgeNamesOn<TSchema['types'], TType> | undefined = undefined,
    const TFields extends FieldsInput = undefined,
  >(call: {
    readonly type: TType
    readonly edge?: TEdge
    readonly fields?: Checked<TSchema['types'], ExplainedPlace<TSchema['types'], TType, TEdge>, TFields>
    readonly version?: string | undefined
  }): Explanation

  /**
   * Makes a session of this process, which stands wherever a token does and is not kept anywhere. Only the graph that
   * made it takes it.
   *
   * @throws TypeError for an unknown option or one of another type.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const { session } = createGraph(createMemoryStore())
   * console.log(session({ viewer: '4', app: 'demo', scopes: ['email'] }).scopes) // [ 'email' ]
   * ```
   */
  session(request: SessionRequest): Session

  /** The tokens that the store keeps. */
  readonly tokens: GraphTokens

  /** The ids as one app sees them. */
  readonly ids: GraphIds

  /**
   * Closes the graph and its store for good; what is asked afterwards is refused.
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
