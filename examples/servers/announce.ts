import type { Server } from 'node:net'

/** Prints a URL to try as soon as a server listens. */
export const announce = (server: Server, token: string): void => {
  const print = (): void => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has no port')
    console.log(
      `http://127.0.0.1:${address.port}/graph/v1.0/me?fields=name,photos.limit(1)&access_token=${token}`,
    )
  }
  if (server.listening) print()
  else server.once('listening', print)
}
