import { connect, createServer, type Socket } from 'node:net'
import { startServer } from '../../test/helpers/start-server.ts'

/** Forwards the data of a socket after a delay, and closes the other socket with it. */
const forward = (from: Socket, to: Socket, delayMs: number): void => {
  from.setNoDelay(true)
  from.on('data', data => setTimeout(() => to.writable && to.write(data), delayMs))
  from.on('error', () => undefined)
  from.on('close', () => setTimeout(() => to.destroy(), delayMs))
}

/** Starts a proxy to a port of this machine that adds `roundTripMs` to each round trip. */
export const startDelayingProxy = async (
  port: number,
  roundTripMs: number,
): Promise<{ readonly port: number; stop(): Promise<void> }> => {
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const upstream = connect(port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
    forward(client, upstream, roundTripMs / 2)
    forward(upstream, client, roundTripMs / 2)
  })
  const started = await startServer(server)
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await started.stop()
  }
  return { port: started.port, stop }
}
