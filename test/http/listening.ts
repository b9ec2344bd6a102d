import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { type Handler, toNodeListener } from 'kithgraph/http'

/** Where a server listens. */
export const addressOf = (server: Server): { readonly port: number; readonly origin: string } => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen')
  return { port: address.port, origin: `http://127.0.0.1:${address.port}` }
}

/** A handler behind a real socket; `close` ends its connections, too. */
export const listen = async (handler: Handler) => {
  const server = createServer(toNodeListener(handler))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = (): Promise<void> =>
    new Promise(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { ...addressOf(server), close, [Symbol.asyncDispose]: close }
}

/** What comes over a connection until it is `done`, or the other side ends it. */
const received = (socket: Socket, done: (text: string) => boolean): Promise<string> =>
  new Promise(resolve => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text += chunk
      if (done(text)) resolve(text)
    })
    socket.on('end', () => resolve(text))
    // Whoever is refused in the middle of sending may find the connection gone.
    socket.on('error', () => resolve(text))
  })

/** Sends bytes as they are, and answers what comes back. */
export const exchangeRaw = async (
  port: number,
  pieces: readonly (string | Uint8Array)[],
  { pause = 0, done = () => false }: { pause?: number; done?: (text: string) => boolean } = {},
): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  const text = received(socket, done)
  for (const piece of pieces) {
    if (socket.destroyed) break
    socket.write(piece)
    await new Promise(resolve => setTimeout(resolve, pause))
  }
  try {
    return await text
  } finally {
    socket.destroy()
  }
}
