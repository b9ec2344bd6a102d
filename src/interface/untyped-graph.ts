import type { SessionRequest } from '../access/sessions.ts'
import type { Session } from '../base/session.ts'
import type {
  CallOptions,
  Description,
  PageOptions,
  Remarks,
  Selection,
  Token,
  WalkOptions,
} from '../execute/call-options.ts'
import type { Explanation } from '../plan/explain.ts'
import type { LooseNode, Page } from '../schema/inference/answer.ts'
import type { Schema } from '../schema/schema.ts'
import type { ById } from './answers.ts'
import type { GraphIds } from './ids.ts'
import type { GraphTokens } from './tokens.ts'
import type { Writes } from './writes.ts'

type NodeCall = Selection & Description & Remarks & CallOptions
type Source = { readonly type?: string | undefined; readonly edge: string }
type One = { readonly id: string }
type Several = { readonly ids: readonly string[] }
type EdgeCall = Source & Selection & PageOptions & Remarks & CallOptions

/**
 * A graph of which no type is known: what an engine implements before the compiler infers the rest, and what a function
 * takes that works on graphs of any schema.
 */
export interface UntypedGraph extends Writes<Schema> {
  /** Reads the viewer's own node. */
  getMe(token: Token, call?: NodeCall): Promise<LooseNode>
  /** Reads a node by its id. */
  getNode(token: Token, call: One & { readonly type?: string | undefined } & NodeCall): Promise<LooseNode>
  /** Reads several nodes, keyed by their ids as they were asked. */
  getNodes(token: Token, call: Several & NodeCall): Promise<ById<LooseNode>>
  /** Reads a page of an edge. */
  getEdge(token: Token, call: One & EdgeCall): Promise<Page<LooseNode>>
  /** Reads a page of an edge of several nodes, keyed by their ids as they were asked. */
  getEdges(token: Token, call: Several & EdgeCall): Promise<ById<Page<LooseNode>>>
  /** Tells whether a node has an edge to another. */
  hasEdge(
    token: Token,
    call: One & Source & { readonly target: string } & Pick<CallOptions, 'signal' | 'atLeast' | 'proof'>,
  ): Promise<boolean>
  /** Walks along an edge, page by page. */
  iterateEdge(
    token: Token,
    call: One & Source & Selection & WalkOptions & Pick<Remarks, 'partial'> & CallOptions,
  ): AsyncIterable<LooseNode>
  /** Tells what an expression comes to, without reading anything. */
  explain(call: {
    readonly type: string
    readonly edge?: string | undefined
    readonly fields?: Selection['fields']
    readonly version?: string | undefined
  }): Explanation
  /** Makes a session of this process. */
  session(request: SessionRequest): Session
  /** The tokens that the store keeps. */
  readonly tokens: GraphTokens
  /** The ids as one app sees them. */
  readonly ids: GraphIds
  /** Closes the graph and its store for good. */
  close(): Promise<void>
  /** Closes the graph at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>
}
