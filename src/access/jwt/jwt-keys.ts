import {
  type CryptoKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  exportJWK,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
  type KeyObject,
} from 'jose'
import { describe } from '../../base/describe.ts'
import { isPlainObject } from '../../base/json.ts'
import { type JwtAuthOptions, refuse } from './jwt-options.ts'

const SHORTEST_SECRET = 32

/** RFC 7518 §3.2 wants a secret as long as the hash: a shorter one is found by trying. */
const sharedSecret = (secret: unknown): JWTVerifyGetKey => {
  const isBytes = secret instanceof Uint8Array
  const bytes = typeof secret === 'string' ? new TextEncoder().encode(secret) : isBytes && secret.slice()
  if (bytes === false) return refuse('secret', 'text or bytes', describe(secret))
  if (bytes.length < SHORTEST_SECRET) {
    refuse('secret', `of at least ${SHORTEST_SECRET} bytes`, `one of ${bytes.length}`)
  }
  return () => bytes
}

/** A JWK of a pair of keys without what is private, or a key that the runtime holds and lets out. */
const isPublicKey = (key: unknown): boolean => {
  if (!isPlainObject(key)) return false
  const { kty, d, type, extractable } = key
  if (kty === undefined) return type === 'public' && extractable !== false
  return (kty === 'RSA' || kty === 'EC' || kty === 'OKP') && d === undefined
}

const isJwk = (key: CryptoKey | KeyObject | JWK): key is JWK => 'kty' in key

/** As a set of one: so a token of an algorithm that is not the key's is one of other keys. Its `kid` does not matter. */
const onlyKey = (key: CryptoKey | KeyObject | JWK): JWTVerifyGetKey => {
  if (!isPublicKey(key))
    refuse('publicKey', 'a public CryptoKey (extractable), KeyObject or JWK', kindOf(key))
  const copy = isJwk(key) ? structuredClone(key) : key
  let set: Promise<JWTVerifyGetKey> | undefined
  return async ({ alg }, token) => {
    set ??= toJwk(copy).then(({ kid: _, ...jwk }) => createLocalJWKSet({ keys: [jwk] }))
    return (await set)({ alg }, token)
  }
}

const toJwk = async (key: CryptoKey | KeyObject | JWK): Promise<JWK> => (isJwk(key) ? key : exportJWK(key))

/** What a key is, without its members: one of them may be secret. */
const kindOf = (key: unknown): string => {
  if (!isPlainObject(key)) return describe(key)
  const { kty, type } = key
  return typeof type === 'string' ? `a ${type} key` : `a key of kty ${describe(kty)}`
}

const remoteKeys = (jwks: string): JWTVerifyGetKey => {
  const url = URL.canParse(jwks) ? new URL(jwks) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    return refuse('jwks', 'a URL of http or https, or a set of public keys', describe(jwks))
  }
  return createRemoteJWKSet(url)
}

const localKeys = (jwks: JSONWebKeySet): JWTVerifyGetKey => {
  const keys: unknown = isPlainObject(jwks) ? jwks.keys : undefined
  if (!Array.isArray(keys) || keys.length === 0) {
    return refuse('jwks', 'a URL, or a set of public keys', describe(jwks))
  }
  const wrong = keys.findIndex(key => !isPublicKey(key))
  if (wrong !== -1) refuse(`jwks.keys[${wrong}]`, 'a public JWK', kindOf(keys[wrong]))
  return createLocalJWKSet(jwks)
}

/** Finds the key of a token by its header. What it throws for want of a key set is not about the token. */
export const keysOf = ({ secret, publicKey, jwks }: JwtAuthOptions): JWTVerifyGetKey => {
  if (publicKey !== undefined) return onlyKey(publicKey)
  if (jwks === undefined) return sharedSecret(secret)
  return typeof jwks === 'string' || jwks instanceof URL ? remoteKeys(`${jwks}`) : localKeys(jwks)
}
