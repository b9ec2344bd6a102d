import type { PageWithSummary, UncertainSummary, UntypedNode } from '../schema/inference/result.ts'
import type {
  GetEdgeEntryOptions,
  GetEdgeOptions,
  GetEdgesOptions,
  GetMeOptions,
  GetNodeOptions,
  GetNodesOptions,
  HasEdgeOptions,
  IterateEdgeOptions,
} from './read-options.ts'
import type { ById } from './results.ts'

/**
 * The reads as they are implemented: `NodeReads` and `EdgeReads` add the types of a schema at compile time.
 */
export interface UntypedReads<TToken> {
  /** Reads the viewer's own node. */
  getMe(token: TToken, options?: GetMeOptions): Promise<UntypedNode>
  /** Reads a node by its id. */
  getNode(token: TToken, options: GetNodeOptions): Promise<UntypedNode>
  /** Reads several nodes, and returns them by the requested ids. */
  getNodes(token: TToken, options: GetNodesOptions): Promise<ById<UntypedNode>>
  /** Reads a page of an edge. */
  getEdge(token: TToken, options: GetEdgeOptions): Promise<PageWithSummary<UntypedNode, UncertainSummary>>
  /** Reads a page of the same edge of several nodes, and returns the pages by the requested ids. */
  getEdges(
    token: TToken,
    options: GetEdgesOptions,
  ): Promise<ById<PageWithSummary<UntypedNode, UncertainSummary>>>
  /** Reads one entry of an edge by its target. */
  getEdgeEntry(token: TToken, options: GetEdgeEntryOptions): Promise<UntypedNode | undefined>
  /** Returns whether a node has an edge to another node. */
  hasEdge(token: TToken, options: HasEdgeOptions): Promise<boolean>
  /** Iterates over the entries of an edge, page by page. Each page is read when it is needed. */
  iterateEdge(token: TToken, options: IterateEdgeOptions): AsyncIterable<UntypedNode>
}

/** The names of the methods that read. */
export const READ_METHODS = [
  'getMe',
  'getNode',
  'getNodes',
  'getEdge',
  'getEdges',
  'getEdgeEntry',
  'hasEdge',
  'iterateEdge',
] as const satisfies readonly (keyof UntypedReads<unknown>)[]
