import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

const MIN_SECRET_LENGTH = 16

/** The description of a valid secret. A shorter secret could be guessed. */
export const SECRET_EXPECTED = `a string of at least ${MIN_SECRET_LENGTH} characters`

export const isSecret = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= MIN_SECRET_LENGTH

/** Describes a value that is not a valid secret, without any of its text. */
export const describeSecret = (value: unknown): string =>
  typeof value === 'string' ? `a string of ${value.length} characters` : `a value of type ${typeof value}`

/**
 * Derives a key of `length` bytes for one purpose. Keys for different purposes reveal nothing about each
 * other.
 */
export type DeriveKey = (purpose: string, length: number) => Uint8Array

const ROOT_KEY_BYTES = 32

/**
 * Creates the key derivation of a secret. Without a secret, or with an empty secret, the keys are random for
 * this process.
 */
export const createDeriveKey = (secret: string | undefined): DeriveKey => {
  const rootKey = secret ? utf8ToBytes(secret) : crypto.getRandomValues(new Uint8Array(ROOT_KEY_BYTES))
  return (purpose, length) => hkdf(sha256, rootKey, undefined, utf8ToBytes(purpose), length)
}

/**
 * Compares two texts in a time that depends only on their lengths, so that the time does not reveal the
 * beginning of a secret.
 */
export const timingSafeEqual = (a: string, b: string): boolean => {
  if (a.length !== b.length) return false
  let difference = 0
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}
