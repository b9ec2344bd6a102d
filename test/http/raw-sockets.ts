import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { type Handler, toNodeListener } from 'kithgraph/http'

/** Returns the port and the origin at which a server listens. */
export const readAddress = (server: Server): { readonly port: number; readonly origin: string } => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen')
  return { port: address.port, origin: `http://127.0.0.1:${address.port}` }
}

/** Serves a handler over a real socket; `close` also ends its connections. */
export const listenWithHandler = async (handler: Handler) => {
  const server = createServer(toNodeListener(handler))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = (): Promise<void> =>
    new Promise(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { ...readAddress(server), close, [Symbol.asyncDispose]: close }
}

/** Receives text over a connection until it is `done` or the other side ends it. */
const receiveText = (socket: Socket, done: (text: string) => boolean): Promise<string> =>
  new Promise(resolve => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text += chunk
      if (done(text)) resolve(text)
    })
    socket.on('end', () => resolve(text))
    // The server may close the connection while the client still sends.
    socket.on('error', () => resolve(text))
  })

/** Sends bytes unchanged, and returns the text that is received. */
export const sendRawBytes = async (
  port: number,
  pieces: readonly (string | Uint8Array)[],
  { pause = 0, done = () => false }: { pause?: number; done?: (text: string) => boolean } = {},
): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  const text = receiveText(socket, done)
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
