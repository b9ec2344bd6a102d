import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** The app, viewer and scopes of a token. The scopes are separated by spaces. */
export type Grant = { readonly app: string; readonly viewer: string; readonly scope: string }

/**
 * Starts a server that simulates the service where partners sign in. The server publishes the public key at
 * `/keys`.
 */
export const startIssuer = async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'first' }] })
  const server = createServer((_request, response) => response.end(keys)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    sign: ({ app, viewer, scope }: Grant): Promise<string> =>
      new SignJWT({ sub: viewer, azp: app, scope })
        .setProtectedHeader({ alg: 'ES256', kid: 'first' })
        .setIssuer(url)
        .setAudience('partner-api')
        .setExpirationTime('1h')
        .sign(privateKey),
    stop: (): void => {
      server.close()
      server.closeAllConnections()
    },
  }
}
