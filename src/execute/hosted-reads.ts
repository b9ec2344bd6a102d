import type { Awaitable } from '../base/awaitable.ts'
import type { Session } from '../base/session.ts'
import { NOTHING } from '../store/nothing.ts'
import type { Call, Caller } from './call.ts'
import type { PageOptions } from './call-options.ts'
import type { Course } from './course.ts'
import { type EdgeCall, edgesInput } from './edges-call.ts'
import type { Engine } from './engine.ts'
import type { EdgeQuestion } from './has-edge.ts'
import type { Host } from './host.ts'
import { Query } from './query.ts'
import { readEdges } from './read-edges.ts'
import { readEntry } from './read-entry.ts'
import { readNode, readNodes } from './read-nodes.ts'
import type { NodeCall } from './reads.ts'
import { nodeMissing } from './roots.ts'
import { TextProjector } from './text-projector.ts'

/** The same calls with page options as they come over a wire: judged with the faults of the text. */
export type HostedEdgeCall = Omit<EdgeCall, keyof PageOptions> & {
  readonly [name in keyof PageOptions]?: unknown
}

type Several = { readonly ids: readonly string[] }

const only = (answers: ReadonlyMap<string, string>, id: string): string => {
  const answer = answers.get(id)
  if (answer === undefined) throw nodeMissing(id)
  return answer
}

const byId = (answers: ReadonlyMap<string, string>): string =>
  `{${[...answers].map(([id, answer]) => `${JSON.stringify(id)}:${answer}`).join(',')}}`

/** As `withMessages` does of an object, which is never without members. */
const withMessages = (query: Query, answer: string): string => {
  const messages = query.messages.list(query.engine.masking)
  if (query.call.debug !== 'all' && messages.length === 0) return answer
  const separator = answer === '{}' ? '' : ','
  return `${answer.slice(0, -1)}${separator}"__debug__":${JSON.stringify({ messages })}}`
}

/** The text that leaves, its length told. */
const written = (query: Query, answer: string): string => {
  const text = withMessages(query, answer)
  query.host?.wrote(text.length)
  return text
}

function* sessionOf(query: Query): Course<Session> {
  yield* query.open({ ask: () => ({ prepared: undefined, wave: NOTHING }), waits: false })
  return query.session
}

/**
 * The reads of a graph for a host: answered as JSON text, their links and charges the host's. They are promised only where
 * something is waited for, and what refuses them before that is thrown at once.
 */
export class HostedReads {
  readonly #engine: Engine
  readonly #host: Host

  constructor(engine: Engine, host: Host) {
    this.#engine = engine
    this.#host = host
  }

  /** For whom a token stands. */
  session(token: Caller, call: Pick<Call, 'proof' | 'signal'>): Awaitable<Session> {
    const query = new Query(this.#engine, 'session', token, call, this.#host)
    return query.run(sessionOf(query), session => session)
  }

  node(token: Caller, call: NodeCall): Awaitable<string> {
    const query = new Query(this.#engine, call.id === 'me' ? 'getMe' : 'getNode', token, call, this.#host)
    const input = { id: call.id, type: call.type }
    return query.run(readNode(query, input, TextProjector), node => written(query, node))
  }

  nodes(token: Caller, call: Call & Several): Awaitable<string> {
    const query = new Query(this.#engine, 'getNodes', token, call, this.#host)
    return query.run(readNodes(query, [...new Set(call.ids)], TextProjector), nodes =>
      written(query, byId(nodes)),
    )
  }

  edge(token: Caller, call: HostedEdgeCall & { readonly id: string }): Awaitable<string> {
    const query = new Query(this.#engine, 'getEdge', token, call, this.#host)
    const input = edgesInput(call, [call.id], false)
    return query.run(readEdges(query, input, TextProjector), pages => written(query, only(pages, call.id)))
  }

  /** One entry of an edge, by its target. */
  entry(token: Caller, call: Call & EdgeQuestion): Awaitable<string> {
    const query = new Query(this.#engine, 'getEdgeEntry', token, call, this.#host)
    const { id, type, edge, target } = call
    return query.run(readEntry(query, { id, type, edge, target }, TextProjector), page =>
      written(query, page),
    )
  }

  edges(token: Caller, call: HostedEdgeCall & Several): Awaitable<string> {
    const query = new Query(this.#engine, 'getEdges', token, call, this.#host)
    const input = edgesInput(call, [...new Set(call.ids)], true)
    return query.run(readEdges(query, input, TextProjector), pages => written(query, byId(pages)))
  }
}
