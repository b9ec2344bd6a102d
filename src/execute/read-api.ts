import { assertCallOptions, assertIdList, assertText } from '../base/assert-call.ts'
import type { OptionKinds } from '../base/options.ts'
import type { PageWithSummary, UntypedNode } from '../schema/inference/result.ts'
import { CALL_OPTION_KINDS, type Call, type Caller } from './call.ts'
import { type EdgeCall, toEdgeRequestInput } from './edge-request.ts'
import type { Engine } from './engine.ts'
import { hasEdge } from './has-edge.ts'
import { ObjectFormatter } from './object-formatter.ts'
import { Query } from './query.ts'
import { readEdges } from './read-edges.ts'
import { readNode, readNodes } from './read-nodes.ts'
import { nodeNotFoundError, withDebugMessages } from './root-nodes.ts'

/** The options of a read of one node. */
export type NodeCall = Call & { readonly id: string; readonly type?: string | undefined }

const EDGE_OPTION_KINDS = {
  type: 'any',
  edge: 'any',
  limit: 'any',
  after: 'any',
  before: 'any',
  since: 'any',
  until: 'any',
  order: 'any',
  summary: 'any',
  ...CALL_OPTION_KINDS,
} as const

// An iteration has one direction, and returns only entries.
const { before, summary, metadata, debug, ...ITERATE_OPTIONS } = EDGE_OPTION_KINDS

/**
 * The options of each read. Values that usually come from a request (ids, limits, cursors, dates) are
 * validated later.
 */
const OPTION_KINDS_BY_METHOD = {
  getMe: CALL_OPTION_KINDS,
  getNode: { id: 'any', type: 'any', ...CALL_OPTION_KINDS },
  getNodes: { ids: 'any', ...CALL_OPTION_KINDS },
  getEdge: { id: 'any', ...EDGE_OPTION_KINDS },
  getEdges: { ids: 'any', ...EDGE_OPTION_KINDS },
  hasEdge: {
    id: 'any',
    type: 'any',
    edge: 'any',
    target: 'any',
    signal: 'any',
    minRevision: 'text',
    proof: 'text',
  },
  iterateEdge: { id: 'any', ...ITERATE_OPTIONS },
} as const satisfies { readonly [method: string]: OptionKinds }

const requireResult = <TValue>(results: ReadonlyMap<string, TValue>, id: string): TValue => {
  const result = results.get(id)
  if (result === undefined) throw nodeNotFoundError(id)
  return result
}

const assertNodeType = ({ registry }: Engine, location: string, type: string | undefined): void => {
  if (type !== undefined) registry.assertType(location, type)
}

/** The untyped reads of a graph: each throws the usage errors of its options, then runs one query. */
export class ReadApi {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async getMe(token: Caller, call: Call = {}): Promise<UntypedNode> {
    assertCallOptions('getMe', call, OPTION_KINDS_BY_METHOD.getMe)
    const query = new Query(this.#engine, 'getMe', token, call)
    return query.run(readNode(query, { id: 'me', type: undefined }, ObjectFormatter), node =>
      withDebugMessages(query, node),
    )
  }

  async getNode(token: Caller, call: NodeCall): Promise<UntypedNode> {
    assertCallOptions('getNode', call, OPTION_KINDS_BY_METHOD.getNode)
    assertNodeType(this.#engine, 'getNode', call.type)
    const query = new Query(this.#engine, 'getNode', token, call)
    const input = { id: call.id, type: call.type }
    return query.run(readNode(query, input, ObjectFormatter), node => withDebugMessages(query, node))
  }

  async getNodes(
    token: Caller,
    call: Call & { readonly ids: readonly string[] },
  ): Promise<{ [id: string]: UntypedNode }> {
    assertCallOptions('getNodes', call, OPTION_KINDS_BY_METHOD.getNodes)
    assertIdList('getNodes', call.ids)
    const query = new Query(this.#engine, 'getNodes', token, call)
    return query.run(readNodes(query, [...new Set(call.ids)], ObjectFormatter), nodes =>
      withDebugMessages(query, Object.fromEntries(nodes)),
    )
  }

  async getEdge(
    token: Caller,
    call: EdgeCall & { readonly id: string },
  ): Promise<PageWithSummary<UntypedNode>> {
    assertCallOptions('getEdge', call, OPTION_KINDS_BY_METHOD.getEdge)
    assertText('getEdge', 'edge', call.edge)
    assertNodeType(this.#engine, 'getEdge', call.type)
    const query = new Query(this.#engine, 'getEdge', token, call)
    const input = toEdgeRequestInput(call, [call.id], false)
    return query.run(readEdges(query, input, ObjectFormatter), pages =>
      withDebugMessages(query, requireResult(pages, call.id)),
    )
  }

  async getEdges(
    token: Caller,
    call: EdgeCall & { readonly ids: readonly string[] },
  ): Promise<{ [id: string]: PageWithSummary<UntypedNode> }> {
    assertCallOptions('getEdges', call, OPTION_KINDS_BY_METHOD.getEdges)
    assertIdList('getEdges', call.ids)
    assertText('getEdges', 'edge', call.edge)
    assertNodeType(this.#engine, 'getEdges', call.type)
    const query = new Query(this.#engine, 'getEdges', token, call)
    const input = toEdgeRequestInput(call, [...new Set(call.ids)], true)
    return query.run(readEdges(query, input, ObjectFormatter), pages =>
      withDebugMessages(query, Object.fromEntries(pages)),
    )
  }

  async hasEdge(
    token: Caller,
    call: Pick<Call, 'signal' | 'minRevision' | 'proof'> & {
      readonly id: string
      readonly type?: string | undefined
      readonly edge: string
      readonly target: string
    },
  ): Promise<boolean> {
    assertCallOptions('hasEdge', call, OPTION_KINDS_BY_METHOD.hasEdge)
    assertText('hasEdge', 'edge', call.edge)
    assertNodeType(this.#engine, 'hasEdge', call.type)
    const query = new Query(this.#engine, 'hasEdge', token, call)
    const { id, type, edge, target } = call
    return query.run(hasEdge(query, { id, type, edge, target }), result => result)
  }

  /** Iterates over the entries of all pages. Each page is read when it is needed. */
  async *iterateEdge(
    token: Caller,
    call: EdgeCall & { readonly id: string },
  ): AsyncGenerator<UntypedNode, void> {
    assertCallOptions('iterateEdge', call, OPTION_KINDS_BY_METHOD.iterateEdge)
    assertText('iterateEdge', 'edge', call.edge)
    assertNodeType(this.#engine, 'iterateEdge', call.type)
    const pageCall = { ...call }
    let { after } = pageCall
    for (;;) {
      const page = await this.getEdge(token, { ...pageCall, after })
      yield* page.data
      if (page.paging?.next === undefined) return
      after = page.paging.cursors.after
    }
  }
}
