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
import { describeUrl, describeValue } from '../../base/describe.ts'
import { isNonArrayObject } from '../../base/json.ts'
import { type JwtAuthOptions, throwInvalidOption } from './jwt-options.ts'

const MIN_SECRET_BYTES = 32

/** Creates the getter of a shared secret. RFC 7518 §3.2 requires at least 32 bytes for HS256. */
const createSecretKeyGetter = (secret: unknown): JWTVerifyGetKey => {
  const isBytes = secret instanceof Uint8Array
  const bytes = typeof secret === 'string' ? new TextEncoder().encode(secret) : isBytes && secret.slice()
  if (bytes === false)
    return throwInvalidOption('secret', 'a string or bytes', `a value of type ${typeof secret}`)
  if (bytes.length < MIN_SECRET_BYTES) {
    throwInvalidOption('secret', `at least ${MIN_SECRET_BYTES} bytes`, `${bytes.length} bytes`)
  }
  return () => bytes
}

/** Whether a key is a JWK without private members, or an extractable public `CryptoKey` or `KeyObject`. */
const isPublicKey = (key: unknown): boolean => {
  if (!isNonArrayObject(key)) return false
  const { kty, d, type, extractable } = key
  if (kty === undefined) return type === 'public' && extractable !== false
  return (kty === 'RSA' || kty === 'EC' || kty === 'OKP') && d === undefined
}

const isJwk = (key: CryptoKey | KeyObject | JWK): key is JWK => 'kty' in key

/**
 * Creates the getter of a single public key. It uses a key set with one key, so that a token with another
 * algorithm counts as a token of another issuer, not as an error. The `kid` of the key is ignored.
 */
const createPublicKeyGetter = (key: CryptoKey | KeyObject | JWK): JWTVerifyGetKey => {
  if (!isPublicKey(key))
    throwInvalidOption('publicKey', 'a public CryptoKey (extractable), KeyObject or JWK', describeKey(key))
  const keyCopy = isJwk(key) ? structuredClone(key) : key
  let keySet: Promise<JWTVerifyGetKey> | undefined
  return async ({ alg }, token) => {
    keySet ??= toJwk(keyCopy).then(({ kid: _, ...jwk }) => createLocalJWKSet({ keys: [jwk] }))
    return (await keySet)({ alg }, token)
  }
}

const toJwk = async (key: CryptoKey | KeyObject | JWK): Promise<JWK> => (isJwk(key) ? key : exportJWK(key))

/** Describes a key without its members, because one of them may be secret. */
const describeKey = (key: unknown): string => {
  if (!isNonArrayObject(key)) return describeValue(key)
  const { kty, type } = key
  return typeof type === 'string' ? `a ${type} key` : `a key of kty ${describeValue(kty)}`
}

const createRemoteKeyGetter = (jwksUrl: string): JWTVerifyGetKey => {
  const url = URL.canParse(jwksUrl) ? new URL(jwksUrl) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    return throwInvalidOption('jwks', 'a URL of http or https, or a set of public keys', describeUrl(jwksUrl))
  }
  return createRemoteJWKSet(url)
}

const createLocalKeyGetter = (jwks: JSONWebKeySet): JWTVerifyGetKey => {
  const keys: unknown = isNonArrayObject(jwks) ? jwks.keys : undefined
  if (!Array.isArray(keys) || keys.length === 0) {
    return throwInvalidOption('jwks', 'a URL, or a set of public keys', describeValue(jwks))
  }
  const invalidIndex = keys.findIndex(key => !isPublicKey(key))
  if (invalidIndex !== -1)
    throwInvalidOption(`jwks.keys[${invalidIndex}]`, 'a public JWK', describeKey(keys[invalidIndex]))
  return createLocalJWKSet(jwks)
}

/** Creates the function that finds the key of a token by its header. */
export const createKeyGetter = ({ secret, publicKey, jwks }: JwtAuthOptions): JWTVerifyGetKey => {
  if (publicKey !== undefined) return createPublicKeyGetter(publicKey)
  if (jwks === undefined) return createSecretKeyGetter(secret)
  return typeof jwks === 'string' || jwks instanceof URL
    ? createRemoteKeyGetter(`${jwks}`)
    : createLocalKeyGetter(jwks)
}
