import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createSelfSignedCertificate } from '../../helpers/certificate.ts'
import { type RunningServer, startServer } from '../../helpers/start-server.ts'

/**
 * Starts a proxy that serves the requests of a client to its fixed host, so that the client stays unchanged.
 * The proxy connects all tunnels to a server with a certificate of that host.
 */
export const startStandIn = (host: string, listener: RequestListener): Promise<RunningServer> => {
  const server = createSecureServer(createSelfSignedCertificate(host), listener)
  const proxy = createServer().on('connect', (_request, socket) => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    server.emit('connection', socket)
  })
  return startServer(proxy)
}
