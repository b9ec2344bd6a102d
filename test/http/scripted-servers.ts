import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHandler, type HandlerOptions, toNodeListener } from 'kithgraph/http'

/** A server that listens until it is disposed. It then closes all its connections. */
export type ScriptedServer = AsyncDisposable & { readonly url: string }

/** Starts a server on a free port. */
export const listen = async (listener: RequestListener): Promise<ScriptedServer> => {
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

/** A request as the server received it. */
export type ReceivedRequest = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const receiveRequest = async (request: IncomingMessage): Promise<ReceivedRequest> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method = '', url = '', headers } = request
  return { method, url, headers, body: Buffer.concat(chunks).toString() }
}

/** Serves a graph, and records the requests. */
export const serveGraph = async (
  graph: Parameters<typeof createHandler>[0],
  options: HandlerOptions = {},
): Promise<ScriptedServer & { readonly requests: ReceivedRequest[] }> => {
  const handler = createHandler(graph, options)
  const listener = toNodeListener(handler)
  const requests: ReceivedRequest[] = []
  const served = await listen(async (request, response) => {
    const whole = await receiveRequest(request)
    requests.push(whole)
    // The body is passed as if a framework had read it.
    await listener(Object.assign(request, whole.method === 'POST' ? { body: whole.body } : {}), response)
  })
  return Object.assign(served, { requests })
}

/** Writes the response of a scripted server to one request. */
export type ResponseScript = (response: ServerResponse, request: ReceivedRequest) => void

/** Serves the scripted responses in turn, for any request, and repeats the last one. */
export const serveScripts = async (
  ...scripts: ResponseScript[]
): Promise<ScriptedServer & { readonly requests: ReceivedRequest[] }> => {
  const requests: ReceivedRequest[] = []
  const served = await listen(async (request, response) => {
    const script = scripts[Math.min(requests.length, scripts.length - 1)]
    const whole = await receiveRequest(request)
    requests.push(whole)
    script?.(response, whole)
  })
  return Object.assign(served, { requests })
}

/** Responds with JSON. */
export const respondWithJson =
  (status: number, body: unknown, headers: { readonly [name: string]: string } = {}): ResponseScript =>
  response => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }

/** Responds with an error in its envelope. */
export const respondWithError = (
  status: number,
  error: object,
  headers: { readonly [name: string]: string } = {},
): ResponseScript =>
  respondWithJson(
    status,
    { error: { message: 'Something is wrong', type: 'OAuthException', code: 1, ...error } },
    headers,
  )

/** Responds like a proxy whose server is down. */
export const respondWithHtml =
  (status: number): ResponseScript =>
  response => {
    response.writeHead(status, { 'content-type': 'text/html' })
    response.end('<h1>Bad Gateway</h1>')
  }

/** Never responds. */
export const neverRespond: ResponseScript = () => {}

/** Closes the connection in the middle of a response. */
export const breakConnection: ResponseScript = response => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"id":')
  response.destroy()
}
