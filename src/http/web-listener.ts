import type { NodeRequest, NodeResponse } from './node-messages.ts'

/** A function of the Web's own kind, such as an Explorer. It rejects no request. */
export type WebHandler = (request: Request) => Promise<Response>

const BODYLESS = ['GET', 'HEAD']
const BAD_REQUEST = 400

const webRequestOf = (request: NodeRequest, url: string): Request => {
  const { method = 'GET', headers } = request
  const told = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith(':') ? [] : [[name, `${value}`]],
  )
  const body = BODYLESS.includes(method) ? null : request.iterator({ destroyOnReturn: false })
  return new Request(url, { method, headers: told, body, duplex: 'half' })
}

/** Has such a function answer a request of Node, which was sent to an absolute URL. */
export const answerByWeb = async (
  handler: WebHandler,
  url: string,
  request: NodeRequest,
  response: NodeResponse,
): Promise<void> => {
  try {
    const answer = await handler(webRequestOf(request, url))
    const body = new Uint8Array(await answer.arrayBuffer())
    const length = request.method === 'HEAD' ? {} : { 'Content-Length': body.length }
    response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...length })
    response.end(body)
  } catch {
    // What the Web has no request for: a method such as TRACE, or a host that is none.
    response.writeHead(BAD_REQUEST, {})
    response.end()
  }
}
