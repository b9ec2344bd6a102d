import type { Awaitable } from '../base/awaitable.ts'
import type { Session } from '../base/session.ts'
import { usageErrorAbout } from '../base/usage-error.ts'
import type { ReadMethod } from '../core/events.ts'
import { JsonFormatter } from '../format/json-formatter.ts'
import { ObjectFormatter } from '../format/object-formatter.ts'
import { assertReadOptions } from '../interface/assert-read-options.ts'
import type {
  GetEdgeEntryOptions,
  GetEdgeOptions,
  GetEdgesOptions,
  GetMeOptions,
  GetNodeOptions,
  GetNodesOptions,
  HandlerReadOptions,
  HasEdgeOptions,
  IterateEdgeOptions,
} from '../interface/read-options.ts'
import { entryOf } from '../interface/results.ts'
import type { UntypedReads } from '../interface/untyped-reads.ts'
import type { UntypedNode } from '../schema/inference/result.ts'
import { EMPTY_REQUEST } from '../store/requests.ts'
import type { ActionCall } from './action-runtime.ts'
import type { Call, Caller, CallHooks } from './call-hooks.ts'
import { ENTRY_READ, HAS_EDGE_READ } from './edge-lookup.ts'
import { toEdgeRequestInput } from './edge-request.ts'
import type { Engine } from './engine.ts'
import { toGivenTexts, toGivenValues } from './given-parameters.ts'
import { createQuery, type Query, type ReadOperation } from './query.ts'
import { EDGE_READ, EDGES_READ } from './read-edges.ts'
import { NODE_READ, NODES_READ } from './read-nodes.ts'
import { runQuery, runRead } from './run-query.ts'

/**
 * The untyped reads of a graph. Each read validates its options and runs a query; `iterateEdge` runs one
 * query per page.
 */
export class ReadApi implements UntypedReads<Caller> {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async getMe(token: Caller, options: GetMeOptions = {}) {
    assertReadOptions('getMe', options)
    const query = createQuery(this.#engine, 'getMe', token, options, { id: 'me', type: undefined })
    return runQuery(query, NODE_READ, ObjectFormatter)
  }

