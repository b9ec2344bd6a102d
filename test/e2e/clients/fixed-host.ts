import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { selfSigned } from '../../helpers/certificate.ts'
import { type Listening, listening } from '../../helpers/listening.ts'

/**
 * Answers in place of a host that a client is fixed on, without a change to the client: it is given the address of a proxy,
 * which takes its tunnels to whatever host, and ends them in a server with a certificate of that host.
 */
export const standInFor = (host: string, listener: RequestListener): Promise<Listening> => {
  const server = createSecureServer(selfSigned(host), listener)
  const proxy = createServer().on('connect', (_request, socket) => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    server.emit('connection', socket)
  })
  return listening(proxy)
}
