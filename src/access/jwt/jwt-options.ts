import type { CryptoKey, JSONWebKeySet, JWK, JWTPayload, KeyObject } from 'jose'
import type { Awaitable } from '../../base/awaitable.ts'
import { describe } from '../../base/describe.ts'
import { assertKinds, type OptionKinds } from '../../base/options.ts'
import type { SessionRequest } from '../sessions.ts'

const HMAC = ['HS256', 'HS384', 'HS512'] as const
const RSA = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const
const CURVES = ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const
const SIGNATURES = [...RSA, ...CURVES] as const

/** How a JWT may be signed. */
export type JwtAlgorithm = (typeof HMAC)[number] | (typeof SIGNATURES)[number]

/** What `createJwtAuth` takes: one of `secret`, `publicKey` and `jwks`; every other member may be left out. */
export type JwtAuthOptions = {
  /** Shared with the issuer, of at least 32 bytes. */
  readonly secret?: string | Uint8Array | undefined
  /** The issuer's only key. A PEM text becomes one by `createPublicKey` of `node:crypto`. */
  readonly publicKey?: CryptoKey | KeyObject | JWK | undefined
  /** The issuer's keys, or the URL that they are published at, from where they are fetched as they are needed. */
  readonly jwks?: string | URL | JSONWebKeySet | undefined
  /** Default: HS256 with `secret`, else RS256, ES256, EdDSA and Ed25519. Never HS* without `secret`. */
  readonly algorithms?: readonly JwtAlgorithm[] | undefined
  /** The `iss` of tokens of this kind, or several. Any other token is left to the next kind. */
  readonly issuer?: string | readonly string[] | undefined
  /** The `aud` of tokens of this kind, or several. Any other token is left to the next kind. */
  readonly audience?: string | readonly string[] | undefined
  /** The `typ` in the header of tokens of this kind, such as `at+jwt`. Any other token is left to the next kind. */
  readonly typ?: string | undefined
  /** Whether a token without `exp` is valid, for ever. Default false: such a token is invalid. */
  readonly allowNoExpiry?: boolean | undefined
  /** Seconds that the issuer's clock may be off. Default 0. */
  readonly clockTolerance?: number | undefined
  /**
   * Whom the claims of a good token stand for; undefined: nobody. Default: the viewer is `sub`, unless that is the app
   * itself, the app is `azp`, else `client_id`, and the scopes are `scope`, `scp` or `scopes`.
   */
  readonly grant?: ((claims: JWTPayload) => Awaitable<SessionRequest | undefined>) | undefined
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined
}

const OPTIONS = {
  secret: 'any',
  publicKey: 'any',
  jwks: 'any',
  algorithms: 'texts',
  issuer: 'any',
  audience: 'any',
  typ: 'text',
  allowNoExpiry: 'any',
  clockTolerance: 'any',
  grant: 'function',
  now: 'function',
} as const satisfies OptionKinds

/** @throws TypeError for an option that does not do. */
export const refuse = (name: string, expected: string, came: string): never => {
  throw new TypeError(`createJwtAuth: ${name} must be ${expected}, came ${came}`)
}

/** One key would be taken for another's kind if two were there. */
const assertOneKey = (options: JwtAuthOptions): void => {
  const given = (['secret', 'publicKey', 'jwks'] as const).filter(name => options[name] !== undefined)
  if (given.length === 1) return
  const came = given.length === 0 ? 'none' : given.join(' and ')
  throw new TypeError(`createJwtAuth: expected one of secret, publicKey and jwks, came ${came}`)
}

/** A copy. @throws TypeError for names of which one is none: it would let in what was meant to be kept out. */
export const namesOf = (
  name: 'issuer' | 'audience',
  value: string | readonly string[] | undefined,
): string[] | undefined => {
  if (value === undefined) return undefined
  const names = typeof value === 'string' ? [value] : value
  const isNames = Array.isArray(names) && names.every(one => typeof one === 'string' && one !== '')
  if (!isNames || names.length === 0)
    return refuse(name, 'text or a list of text, none of it empty', describe(value))
  return [...names]
}

/** Text of a key is not told of: it may be that of a private one. */
const assertNoText = ({ publicKey }: JwtAuthOptions): void => {
  if (typeof publicKey === 'string')
    refuse('publicKey', 'a key, which createPublicKey of node:crypto makes of PEM text', 'text')
}

/** @throws TypeError for an unknown option, one of another kind, and for other than one source of keys. */
export const assertJwtOptions = (options: JwtAuthOptions): void => {
  assertKinds('createJwtAuth', options ?? {}, OPTIONS)
  assertOneKey(options ?? {})
  assertNoText(options)
  const { clockTolerance = 0, typ, allowNoExpiry = false } = options
  if (typeof allowNoExpiry !== 'boolean') {
    throw new TypeError(
      `createJwtAuth: "allowNoExpiry" must be a boolean; received ${describe(allowNoExpiry)}`,
    )
  }
  if (typ === '') throw new TypeError('createJwtAuth: "typ" must be text that is not empty; received ""')
  if (!(Number.isFinite(clockTolerance) && clockTolerance >= 0)) {
    refuse('clockTolerance', 'seconds, 0 or more', describe(clockTolerance))
  }
}

/** @throws TypeError for an algorithm that the keys are not for: a public key must never pass for a shared secret. */
export const algorithmsOf = ({ secret, algorithms }: JwtAuthOptions): string[] => {
  const known: readonly string[] = secret === undefined ? SIGNATURES : HMAC
  if (algorithms === undefined) {
    return secret === undefined ? ['RS256', 'ES256', 'EdDSA', 'Ed25519'] : ['HS256']
  }
  const wrong = algorithms.find(algorithm => !known.includes(algorithm))
  if (algorithms.length > 0 && wrong === undefined) return [...algorithms]
  const came = wrong === undefined ? 'none' : describe(wrong)
  return refuse(
    'algorithms',
    `of ${known.join(', ')} with ${secret === undefined ? 'public keys' : 'a secret'}`,
    came,
  )
}
