import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { GraphError } from '../base/faults.ts'
import { equalInConstantTime } from './equal.ts'

/** Secrets by app. */
export type AppSecrets = { readonly [app: string]: string }

/** The proof that the holder of a token also knows the app's secret: HMAC-SHA256 of the token, in lower-case hex. */
export const proofOf = (token: string, appSecret: string): string =>
  bytesToHex(hmac(sha256, utf8ToBytes(appSecret), utf8ToBytes(token)))

/**
 * Refuses a wrong proof, and a missing one where it is compulsory.
 *
 * @throws GraphError `proof_invalid`.
 */
export const assertProof = (
  token: string,
  app: string,
  proof: string | undefined,
  secrets: AppSecrets,
  required: boolean,
): void => {
  if (proof === undefined && !required) return
  const secret = Object.hasOwn(secrets, app) ? secrets[app] : undefined
  if (typeof proof === 'string' && secret !== undefined && equalInConstantTime(proof, proofOf(token, secret)))
    return
  const message =
    proof === undefined ? 'This call needs a proof of possession' : 'The proof of possession is wrong'
  throw new GraphError('proof_invalid', message, { parameter: 'proof' })
}
