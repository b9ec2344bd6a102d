import { createGraph, type GraphError, type GraphOptions } from 'kithgraph'
import { createHandler, type HandlerOptions } from 'kithgraph/http'
import type { Store } from '../../src/store/contract.ts'
import { ADA, NOW, SCOPES, worldStore } from '../helpers/world.ts'

/** Where the world is served. */
export const ORIGIN = 'http://graph.test'

export type ServedOptions = HandlerOptions & {
  /** Beside those of the world. */
  readonly graph?: GraphOptions
  /** Stands between the store and the graph. */
  readonly wrap?: (store: Store) => Store
}

/** A response that was read. */
export type Reply = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** What a JSON body says. */
export const jsonOf = ({ text }: Pick<Reply, 'text'>): ReturnType<typeof JSON.parse> => JSON.parse(text)

/** The world over HTTP: a handler, Ada's token with all scopes, and the faults that the handler told of. */
export const serveWorld = async ({
  graph: graphOptions,
  wrap = store => store,
  ...options
}: ServedOptions = {}) => {
  const store = await worldStore()
  const graph = createGraph(wrap(store), {
    now: () => NOW,
    appSecrets: { demo: 'the secret of demo', other: 'the secret of other' },
    ...graphOptions,
  })
  const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
  const faults: GraphError[] = []
  const handler = createHandler(graph, { onFault: fault => faults.push(fault), ...options })

  const send = async (path: string, init: RequestInit = {}): Promise<Reply> => {
    const response = await handler(new Request(ORIGIN + path, init))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  /** With Ada's token in a header. */
  const ask = (path: string, init: RequestInit = {}): Promise<Reply> => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${token}`)
    return send(path, { ...init, headers })
  }
  /** The JSON of what Ada gets. */
  const read = async (path: string, init: RequestInit = {}) => jsonOf(await ask(path, init))
  /** The reason of the fault that Ada gets. */
  const reasonOf = async (path: string, init: RequestInit = {}): Promise<string> =>
    (await read(path, init)).error.error_data.reason
  return { store, graph, token, handler, faults, send, ask, read, reasonOf }
}

/** The body of a form. */
export const form = (fields: { readonly [name: string]: string }): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
})

/** A body of JSON. */
export const json = (value: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
})
