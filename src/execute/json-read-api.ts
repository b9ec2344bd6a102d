import type { Awaitable } from '../base/awaitable.ts'
import type { Session } from '../base/session.ts'
import { EMPTY_REQUEST } from '../store/requests.ts'
import type { Call, Caller } from './call.ts'
import type { CallHooks } from './call-hooks.ts'
import type { PageOptions } from './call-options.ts'
import type { Course } from './course.ts'
import { type EdgeCall, toEdgeRequestInput } from './edge-request.ts'
import type { Engine } from './engine.ts'
import type { EdgeLookup } from './has-edge.ts'
import { JsonFormatter } from './json-formatter.ts'
import { Query } from './query.ts'
import type { NodeCall } from './read-api.ts'
import { readEdges } from './read-edges.ts'
import { readEntry } from './read-entry.ts'
import { readNode, readNodes } from './read-nodes.ts'
import { nodeNotFoundError } from './root-nodes.ts'

/** The options of a read of an edge with unchecked page options, as a request over HTTP has them. */
export type RawEdgeCall = Omit<EdgeCall, keyof PageOptions> & {
  readonly [name in keyof PageOptions]?: unknown
}

type IdsOption = { readonly ids: readonly string[] }

const requireResult = (results: ReadonlyMap<string, string>, id: string): string => {
  const result = results.get(id)
  if (result === undefined) throw nodeNotFoundError(id)
  return result
}

const toJsonObject = (results: ReadonlyMap<string, string>): string =>
  `{${[...results].map(([id, result]) => `${JSON.stringify(id)}:${result}`).join(',')}}`

/** Adds the debug messages to JSON text, as `withDebugMessages` of `root-nodes.ts` adds them to an object. */
const withDebugMessages = (query: Query, result: string): string => {
  const messages = query.debugMessages.listMasked(query.engine.masking)
  if (query.call.debug !== 'all' && messages.length === 0) return result
  const separator = result === '{}' ? '' : ','
  return `${result.slice(0, -1)}${separator}"__debug__":${JSON.stringify({ messages })}}`
}

/** Completes the JSON text of a result and reports its length. */
const finishJson = (query: Query, result: string): string => {
  const json = withDebugMessages(query, result)
  query.hooks?.onLength(json.length)
  return json
}

function* readSession(query: Query): Course<Session> {
  yield* query.open({ prepare: () => ({ prepared: undefined, request: EMPTY_REQUEST }), needsSession: false })
  return query.session
}

/**
 * The reads of a graph for a handler: they return JSON text, and the handler's hooks decide their links and
 * charges. A read returns a promise only if it has to wait; errors before that are thrown synchronously.
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
    const query = new Query(this.#engine, 'session', token, call, this.#hooks)
    return query.run(readSession(query), session => session)
  }

  getNode(token: Caller, call: NodeCall): Awaitable<string> {
    const query = new Query(this.#engine, call.id === 'me' ? 'getMe' : 'getNode', token, call, this.#hooks)
    const input = { id: call.id, type: call.type }
    return query.run(readNode(query, input, JsonFormatter), node => finishJson(query, node))
  }

  getNodes(token: Caller, call: Call & IdsOption): Awaitable<string> {
    const query = new Query(this.#engine, 'getNodes', token, call, this.#hooks)
    return query.run(readNodes(query, [...new Set(call.ids)], JsonFormatter), nodes =>
      finishJson(query, toJsonObject(nodes)),
    )
  }

  getEdge(token: Caller, call: RawEdgeCall & { readonly id: string }): Awaitable<string> {
    const query = new Query(this.#engine, 'getEdge', token, call, this.#hooks)
    const input = toEdgeRequestInput(call, [call.id], false)
    return query.run(readEdges(query, input, JsonFormatter), pages =>
      finishJson(query, requireResult(pages, call.id)),
    )
  }

  /** Reads one entry of an edge by its target. */
  getEdgeEntry(token: Caller, call: Call & EdgeLookup): Awaitable<string> {
    const query = new Query(this.#engine, 'getEdgeEntry', token, call, this.#hooks)
    const { id, type, edge, target } = call
    return query.run(readEntry(query, { id, type, edge, target }, JsonFormatter), page =>
      finishJson(query, page),
    )
  }

  getEdges(token: Caller, call: RawEdgeCall & IdsOption): Awaitable<string> {
    const query = new Query(this.#engine, 'getEdges', token, call, this.#hooks)
    const input = toEdgeRequestInput(call, [...new Set(call.ids)], true)
    return query.run(readEdges(query, input, JsonFormatter), pages => finishJson(query, toJsonObject(pages)))
  }
}
