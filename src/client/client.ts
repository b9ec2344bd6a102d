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
 * `TypeError`. There is no `minRevision`.
 */
export type Client<TSchema extends Schema = Schema> = NodeReads<TSchema, Token> & EdgeReads<TSchema, Token>

/**
 * Creates a client of a graph that is served at a base URL, such as `https://api.example/graph`. The schema
 * is only a type: `createClient<typeof schema>(…)`. Without it, the type is that of `socialSchema`. The
 * functions do not use `this`.
 *
 * Errors of the server are thrown unchanged, with the trace id that is in the server's log. A failure of the
 * network, of a proxy, or a timeout is a transient error: `store_error` or `timeout`, with the original error
 * as its `cause`. Transient errors, and all errors with status 429 or 5xx, are retried unless `retry` is
 * false. A response that no graph sends is `internal_error`, and so are a body larger than
 * `maxResponseBytes`, cursors of `iterateEdge` that form a cycle, and a redirect: redirects are not followed,
 * so that no other server receives a token.
 *
 * @throws TypeError for an invalid base URL, an unknown option, or an option of the wrong type.
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
