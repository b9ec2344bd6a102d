import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** The only address that the server listens on. */
const ADDRESS = '127.0.0.1'
const HTTP_PORT = 80
const FORBIDDEN_STATUS = 403
const TOKEN_BYTES = 32

/** Creates a token that nobody can guess. */
export const createToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** Returns whether two texts are equal, in a time that does not depend on where they differ. */
const isSameText = (text: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(text).digest(), createHash('sha256').update(other).digest())

/** Returns the values of `Host` that a browser sends to a port of this machine. */
const localHosts = (port: number): readonly string[] => {
  const names = ['localhost', ADDRESS, '[::1]']
  const hosts = names.map(name => `${name}:${port}`)
  return port === HTTP_PORT ? [...hosts, ...names] : hosts
}

/**
 * Whether a request is from someone who knows the token, and is for this machine by its name. A website whose own name
 * leads to this machine has another `Host`.
 */
const isAllowed = (
  { url = '', headers: { host = '' } }: IncomingMessage,
  token: string,
  port: number,
): boolean => {
  const [, firstPart = ''] = url.split(/[/?#]/, 2)
  return isSameText(firstPart, token) && localHosts(port).includes(host.toLowerCase())
}

const reject = (request: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(FORBIDDEN_STATUS, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end('Forbidden\n')
  // The body of a rejected request is not read.
  request.resume()
}

const listen = async (server: Server, port: number): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, ADDRESS, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

/** A server on this machine for those who know its URL. */
export type LocalServer = {
  /** The URL with the token, and a slash at its end. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts a server that only this machine can reach. The first part of each path is the token, so it needs no cookie:
 * cookies of this machine are sent to all of its ports. Every other request gets 403.
 *
 * @throws Error if the port is in use.
 */
export const startLocalServer = async (
  port: number,
  token: string,
  respond: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<LocalServer> => {
  const server = createServer((request, response) => {
    if (isAllowed(request, token, request.socket.localPort ?? 0)) respond(request, response)
    else reject(request, response)
  })
  const actualPort = await listen(server, port)
  return {
    url: `http://${ADDRESS}:${actualPort}/${token}/`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
