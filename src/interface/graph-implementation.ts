import type { SessionOptions } from '../access/sessions.ts'
import type { Session } from '../base/session.ts'
import type { Token } from '../execute/call-options.ts'
import type { Explanation } from '../plan/explain.ts'
import type { Page, UntypedNode } from '../schema/inference/result.ts'
import type { Schema } from '../schema/schema.ts'
import type { GraphIds } from './ids.ts'
import type {
  ExplainOptions,
  GetEdgeOptions,
  GetEdgesOptions,
  GetMeOptions,
  GetNodeOptions,
  GetNodesOptions,
  HasEdgeOptions,
  IterateEdgeOptions,
} from './read-options.ts'
import type { ById } from './results.ts'
import type { GraphTokens } from './tokens.ts'
import type { Writes } from './writes.ts'

/** The methods of a graph as they are implemented: `Graph` adds the types of a schema at compile time. */
export interface GraphImplementation extends Writes<Schema> {
  /** Reads the viewer's own node. */
  getMe(token: Token | Session, options?: GetMeOptions): Promise<UntypedNode>
  /** Reads a node by its id. */
  getNode(token: Token | Session, options: GetNodeOptions): Promise<UntypedNode>
  /** Reads several nodes. Returns them by the requested ids. */
  getNodes(token: Token | Session, options: GetNodesOptions): Promise<ById<UntypedNode>>
  /** Reads a page of an edge. */
  getEdge(token: Token | Session, options: GetEdgeOptions): Promise<Page<UntypedNode>>
  /** Reads a page of an edge of several nodes. Returns the pages by the requested ids. */
  getEdges(token: Token | Session, options: GetEdgesOptions): Promise<ById<Page<UntypedNode>>>
  /** Returns whether a node has an edge to another. */
  hasEdge(token: Token | Session, options: HasEdgeOptions): Promise<boolean>
  /** Iterates over the entries of an edge, page by page. */
  iterateEdge(token: Token | Session, options: IterateEdgeOptions): AsyncIterable<UntypedNode>
  /** Returns the plan of an expression, without reading anything. */
  explain(options: ExplainOptions): Explanation
  /** Creates a session, which can be used instead of a token. */
  session(options: SessionOptions): Session
  /** The tokens in the store. */
  readonly tokens: GraphTokens
  /** The ids as one app sees them. */
  readonly ids: GraphIds
  /** Closes the graph and its store. */
  close(): Promise<void>
  /** Closes the graph at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>
}
