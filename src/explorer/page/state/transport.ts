import type { Json } from '../answer/json.ts'

/** What came back for a request. */
export type Exchange = {
  readonly status: number
  readonly milliseconds: number
  /** As it was sent. */
  readonly text: string
  /** Undefined where the text is no JSON. */
  readonly body: Json | undefined
}

/** What sends requests. */
export type Transport = {
  /** Asks the graph for a path below its own. The token goes in a header, and nowhere else. */
  readonly ask: (path: string, token: string, signal?: AbortSignal) => Promise<Exchange>
  /** Asks the Explorer's own handler for data that need no token. */
  readonly look: (path: string, signal?: AbortSignal) => Promise<Exchange>
}

const parsed = (text: string): Json | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const send = async (
  url: string,
  headers: HeadersInit,
  signal: AbortSignal | undefined,
): Promise<Exchange> => {
  const start = performance.now()
  const response = await fetch(url, {
    headers,
    credentials: 'omit',
    cache: 'no-store',
    ...(signal && { signal }),
  })
  const text = await response.text()
  const milliseconds = performance.now() - start
  return { status: response.status, milliseconds, text, body: parsed(text) }
}

/** The requests of the page: to a graph, and to the handler that served the page. */
export const createTransport = (graphUrl: string): Transport => ({
  ask: (path, token, signal) => {
    const authorization = token === '' ? undefined : { authorization: `Bearer ${token}` }
    return send(graphUrl + path, { 'kithgraph-links': 'relative', ...authorization }, signal)
  },
  look: (path, signal) => send(`./${path}`, {}, signal),
})