  async getNode(token: Caller, options: GetNodeOptions) {
    this.#assertOptions('getNode', options)
    const { id, type } = options
    const query = createQuery(this.#engine, 'getNode', token, options, { id, type })
    return runQuery(query, NODE_READ, ObjectFormatter)
  }

  async getNodes(token: Caller, options: GetNodesOptions) {
    assertReadOptions('getNodes', options)
    const query = createQuery(this.#engine, 'getNodes', token, options, [...new Set(options.ids)])
    return runQuery(query, NODES_READ, ObjectFormatter)
  }

  async getEdge(token: Caller, options: GetEdgeOptions) {
    this.#assertOptions('getEdge', options)
    const input = toEdgeRequestInput(options, [options.id], false, toGivenValues(options.parameters))
    const query = createQuery(this.#engine, 'getEdge', token, options, input)
    return runQuery(query, EDGE_READ, ObjectFormatter)
  }

  async getEdges(token: Caller, options: GetEdgesOptions) {
    this.#assertOptions('getEdges', options)
    const input = toEdgeRequestInput(
      options,
      [...new Set(options.ids)],
      true,
      toGivenValues(options.parameters),
    )
    const query = createQuery(this.#engine, 'getEdges', token, options, input)
    return runQuery(query, EDGES_READ, ObjectFormatter)
  }

  async hasEdge(token: Caller, options: HasEdgeOptions) {
    this.#assertOptions('hasEdge', options)
    const { id, type, edge, target } = options
    const input = { id, type, edge, target, parameters: toGivenValues(options.parameters) }
    return runRead(createQuery(this.#engine, 'hasEdge', token, options, input), HAS_EDGE_READ)
  }

  async getEdgeEntry(token: Caller, options: GetEdgeEntryOptions) {
    this.#assertOptions('getEdgeEntry', options)
    const { id, type, edge, target } = options
    const input = { id, type, edge, target, parameters: toGivenValues(options.parameters) }
    const query = createQuery(this.#engine, 'getEdgeEntry', token, options, input)
    return entryOf(await runQuery(query, ENTRY_READ, ObjectFormatter))
  }

  /** Iterates over the entries of all pages. Each page is read when it is needed. */
  async *iterateEdge(token: Caller, options: IterateEdgeOptions): AsyncGenerator<UntypedNode, void> {
    this.#assertOptions('iterateEdge', options)
    const { parameters } = options
    const pageOptions = { ...options, ...(parameters && { parameters: { ...parameters } }) }
    let { after } = pageOptions
    for (;;) {
      const page = await this.getEdge(token, { ...pageOptions, after })
      yield* page.data
      if (page.paging?.next === undefined) return
      after = page.paging.cursors.after
    }
  }

  #assertOptions(
    method: Exclude<keyof UntypedReads<Caller>, 'getMe' | 'getNodes'>,
    options: { readonly type?: string | undefined },
  ): void {
    assertReadOptions(method, options)
    if (options.type !== undefined) this.#engine.registry.assertType(method, options.type)
  }
}

/** The read that returns only the session of a token. */
const SESSION_READ: ReadOperation<undefined, undefined, Session> = {
  prepare: () => undefined,
  rootRequest: () => EMPTY_REQUEST,
  // biome-ignore lint/correctness/useYield: a read is a task, and this one has nothing to read
  *read({ session }) {
    return session
  },
}

/**
 * The reads of a graph for a handler, which return JSON text. The handler's hooks determine the links in the
 * result and charge for the call. A read returns a promise only if it has to wait. Errors before that are
 * thrown synchronously.
 */
export class JsonReadApi {
  readonly #engine: Engine
  readonly #hooks: CallHooks

  constructor(engine: Engine, hooks: CallHooks) {
    this.#engine = engine
    this.#hooks = hooks
  }

  /** Returns the session of a token. */
  getSession(token: Caller, call: Pick<Call, 'proof' | 'signal'>): Awaitable<Session> {
    return runRead(this.#createQuery('session', token, call, undefined), SESSION_READ)
  }

  getNode(token: Caller, call: HandlerReadOptions<GetNodeOptions>): Awaitable<string> {
    const { id, type } = call
    const query = this.#createQuery(id === 'me' ? 'getMe' : 'getNode', token, call, { id, type })
    return runQuery(query, NODE_READ, JsonFormatter)
  }

  getNodes(token: Caller, call: HandlerReadOptions<GetNodesOptions>): Awaitable<string> {
    return runQuery(
      this.#createQuery('getNodes', token, call, [...new Set(call.ids)]),
      NODES_READ,
      JsonFormatter,
    )
  }

  getEdge(token: Caller, call: HandlerReadOptions<GetEdgeOptions>): Awaitable<string> {
    const input = toEdgeRequestInput(call, [call.id], false, toGivenTexts(call.parameters))
    return runQuery(this.#createQuery('getEdge', token, call, input), EDGE_READ, JsonFormatter)
  }

  /** Reads one entry of an edge by its target. */
  getEdgeEntry(token: Caller, call: HandlerReadOptions<GetEdgeEntryOptions>): Awaitable<string> {
    const { id, type, edge, target } = call
    const input = { id, type, edge, target, parameters: toGivenTexts(call.parameters) }
    return runQuery(this.#createQuery('getEdgeEntry', token, call, input), ENTRY_READ, JsonFormatter)
  }

  getEdges(token: Caller, call: HandlerReadOptions<GetEdgesOptions>): Awaitable<string> {
    const input = toEdgeRequestInput(call, [...new Set(call.ids)], true, toGivenTexts(call.parameters))
    return runQuery(this.#createQuery('getEdges', token, call, input), EDGES_READ, JsonFormatter)
  }

  /** Runs an action. @throws TypeError for a graph without actions. */
  async callAction(token: Caller, call: ActionCall): Promise<string> {
    const { actions } = this.#engine
    if (actions === undefined) throw usageErrorAbout('callAction', 'the graph', 'one with actions', 'none')
    return actions.respond(token, call, this.#hooks, JsonFormatter)
  }

  #createQuery<TInput>(method: ReadMethod, token: Caller, call: Call, input: TInput): Query<TInput> {
    return createQuery(this.#engine, method, token, call, input, this.#hooks)
  }
}
