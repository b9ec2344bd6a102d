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

/** What sends requests. Where nothing can be shown for one, it rejects with an error that says why in a sentence. */
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

const send = async (url: string, init: RequestInit): Promise<Exchange> => {
  const start = performance.now()
  const response = await fetch(url, { cache: 'no-store', redirect: 'manual', ...init })
  if (response.type === 'opaqueredirect')
    throw new Error(
      'The answer leads elsewhere. Ask with redirect=0 to be told where, as far as it is to a picture.',
    )
  const text = await response.text()
  const milliseconds = performance.now() - start
  return { status: response.status, milliseconds, text, body: parsed(text) }
}

const unanswered = (error: unknown): never => {
  // What a browser throws where nothing came says no more than that.
  if (!(error instanceof TypeError)) throw error
  const question = 'Is the graph served where the page looks for it, and does it let this page in?'
  throw new Error(`No answer came: ${error.message}. ${question}`, { cause: error })
}

/** The requests of the page: to a graph, and to the handler that served the page. */
export const createTransport = (graphUrl: string): Transport => ({
  ask: (path, token, signal) => {
    const authorization = token === '' ? undefined : { authorization: `Bearer ${token}` }
    const headers = { 'kithgraph-links': 'relative', ...authorization }
    return send(graphUrl + path, { headers, credentials: 'omit', ...(signal && { signal }) }).catch(
      unanswered,
    )
  },
  // Those who let the page in by a cookie let its data in by the same.
  look: (path, signal) => send(`./${path}`, { credentials: 'same-origin', ...(signal && { signal }) }),
})
