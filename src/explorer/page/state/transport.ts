import type { JsonValue } from '../../../base/json.ts'
import type { ActionRequest } from '../action/action-call.ts'

/** A response to a request. */
export type TransportResponse = {
  readonly status: number
  readonly durationMs: number
  /** The unchanged body. */
  readonly text: string
  /** The body as JSON; undefined if the text is not JSON. */
  readonly body: JsonValue | undefined
}

/** Sends requests. Rejects with an error whose message users can read if there is no response. */
export type Transport = {
  /** Sends a request to a path of the graph. The token is sent only in a header. */
  readonly requestGraph: (path: string, token: string, signal?: AbortSignal) => Promise<TransportResponse>
  /** Sends a request that runs an action. It cannot be aborted, because the action may have begun. */
  readonly requestAction: (request: ActionRequest, token: string) => Promise<TransportResponse>
  /** Sends a request to the Explorer's own handler, for data without a token. */
  readonly requestExplorer: (path: string, signal?: AbortSignal) => Promise<TransportResponse>
}

const parseJson = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const send = async (url: string, init: RequestInit): Promise<TransportResponse> => {
  const start = performance.now()
  const response = await fetch(url, { cache: 'no-store', redirect: 'manual', ...init })
  if (response.type === 'opaqueredirect')
    throw new Error('The response is a redirect. For a picture, add redirect=0 to get its URL as JSON.')
  const text = await response.text()
  const durationMs = performance.now() - start
  return { status: response.status, durationMs, text, body: parseJson(text) }
}

const throwUnreachable = (error: unknown): never => {
  // The message of a network error contains no information about the cause.
  if (!(error instanceof TypeError)) throw error
  const hint = 'Is the URL of the graph correct, and does its handler allow this origin?'
  throw new Error(`No response: ${error.message}. ${hint}`, { cause: error })
}

/** Creates the headers of a request to the graph. */
const createGraphHeaders = (token: string): { readonly [name: string]: string } => ({
  'kithgraph-links': 'relative',
  ...(token !== '' && { authorization: `Bearer ${token}` }),
})

/** Creates the transport for requests to a graph and to the handler that served the page. */
export const createTransport = (graphUrl: string): Transport => {
  const sendToGraph = (path: string, init: RequestInit): Promise<TransportResponse> =>
    send(graphUrl + path, { credentials: 'omit', ...init }).catch(throwUnreachable)
  return {
    requestGraph: (path, token, signal) =>
      sendToGraph(path, { headers: createGraphHeaders(token), ...(signal && { signal }) }),
    requestAction: ({ method, path, headers, body }, token) =>
      sendToGraph(path, {
        method,
        headers: { ...createGraphHeaders(token), ...headers },
        ...(body !== undefined && { body }),
      }),
    // If the page requires a cookie, its data requires the same cookie.
    requestExplorer: (path, signal) =>
      send(`./${path}`, { credentials: 'same-origin', ...(signal && { signal }) }),
  }
}
