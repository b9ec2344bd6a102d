import type { GraphError } from 'kithgraph'
import { createHandler, type HandlerOptions } from 'kithgraph/http'
import { type ActionGraphOptions, ADA, createActionWorld } from '../helpers/action-world.ts'
import { parseBatchResponse } from './batch-requests.ts'
import { createRequests } from './served-world.ts'

export type ServedActionsOptions = HandlerOptions & ActionGraphOptions

/** Serves a graph with actions. Also returns a token of Ada with all scopes. */
export const serveActions = async ({ graph: graphOptions, wrap, ...options }: ServedActionsOptions = {}) => {
  const { store, graph, effects } = await createActionWorld({ graph: graphOptions, wrap })
  const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: ['publish'] })
  const errors: GraphError[] = []
  const handler = createHandler(graph, { onError: error => errors.push(error), ...options })

  const { send, sendAsAda, read } = createRequests(handler, token)
  /** Returns the JSON that Ada gets for a POST request with a form. */
  const post = (path: string, fields: { readonly [name: string]: string } = {}) =>
    read(path, { method: 'POST', body: new URLSearchParams(fields) })
  /** Returns the JSON that Ada gets for a POST request with a JSON body. */
  const postJson = (path: string, value: unknown, headers: { readonly [name: string]: string } = {}) =>
    read(path, {
      method: 'POST',
      body: JSON.stringify(value),
      headers: { 'content-type': 'application/json', ...headers },
    })
  /** Returns the responses that Ada gets for a batch. */
  const batch = async (items: readonly unknown[]) =>
    parseBatchResponse(
      await sendAsAda('/', { method: 'POST', body: new URLSearchParams({ batch: JSON.stringify(items) }) }),
    )
  /** Returns the names of the actions whose `run` was called, in order. */
  const runs = (): string[] => effects.calls.map(({ name }) => name)
  return { store, graph, token, handler, errors, effects, runs, send, sendAsAda, read, post, postJson, batch }
}

export type ServedActions = Awaited<ReturnType<typeof serveActions>>

/** Returns the reason in the JSON of an error. */
export const reasonIn = (body: { readonly error?: { readonly error_data: { readonly reason: string } } }) =>
  body.error?.error_data.reason
