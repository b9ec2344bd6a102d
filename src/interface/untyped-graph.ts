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
  getMe(token: Token, call?: NodeCall): Promise<LooseNode>
  getNode(token: Token, call: One & { readonly type?: string | undefined } & NodeCall): Promise<LooseNode>
  getNodes(token: Token, call: Several & NodeCall): Promise<ById<LooseNode>>
  getEdge(token: Token, call: One & EdgeCall): Promise<Page<LooseNode>>
  getEdges(token: Token, call: Several & EdgeCall): Promise<ById<Page<LooseNode>>>
  hasEdge(
    token: Token,
    call: One & Source & { readonly target: string } & Pick<CallOptions, 'signal' | 'proof'>,
  ): Promise<boolean>
  iterateEdge(
    token: Token,
    call: One & Source & Selection & WalkOptions & Pick<Remarks, 'partial'> & CallOptions,
  ): AsyncIterable<LooseNode>
  explain(call: {
    readonly type: string
    readonly edge?: string | undefined
    readonly fields?: Selection['fields']
    readonly version?: string | undefined
  }): Explanation
  session(request: SessionRequest): Session
  readonly tokens: GraphTokens
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
