import type { Server } from 'node:net'

/** A server that listens on a free port of this machine. */
export type Listening = {
  readonly port: number
  /** With the port, without a slash at the end. */
  readonly origin: string
  /** Ends the server, and the connections that it still has. */
  readonly stop: () => Promise<void>
}

/** Starts a server of `node:http`, `node:https`, `node:http2`, or of a framework. */
export const listening = async (server: Server, scheme: 'http' | 'https' = 'http'): Promise<Listening> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const stop = async (): Promise<void> => {
    const stopped = new Promise(resolve => server.close(resolve))
    if ('closeAllConnections' in server && typeof server.closeAllConnections === 'function')
      server.closeAllConnections()
    await stopped
  }
  return { port: address.port, origin: `${scheme}://127.0.0.1:${address.port}`, stop }
}
