import { xchacha20 } from '@noble/ciphers/chacha.js'
import { equalBytes } from '@noble/ciphers/utils.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlToLatin1, bytesToBase64url } from '../../base/base64url.ts'

// Deterministic authenticated encryption by a synthetic initialization vector. The tag is a keyed hash of the
// prefix and the padded key, and the nonce of the cipher. See docs/decisions/0054-app-scoped-named-ids.md.

/** The number of bytes of the keys of a {@link NamedIdCipher}. */
export const NAMED_ID_KEY_BYTES = 64
const MAC_KEY_BYTES = 32
const TAG_BYTES = 16
const NONCE_BYTES = 24
/** The lengths to which keys are padded, in bytes. The last one fits the longest key. */
const PADDED_LENGTHS = [16, 48, 192]
/** The lengths of encrypted keys as base64url, in characters. */
const ENCODED_LENGTHS = PADDED_LENGTHS.map(length => Math.ceil(((TAG_BYTES + length) * 4) / 3))

/** Pads a key with zero bytes, which no key contains. */
const padKey = (key: string): Uint8Array => {
  const padded = new Uint8Array(PADDED_LENGTHS.find(length => key.length <= length) ?? key.length)
  padded.set(utf8ToBytes(key))
  return padded
}

const unpadKey = (padded: Uint8Array): string => {
  const end = padded.indexOf(0)
  return String.fromCharCode(...(end === -1 ? padded : padded.subarray(0, end)))
}

const toNonce = (tag: Uint8Array): Uint8Array => {
  const nonce = new Uint8Array(NONCE_BYTES)
  nonce.set(tag)
  return nonce
}

/** Encrypts the keys of named ids. The same prefix and key give the same text each time. */
export class NamedIdCipher {
  readonly #mac: ReturnType<typeof hmac.create>
  readonly #cipherKey: Uint8Array

  /** `keys` has 64 bytes: the key of the tag, then the key of the cipher. */
  constructor(keys: Uint8Array) {
    this.#mac = hmac.create(sha256, keys.subarray(0, MAC_KEY_BYTES))
    this.#cipherKey = keys.subarray(MAC_KEY_BYTES)
  }

  /** Returns the encrypted key as base64url: 43, 86 or 278 characters. */
  encrypt(prefix: string, key: string): string {
    const padded = padKey(key)
    const tag = this.#computeTag(prefix, padded)
    const encrypted = new Uint8Array(TAG_BYTES + padded.length)
    encrypted.set(tag)
    encrypted.set(xchacha20(this.#cipherKey, toNonce(tag), padded), TAG_BYTES)
    return bytesToBase64url(encrypted)
  }

  /** Returns the key, or undefined for a text that `encrypt` did not return for this prefix. */
  decrypt(prefix: string, text: string): string | undefined {
    const latin1 = ENCODED_LENGTHS.includes(text.length) ? base64urlToLatin1(text) : undefined
    if (latin1 === undefined) return undefined
    const encrypted = Uint8Array.from(latin1, character => character.charCodeAt(0))
    const tag = encrypted.subarray(0, TAG_BYTES)
    const padded = xchacha20(this.#cipherKey, toNonce(tag), encrypted.subarray(TAG_BYTES))
    return equalBytes(tag, this.#computeTag(prefix, padded)) ? unpadKey(padded) : undefined
  }

  /** A prefix contains no zero byte, so the hashed bytes are unambiguous. */
  #computeTag(prefix: string, padded: Uint8Array): Uint8Array {
    return this.#mac
      .clone()
      .update(utf8ToBytes(`${prefix}\0`))
      .update(padded)
      .digest()
      .subarray(0, TAG_BYTES)
  }
}
