import { createGraph, type GraphError, type GraphOptions } from 'kithgraph'
import { createHandler, type HandlerOptions } from 'kithgraph/http'
import type { Store } from '../../src/store/contract.ts'
import { ADA, createWorldStore, NOW, SCOPES } from '../helpers/world.ts'

/** The origin at which the world is served. */
export const ORIGIN = 'http://graph.test'

export type ServedOptions = HandlerOptions & {
  /** Options that are added to those of the world. */
  readonly graph?: GraphOptions
  /** Wraps the store before the graph receives it. */
  readonly wrap?: (store: Store) => Store
}

/** A response whose body was read as text. */
export type TextResponse = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Parses a JSON body. */
export const parseJson = ({ text }: Pick<TextResponse, 'text'>): ReturnType<typeof JSON.parse> =>
  JSON.parse(text)

/** Creates the functions that send requests to a handler, without a token or with that of Ada. */
export const createRequests = (handler: (request: Request) => Promise<Response>, token: string) => {
  const send = async (path: string, init: RequestInit = {}): Promise<TextResponse> => {
    const response = await handler(new Request(ORIGIN + path, init))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  /** Sends a request with Ada's token in a header. */
  const sendAsAda = (path: string, init: RequestInit = {}): Promise<TextResponse> => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${token}`)
    return send(path, { ...init, headers })
  }
  /** Returns the JSON that Ada gets. */
  const read = async (path: string, init: RequestInit = {}) => parseJson(await sendAsAda(path, init))
  return { send, sendAsAda, read }
}

/**
 * Serves the world over HTTP. Also returns a token of Ada with all scopes, and the errors that the handler
 * reports.
 */
export const serveWorld = async ({
  graph: graphOptions,
  wrap = store => store,
  ...options
}: ServedOptions = {}) => {
  const store = await createWorldStore()
  const graph = createGraph(wrap(store), {
    now: () => NOW,
    appSecrets: { demo: 'the secret of demo', other: 'the secret of other' },
    ...graphOptions,
  })
  const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
  const errors: GraphError[] = []
  const handler = createHandler(graph, { onError: error => errors.push(error), ...options })

  const { send, sendAsAda, read } = createRequests(handler, token)
  /** Returns the reason of the error that Ada gets. */
  const reasonOf = async (path: string, init: RequestInit = {}): Promise<string> =>
    (await read(path, init)).error.error_data.reason
  return { store, graph, token, handler, errors, send, sendAsAda, read, reasonOf }
}

/** Creates a request with a form as its body. */
export const createFormRequest = (fields: { readonly [name: string]: string }): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
})

/** Creates a request with a JSON body. */
export const createJsonRequest = (value: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
})
