import { bindMethods } from '../base/bind-methods.ts'
import type { ActionCalls, DeclaredAction } from '../interface/action-calls.ts'
import type { EdgeReads } from '../interface/edge-reads.ts'
import type { NodeReads } from '../interface/node-reads.ts'
import type { Token } from '../interface/read-options.ts'
import { READ_METHODS } from '../interface/untyped-reads.ts'
import type { Schema } from '../schema/schema.ts'
import type { SocialSchema } from '../schema/social/social-schema.ts'
import { type ClientOptions, resolveClientOptions } from './client-options.ts'
import { RemoteActionApi } from './remote-action-api.ts'
import { RemoteReadApi } from './remote-read-api.ts'
import { RequestSender } from './request-sender.ts'

/**
 * The calls of a graph that is served over HTTP: its reads and, with the type of its actions, `callAction`.
 * Calls, options, results and errors are the same as in-process, so that code for `Pick<Graph<…>, 'getMe'>` also
 * accepts a client. Tokens must be strings: a session throws a `TypeError`. The option `minRevision` does not
 * exist, and results of actions have no `revision`.
 */
export type Client<
  TSchema extends Schema = Schema,
  TActions extends readonly DeclaredAction[] | undefined = undefined,
> = NodeReads<TSchema, Token> & EdgeReads<TSchema, Token> & ActionCalls<TSchema, TActions, Token>

/**
 * Creates a client of a graph that is served at a base URL, such as `https://api.example/graph`. In a
 * browser, a relative URL such as `/graph` is resolved against the page. The result must have the same origin
 * as the page.
 *
 * You pass the schema and the actions only as types: `createClient<typeof schema, typeof actions>(…)`. The
 * default is the type of `socialSchema`, without actions. The functions of a client do not use `this`.
 *
 * Errors of the server are thrown unchanged, with the trace id that `onError` receives on the server.
 * Timeouts, and failures of the network or a proxy, become the transient errors `timeout` and `store_error`,
 * with the original error as the `cause`. The client retries transient errors and all errors with status 429
 * or 5xx, unless `retry` is false. It repeats an action only if the call has an `idempotencyKey`, or after a rate
 * limit.
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
export const createClient = <
  TSchema extends Schema = SocialSchema,
  TActions extends readonly DeclaredAction[] | undefined = undefined,
>(
  baseUrl: string,
  options: ClientOptions = {},
): Client<TSchema, TActions> => {
  const settings = resolveClientOptions(baseUrl, options)
  const sender = new RequestSender(settings)
  return Object.freeze({
    ...bindMethods(new RemoteReadApi(sender, settings.version), ...READ_METHODS),
    ...bindMethods(new RemoteActionApi(sender, settings.version), 'callAction'),
  }) as unknown as Client<TSchema, TActions>
}
