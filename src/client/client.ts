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
 * The reads of a graph that is served over HTTP. Calls, options, results and errors are those of in-process
 * calls, so that code for `Pick<Graph<…>, 'getMe'>` accepts a client too. Tokens are strings; a session is a
 * `TypeError`. The option `minRevision` does not exist.
 */
export type Client<TSchema extends Schema = Schema> = NodeReads<TSchema, Token> & EdgeReads<TSchema, Token>

/**
 * Creates a client of a graph that is served at a base URL, such as `https://api.example/graph`. In a
 * browser, a relative URL such as `/graph` is resolved against the page. It must stay at the origin of the
 * page.
 *
 * The schema is only a type: `createClient<typeof schema>(…)`. Without it, the type is that of
 * `socialSchema`. The functions do not use `this`.
 *
 * Errors of the server are thrown unchanged, with the trace id that `onError` of the server receives.
 * Failures of the network or of a proxy and timeouts are transient errors: `store_error` or `timeout`, with
 * the original error as the `cause`. The client retries transient errors and all errors with status 429 or
 * 5xx, unless `retry` is false.
 *
 * A response that is not from a graph is `internal_error`. So are a body larger than `maxResponseBytes`,
 * cursors of `iterateEdge` that form a cycle, and a redirect. The client does not follow redirects, so that
 * no other server receives the token.
 *
 * @throws TypeError for an invalid base URL, a relative base URL without a page (such as on a server), an
 * unknown option, or an option of the wrong type.
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
