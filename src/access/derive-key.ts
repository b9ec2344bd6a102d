import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/** Derives a key for one purpose. Keys for different purposes reveal nothing about each other. */
export type DeriveKey = (purpose: string, length: number) => Uint8Array

const ROOT_KEY_BYTES = 32

/**
 * Creates the key derivation of a secret. Without a secret, or with an empty one, the keys are random for
 * this process.
 */
export const createDeriveKey = (secret: string | undefined): DeriveKey => {
  const rootKey = secret ? utf8ToBytes(secret) : crypto.getRandomValues(new Uint8Array(ROOT_KEY_BYTES))
  return (purpose, length) => hkdf(sha256, rootKey, undefined, utf8ToBytes(purpose), length)
}
