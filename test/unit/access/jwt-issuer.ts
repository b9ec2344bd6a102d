import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { exportJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import { expect } from 'vitest'

/** The current time of the tests in seconds since the epoch, as in claims. */
export const NOW = 1_700_000_000

export const now = (): number => NOW * 1000

/** The result for a token that another auth may recognize. */
export const UNRECOGNIZED = { cause: expect.any(Error) }

export const ISSUER = 'https://id.example.org'
export const AUDIENCE = 'graph'
export const SECRET = 'a secret shared with the issuer: 32 bytes or more'

/** The claims of a valid token of the issuer. */
export const CLAIMS = {
  iss: ISSUER,
  aud: AUDIENCE,
  sub: '1',
  azp: 'demo',
  scope: 'email user_friends',
  exp: NOW + 60,
}

/** Signs `CLAIMS` with changes. Omits claims that are undefined. */
export const sign = (
  alg: string,
  key: KeyObject | Uint8Array,
  changes: { readonly [claim: string]: unknown } = {},
  header: { readonly kid?: string; readonly typ?: string } = {},
): Promise<string> => {
  const claims: JWTPayload = JSON.parse(JSON.stringify({ ...CLAIMS, ...changes }))
  return new SignJWT(claims).setProtectedHeader({ alg, ...header }).sign(key)
}

export const secretBytes = (secret = SECRET): Uint8Array => new TextEncoder().encode(secret)

export const signShared = (changes: { readonly [claim: string]: unknown } = {}): Promise<string> =>
  sign('HS256', secretBytes(), changes)

/** Encodes any JSON value as a part of a token. */
export const encodeTokenPart = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url')

export type KeyPair = { readonly alg: string; readonly publicKey: KeyObject; readonly privateKey: KeyObject }

export const createRsaPair = (): KeyPair => ({
  alg: 'RS256',
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }),
})
export const createEcPair = (): KeyPair => ({
  alg: 'ES256',
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }),
})
export const createEdPair = (): KeyPair => ({ alg: 'EdDSA', ...generateKeyPairSync('ed25519') })

export const toJwk = async ({ publicKey }: KeyPair, members: Partial<JWK> = {}): Promise<JWK> => ({
  ...(await exportJWK(publicKey)),
  ...members,
})
