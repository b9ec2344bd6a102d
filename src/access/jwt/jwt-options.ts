import type { CryptoKey, JSONWebKeySet, JWK, JWTPayload, KeyObject } from 'jose'
import type { Awaitable } from '../../base/awaitable.ts'
import { describeValue } from '../../base/describe.ts'
import { assertOptionKinds, type OptionKinds } from '../../base/options.ts'
import { usageError, usageErrorAbout } from '../../base/usage-error.ts'
import type { GrantOptions } from '../sessions.ts'

const HMAC_ALGORITHMS = ['HS256', 'HS384', 'HS512'] as const
const RSA_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const
const CURVE_ALGORITHMS = ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const
const SIGNATURE_ALGORITHMS = [...RSA_ALGORITHMS, ...CURVE_ALGORITHMS] as const

/** An algorithm that a JWT may be signed with. */
export type JwtAlgorithm = (typeof HMAC_ALGORITHMS)[number] | (typeof SIGNATURE_ALGORITHMS)[number]

/** The options of `createJwtAuth`. Exactly one of `secret`, `publicKey` and `jwks` is required. */
export type JwtAuthOptions = {
  /** The secret that is shared with the issuer, with at least 32 bytes. */
  readonly secret?: string | Uint8Array | undefined
  /** The only public key of the issuer. `createPublicKey` of `node:crypto` creates a key from PEM text. */
  readonly publicKey?: CryptoKey | KeyObject | JWK | undefined
  /** The public keys of the issuer, or the URL from which they are fetched on first use. */
  readonly jwks?: string | URL | JSONWebKeySet | undefined
  /**
   * The accepted algorithms. HS* requires `secret`, and all others require a public key. Default: HS256 with
   * `secret`, and otherwise RS256, ES256, EdDSA and Ed25519.
   */
  readonly algorithms?: readonly JwtAlgorithm[] | undefined
  /** The accepted `iss`, one or several. Other tokens go to the next `Auth`. */
  readonly issuer?: string | readonly string[] | undefined
  /** The accepted `aud`, one or several. Other tokens go to the next `Auth`. */
  readonly audience?: string | readonly string[] | undefined
  /** The accepted `typ` in the header, such as `at+jwt`. Other tokens go to the next `Auth`. */
  readonly typ?: string | undefined
  /** Whether a token without `exp` is valid forever. By default, such a token is invalid. */
  readonly allowNoExpiry?: boolean | undefined
  /** The maximum difference between the issuer's clock and the local clock, in milliseconds. Default 0. */
  readonly clockToleranceMs?: number | undefined
  /**
   * The names of the claims of the token that the session gets, such as `org_id`. A claim that the token does
   * not have is left out. A token is invalid if these claims have more than 10 levels or contain a lone
   * surrogate. Default: none.
   */
  readonly claims?: readonly string[] | undefined
  /**
   * Returns the viewer, the app, the scopes and the claims of the session for the claims of a verified token, or
   * `undefined` to reject the token. Its claims are added to those that `claims` names, and replace those with
   * the same name. By default, the app is `azp` or `client_id`, the viewer is `sub` unless it equals the app,
   * and the scopes are `scope`, `scp` or `scopes`.
   */
  readonly grant?: ((claims: JWTPayload) => Awaitable<GrantOptions | undefined>) | undefined
  /** Returns the current time in milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined
}

const OPTION_KINDS = {
  secret: 'any',
  publicKey: 'any',
  jwks: 'any',
  algorithms: 'texts',
  issuer: 'any',
  audience: 'any',
  typ: 'text',
  allowNoExpiry: 'any',
  clockToleranceMs: 'any',
  claims: 'texts',
  grant: 'function',
  now: 'function',
} as const satisfies OptionKinds

export const throwInvalidOption = (name: string, expected: string, received: string): never => {
  throw usageError('createJwtAuth', name, expected, received)
}

/** Requires exactly one source of keys, so that a key is never used as a key of another kind. */
const assertOneKeySource = (options: JwtAuthOptions): void => {
  const keySources = (['secret', 'publicKey', 'jwks'] as const).filter(name => options[name] !== undefined)
  if (keySources.length === 1) return
  const received = keySources.length === 0 ? 'none' : keySources.map(name => `"${name}"`).join(' and ')
  throw usageErrorAbout('createJwtAuth', 'the key', 'one of "secret", "publicKey" and "jwks"', received)
}

/**
 * Returns the accepted issuers or audiences as a new array, or `undefined` if the option is not set.
 *
 * @throws TypeError for an empty array or name, because it would accept too many tokens.
 */
export const parseNames = (
  optionName: 'issuer' | 'audience',
  value: string | readonly string[] | undefined,
): string[] | undefined => {
  if (value === undefined) return undefined
  const names = typeof value === 'string' ? [value] : value
  const isValid = Array.isArray(names) && names.every(item => typeof item === 'string' && item !== '')
  if (!isValid || names.length === 0)
    return throwInvalidOption(
      optionName,
      'a string or an array of strings, none of them empty',
      describeValue(value),
    )
  return [...names]
}

/**
 * Rejects the text of a key. The error message does not contain the text, because the text may be a private
 * key.
 */
const assertKeyIsNotText = ({ publicKey }: JwtAuthOptions): void => {
  if (typeof publicKey === 'string')
    throwInvalidOption(
      'publicKey',
      'a key, such as the result of createPublicKey() of node:crypto for PEM',
      'a string',
    )
}

/**
 * @throws TypeError for an unknown option, for an option of the wrong type, and if there is not exactly one
 * source of keys.
 */
export const assertJwtOptions = (options: JwtAuthOptions): void => {
  assertOptionKinds('createJwtAuth', options ?? {}, OPTION_KINDS)
  assertOneKeySource(options ?? {})
  assertKeyIsNotText(options)
  const { clockToleranceMs = 0, typ, allowNoExpiry = false } = options
  if (typeof allowNoExpiry !== 'boolean') {
    throwInvalidOption('allowNoExpiry', 'a boolean', describeValue(allowNoExpiry))
  }
  if (typ === '') throwInvalidOption('typ', 'a string that is not empty', '""')
  if (!(Number.isFinite(clockToleranceMs) && clockToleranceMs >= 0)) {
    throwInvalidOption('clockToleranceMs', 'a number of at least 0', describeValue(clockToleranceMs))
  }
}

/**
 * Returns the accepted algorithms.
 *
 * @throws TypeError for an algorithm that does not match the keys. A public key must never be used as a
 * shared secret.
 */
export const resolveAlgorithms = ({ secret, algorithms }: JwtAuthOptions): string[] => {
  const supported: readonly string[] = secret === undefined ? SIGNATURE_ALGORITHMS : HMAC_ALGORITHMS
  if (algorithms === undefined) {
    return secret === undefined ? ['RS256', 'ES256', 'EdDSA', 'Ed25519'] : ['HS256']
  }
  const unsupported = algorithms.find(algorithm => !supported.includes(algorithm))
  if (algorithms.length > 0 && unsupported === undefined) return [...algorithms]
  const received = unsupported === undefined ? 'none' : describeValue(unsupported)
  return throwInvalidOption(
    'algorithms',
    `an array of ${supported.join(', ')} for ${secret === undefined ? 'public keys' : 'a secret'}`,
    received,
  )
}
