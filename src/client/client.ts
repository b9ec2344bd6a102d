import { bindMethods } from '../base/bind-methods.ts'
import type { EdgeReads } from '../interface/edge-reads.ts'
import type { NodeReads } from '../interface/node-reads.ts'
import type { Token } from '../interface/read-options.ts'
import { READ_METHODS } from '../interface/untyped-reads.ts'
import type { Schema } from '../schema/schema.ts'
import type { SocialSchema } from '../schema/social/social-schema.ts'
import { type ClientOptions, resolveClientOptions } from './client-options.ts'
import { RemoteReadApi } from './remote-read-api.ts'

/**
 * The reads of a graph that is served over HTTP. Calls, options, results and errors are the same as
 * in-process, so that code for `Pick<Graph<…>, 'getMe'>` also accepts a client. Tokens must be strings: a
 * session throws a `TypeError`. The option `minRevision` does not exist.
 */
export type Client<TSchema extends Schema = Schema> = NodeReads<TSchema, Token> & EdgeReads<TSchema, Token>

/**
 * Creates a client of a graph that is served at a base URL, such as `https://api.example/graph`. In a
 * browser, a relative URL such as `/graph` is resolved against the page. The result must have the same origin
 * as the page.
 *
 * You pass the schema only as a type: `createClient<typeof schema>(…)`. The default is the type of
 * `socialSchema`. The functions of a client do not use `this`.
 *
 * Errors of the server are thrown unchanged, with the trace id that `onError` receives on the server.
 * Timeouts, and failures of the network or a proxy, become the transient errors `timeout` and `store_error`,
 * with the original error as the `cause`. The client retries transient errors and all errors with status 429
 * or 5xx, unless `retry` is false.
 *
 * The client throws `internal_error` for a redirect, for a response that does not come from a graph, for a
 * body larger than `maxResponseBytes`, and for cursors of `iterateEdge` that form a cycle. The client does
 * not follow redirects, so that no other server receives the token.
 *
 * @throws TypeError for an invalid base URL, a relative base URL if there is no page (such as on a server),
 * an unknown option, or an option of the wrong type.
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
export const createClient = <TSchema extends Schema = SocialSchema>(
  baseUrl: string,
  options: ClientOptions = {},
): Client<TSchema> =>
  bindMethods(
    new RemoteReadApi(resolveClientOptions(baseUrl, options)),
    ...READ_METHODS,
  ) as unknown as Client<TSchema>
