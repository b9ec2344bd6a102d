import { freeMethods } from '../base/free-methods.ts'
import type { EdgeReads } from '../interface/edge-reads.ts'
import type { NodeReads } from '../interface/node-reads.ts'
import type { Schema } from '../schema/schema.ts'
import type { socialSchema } from '../schema/social/social-schema.ts'
import { type ClientOptions, settleClientOptions } from './client-options.ts'
import { RemoteReads } from './remote-reads.ts'

const READS = ['getMe', 'getNode', 'getNodes', 'getEdge', 'getEdges', 'hasEdge', 'iterateEdge'] as const

/**
 * The reads of a graph that is served over HTTP: the same calls, options, answers and faults as in-process, so that what is
 * written for `Pick<Graph<…>, 'getMe'>` takes either. Tokens are text; a session is a `TypeError`. There is no `atLeast`.
 */
export type Client<TSchema extends Schema = Schema> = Pick<
  NodeReads<TSchema> & EdgeReads<TSchema>,
  (typeof READS)[number]
>

/**
 * Makes a client of a graph that is served at a base URL, such as `https://api.example/graph`. The schema is a type alone:
 * `createClient<typeof schema>(…)`; without it, that of {@link socialSchema}. Its functions are free of `this`.
 *
 * Faults of the server come back as they are, with the trace id that is in its log. What the network, a proxy or a time-out
 * does is a transient fault too: `store_fault` or `deadline`, with what happened as its `cause`. Transient faults, and
 * whatever came with status 429 or 5xx, are met by further attempts, unless `retry` is false. An answer that no graph gives
 * is `internal`, and so are a body that is larger than `maxResponseBytes`, cursors of `iterateEdge` that lead in a circle,
 * and a redirection: none is followed, so that nobody but the server gets a token.
 *
 * @throws TypeError for a base URL that is none, an unknown option, or one of another kind.
 * @example
 * ```ts
 * import { createGraph } from 'kithgraph'
 * import { createClient } from 'kithgraph/client'
 * import { createHandler } from 'kithgraph/http'
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const graph = createGraph(createMemoryStore())
 * await graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } }])
 * const token = await graph.tokens.issue({ viewer: '4', app: 'demo' })
 *
 * // Without the last option, the requests go over the network.
 * const handler = createHandler(graph)
 * const client = createClient('https://api.example', { fetch: (url, init) => handler(new Request(url, init)) })
 * const me = await client.getMe(token, { fields: 'id,name' })
 * console.log(me.name.toUpperCase()) // ADA
 * ```
 */
export const createClient = <TSchema extends Schema = typeof socialSchema>(
  baseUrl: string,
  options: ClientOptions = {},
): Client<TSchema> =>
  freeMethods(new RemoteReads(settleClientOptions(baseUrl, options)), ...READS) as unknown as Client<TSchema>
