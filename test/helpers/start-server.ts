import type { Server } from 'node:net'

/** A server that listens on a free port of this machine. */
export type RunningServer = {
  readonly port: number
  /** The scheme, host and port, without a slash at the end. */
  readonly origin: string
  /** Stops the server and closes its open connections. */
  readonly stop: () => Promise<void>
}

/** Starts a server of `node:http`, `node:https`, `node:http2`, or of a framework. */
export const startServer = async (
  server: Server,
  scheme: 'http' | 'https' = 'http',
): Promise<RunningServer> => {
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
