import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/** Makes the key for one use; keys for different uses say nothing about each other. */
export type Keys = (use: string, bytes: number) => Uint8Array

const ROOT_BYTES = 32

/** Without a secret, or with an empty one, the keys are random: they are the same in this process alone, and until it ends. */
export const createKeys = (secret: string | undefined): Keys => {
  const root = secret ? utf8ToBytes(secret) : crypto.getRandomValues(new Uint8Array(ROOT_BYTES))
  return (use, bytes) => hkdf(sha256, root, undefined, utf8ToBytes(use), bytes)
}
