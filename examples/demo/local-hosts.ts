import type { IncomingMessage, RequestListener } from 'node:http'

/** The names of this machine in the header `Host`, and the port of HTTP, which browsers leave out. */
const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]']
const HTTP_PORT = 80

const isForThisMachine = ({ url = '', headers: { host = '' }, socket }: IncomingMessage): boolean =>
  // An absolute URL names a host of its own.
  url.startsWith('/') &&
  LOCAL_NAMES.some(name =>
    [`${name}:${socket.localPort}`, ...(socket.localPort === HTTP_PORT ? [name] : [])].includes(
      host.toLowerCase(),
    ),
  )

/**
 * Responds with 403 to requests for another host than this machine. A website can let its own name lead to this
 * machine, and a browser would then send the requests of its pages here.
 */
export const rejectOtherHosts =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    if (isForThisMachine(request)) return listener(request, response)
    response.writeHead(403, { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-store' })
    response.end('Forbidden\n')
    // The body of a rejected request is not read.
    return request.resume()
  }
