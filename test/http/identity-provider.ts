import { createServer } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { startServer } from '../helpers/start-server.ts'

/** The audience of the tokens that a provider signs. */
export const AUDIENCE = 'https://graph.example.org'

/** The claims of a token. A claim that is undefined is left out. */
export type Claims = { readonly [claim: string]: unknown }

/** A key pair of a provider, named by its `kid`. */
export type ProviderKey = {
  readonly kid: string
  readonly publicKey: CryptoKey
  readonly privateKey: CryptoKey
}

export const createProviderKey = async (kid: string): Promise<ProviderKey> => ({
  kid,
  ...(await generateKeyPair('ES256')),
})

const MS_PER_SECOND = 1000
const LIFETIME_SECONDS = 300

/** The current time in seconds since the epoch, as in claims. */
export const nowInSeconds = (): number => Math.floor(Date.now() / MS_PER_SECOND)

/** Starts an identity provider on this machine, which serves its public keys as a JWKS. */
export const startIdentityProvider = async (firstKey: ProviderKey) => {
  let publishedKeys: readonly ProviderKey[] = [firstKey]
  const server = await startServer(
    createServer(async (_request, response) => {
      const keys = await Promise.all(
        publishedKeys.map(async ({ kid, publicKey }) => ({ ...(await exportJWK(publicKey)), kid })),
      )
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }))
    }),
  )
  const issuer = server.origin
  /** Signs a token of Ada's account for the app `web`, with changed claims. */
  const sign = (changes: Claims = {}, { kid, privateKey }: ProviderKey = firstKey): Promise<string> => {
    const exp = nowInSeconds() + LIFETIME_SECONDS
    const claims = {
      iss: issuer,
      aud: AUDIENCE,
      exp,
      sub: 'user_ada',
      azp: 'web',
      scope: 'email',
      ...changes,
    }
    const payload: JWTPayload = JSON.parse(JSON.stringify(claims))
    return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey)
  }
  const publish = (...keys: readonly ProviderKey[]): void => {
    publishedKeys = keys
  }
  return { issuer, sign, publish, stop: server.stop }
}
