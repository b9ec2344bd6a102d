import { assertCall, assertIdList, assertText } from '../base/assert-call.ts'
import type { OptionKinds } from '../base/options.ts'
import type { CountedPage, LooseNode } from '../schema/inference/answer.ts'
import { CALL, type Call, type Caller } from './call.ts'
import { type EdgeCall, edgesInput } from './edges-call.ts'
import type { Engine } from './engine.ts'
import { hasEdge } from './has-edge.ts'
import { Projector } from './project.ts'
import { Query } from './query.ts'
import { readEdges } from './read-edges.ts'
import { readNode, readNodes } from './read-nodes.ts'
import { nodeMissing, withMessages } from './roots.ts'

/** What the reads of one node take. */
export type NodeCall = Call & { readonly id: string; readonly type?: string | undefined }

const EDGE = {
  type: 'any',
  edge: 'any',
  limit: 'any',
  after: 'any',
  before: 'any',
  since: 'any',
  until: 'any',
  order: 'any',
  summary: 'any',
  ...CALL,
} as const

// An iteration goes one way, and answers entries alone.
const { before, summary, metadata, debug, ...WALK } = EDGE

/** What each read takes. What data decides (ids, limits, cursors, dates) is judged with the faults of the text. */
const OPTIONS = {
  getMe: CALL,
  getNode: { id: 'any', type: 'any', ...CALL },
  getNodes: { ids: 'any', ...CALL },
  getEdge: { id: 'any', ...EDGE },
  getEdges: { ids: 'any', ...EDGE },
  hasEdge: {
    id: 'any',
    type: 'any',
    edge: 'any',
    target: 'any',
    signal: 'any',
    atLeast: 'text',
    proof: 'text',
  },
  iterateEdge: { id: 'any', ...WALK },
} as const satisfies { readonly [method: string]: OptionKinds }

const only = <TValue>(answers: ReadonlyMap<string, TValue>, id: string): TValue => {
  const answer = answers.get(id)
  if (answer === undefined) throw nodeMissing(id)
  return answer
}

const assertType = ({ registry }: Engine, place: string, type: string | undefined): void => {
  if (type !== undefined) registry.assertType(place, type)
}

/** The reads of a graph, untyped: each checks what its caller got wrong, then runs one query. */
export class Reads {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async getMe(token: Caller, call: Call = {}): Promise<LooseNode> {
    assertCall('getMe', call, OPTIONS.getMe)
    const query = new Query(this.#engine, 'getMe', token, call)
    return query.run(readNode(query, { id: 'me', type: undefined }, Projector), node =>
      withMessages(query, node),
    )
  }

  async getNode(token: Caller, call: NodeCall): Promise<LooseNode> {
    assertCall('getNode', call, OPTIONS.getNode)
    assertType(this.#engine, 'getNode', call.type)
    const query = new Query(this.#engine, 'getNode', token, call)
    const input = { id: call.id, type: call.type }
    return query.run(readNode(query, input, Projector), node => withMessages(query, node))
  }

  async getNodes(
    token: Caller,
    call: Call & { readonly ids: readonly string[] },
  ): Promise<{ [id: string]: LooseNode }> {
    assertCall('getNodes', call, OPTIONS.getNodes)
    assertIdList('getNodes', call.ids)
    const query = new Query(this.#engine, 'getNodes', token, call)
    return query.run(readNodes(query, [...new Set(call.ids)], Projector), nodes =>
      withMessages(query, Object.fromEntries(nodes)),
    )
  }

  async getEdge(token: Caller, call: EdgeCall & { readonly id: string }): Promise<CountedPage<LooseNode>> {
    assertCall('getEdge', call, OPTIONS.getEdge)
    assertText('getEdge', 'edge', call.edge)
    assertType(this.#engine, 'getEdge', call.type)
    const query = new Query(this.#engine, 'getEdge', token, call)
    const input = edgesInput(call, [call.id], false)
    return query.run(readEdges(query, input, Projector), pages => withMessages(query, only(pages, call.id)))
  }

  async getEdges(
    token: Caller,
    call: EdgeCall & { readonly ids: readonly string[] },
  ): Promise<{ [id: string]: CountedPage<LooseNode> }> {
    assertCall('getEdges', call, OPTIONS.getEdges)
    assertIdList('getEdges', call.ids)
    assertText('getEdges', 'edge', call.edge)
    assertType(this.#engine, 'getEdges', call.type)
    const query = new Query(this.#engine, 'getEdges', token, call)
    const input = edgesInput(call, [...new Set(call.ids)], true)
    return query.run(readEdges(query, input, Projector), pages =>
      withMessages(query, Object.fromEntries(pages)),
    )
  }

  async hasEdge(
    token: Caller,
    call: Pick<Call, 'signal' | 'atLeast' | 'proof'> & {
      readonly id: string
      readonly type?: string | undefined
      readonly edge: string
      readonly target: string
    },
  ): Promise<boolean> {
    assertCall('hasEdge', call, OPTIONS.hasEdge)
    assertText('hasEdge', 'edge', call.edge)
    assertType(this.#engine, 'hasEdge', call.type)
    const query = new Query(this.#engine, 'hasEdge', token, call)
    const { id, type, edge, target } = call
    return query.run(hasEdge(query, { id, type, edge, target }), answer => answer)
  }

  /** The entries of all pages, read as they are asked for. */
  async *iterateEdge(
    token: Caller,
    call: EdgeCall & { readonly id: string },
  ): AsyncGenerator<LooseNode, void> {
    assertCall('iterateEdge', call, OPTIONS.iterateEdge)
    assertText('iterateEdge', 'edge', call.edge)
    assertType(this.#engine, 'iterateEdge', call.type)
    const asked = { ...call }
    let { after } = asked
    for (;;) {
      const page = await this.getEdge(token, { ...asked, after })
      yield* page.data
      if (page.paging?.next === undefined) return
      after = page.paging.cursors.after
    }
  }
}
