import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHandler, type HandlerOptions, toNodeListener } from 'kithgraph/http'

/** A server that listens, until it is disposed of with all its connections. */
export type Served = AsyncDisposable & { readonly url: string }

/** Listens on a port of its own. */
export const listen = async (listener: RequestListener): Promise<Served> => {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A request as a server met it. */
export type Met = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const met = async (request: IncomingMessage): Promise<Met> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method = '', url = '', headers } = request
  return { method, url, headers, body: Buffer.concat(chunks).toString() }
}

/** Serves a graph, and keeps what was asked of it. */
export const serveGraph = async (
  graph: Parameters<typeof createHandler>[0],
  options: HandlerOptions = {},
): Promise<Served & { readonly requests: Met[] }> => {
  const handler = createHandler(graph, options)
  const listener = toNodeListener(handler)
  const requests: Met[] = []
  const served = await listen(async (request, response) => {
    const whole = await met(request)
    requests.push(whole)
    // What was read of the body goes on as what a framework would have read.
    await listener(Object.assign(request, whole.method === 'POST' ? { body: whole.body } : {}), response)
  })
  return Object.assign(served, { requests })
}

/** What a scripted server does with one request. */
export type Turn = (response: ServerResponse, request: Met) => void

/** Serves turn after turn, whatever is asked; the last again and again. */
export const serveTurns = async (...turns: Turn[]): Promise<Served & { readonly requests: Met[] }> => {
  const requests: Met[] = []
  const served = await listen(async (request, response) => {
    const turn = turns[Math.min(requests.length, turns.length - 1)]
    const whole = await met(request)
    requests.push(whole)
    turn?.(response, whole)
  })
  return Object.assign(served, { requests })
}

/** Answers JSON. */
export const json =
  (status: number, body: unknown, headers: { readonly [name: string]: string } = {}): Turn =>
  response => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }

/** Answers a fault in its envelope. */
export const fault = (
  status: number,
  error: object,
  headers: { readonly [name: string]: string } = {},
): Turn =>
  json(
    status,
    { error: { message: 'Something is wrong', type: 'OAuthException', code: 1, ...error } },
    headers,
  )

/** Answers as a proxy does whose server is gone. */
export const html =
  (status: number): Turn =>
  response => {
    response.writeHead(status, { 'content-type': 'text/html' })
    response.end('<h1>Bad Gateway</h1>')
  }

/** Never answers. */
export const silence: Turn = () => {}

/** Ends the connection in the middle of an answer. */
export const cut: Turn = response => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"id":')
  response.destroy()
}
