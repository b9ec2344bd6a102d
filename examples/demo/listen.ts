import type { Server } from 'node:http'

const DEFAULT = '4000'
const LARGEST = 65_535

const inUse = (port: number, cause: unknown): Error =>
  new Error(`Port ${port} is in use. Another one: PORT=${port + 1} npm start`, { cause })

/**
 * Listens on the loopback interface, and returns the URL. Port 0 selects any free port.
 *
 * @throws Error if the port is invalid or not available.
 */
export const listenOn = async (server: Server, port: string = DEFAULT): Promise<string> => {
  if (!/^\d{1,5}$/.test(port) || Number(port) > LARGEST)
    throw new Error(`PORT must be a number up to ${LARGEST}; received ${JSON.stringify(port)}`)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? inUse(Number(port), error) : error),
    )
    server.listen(Number(port), '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return `http://127.0.0.1:${address.port}`
}
