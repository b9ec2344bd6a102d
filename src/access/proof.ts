import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { GraphError } from '../base/errors.ts'
import { timingSafeEqual } from './secret.ts'

/** The secret of each app, by the name of the app. */
export type AppSecrets = { readonly [app: string]: string }

/**
 * Computes the proof of possession of a token: the HMAC-SHA256 of the token, with the app's secret as the
 * key, in lowercase hexadecimal.
 */
export const computeProof = (token: string, appSecret: string): string =>
  bytesToHex(hmac(sha256, utf8ToBytes(appSecret), utf8ToBytes(token)))

/**
 * Checks a proof of possession.
 *
 * @throws GraphError `proof_invalid` if the proof is wrong, or if a required proof is missing.
 */
export const assertProof = (
  token: string,
  app: string,
  proof: string | undefined,
  secrets: AppSecrets,
  isRequired: boolean,
): void => {
  if (proof === undefined && !isRequired) return
  const secret = Object.hasOwn(secrets, app) ? secrets[app] : undefined
  if (
    typeof proof === 'string' &&
    secret !== undefined &&
    timingSafeEqual(proof, computeProof(token, secret))
  )
    return
  const message =
    proof === undefined ? 'A proof of possession is required' : 'The proof of possession is not valid'
  throw new GraphError('proof_invalid', message, { parameter: 'proof' })
}
