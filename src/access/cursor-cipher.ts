import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlToLatin1, bytesToBase64url } from '../base/base64url.ts'
import { createDeriveKey, type DeriveKey } from './secret.ts'

/**
 * Encrypts positions that callers must not learn, such as the position of an edge to a hidden node. Also
 * signs the cursors of lists with app-scoped ids.
 */
export interface CursorCipher {
  /**
   * Encrypts the text of a position as base64url. It can be decrypted only with the same `context`. Its length
   * reveals only how many times 64 bytes the text has.
   */
  encrypt(context: string, position: string): string
  /** Decrypts a text. Returns `undefined` for a text that `encrypt` did not return for this context. */
  decrypt(context: string, text: string): string | undefined
  /** Returns a signature of a text: 16 characters of base64url. */
  sign(text: string): string
}

const KEY_BYTES = 32
const BLOCK_BYTES = 64
const LENGTH_BYTES = 2
/** Longer texts are not decoded. */
const MAX_TEXT_LENGTH = 1200
const SIGNATURE_BYTES = 12
const NONCE_BYTES = 24
const TAG_BYTES = 16

/**
 * Encodes a text with its length, and pads it to a multiple of 64 bytes, so that the length of the encrypted
 * text reveals almost nothing about the position.
 */
const toPaddedBytes = (text: string): Uint8Array => {
  const textBytes = utf8ToBytes(text)
  const blockCount = Math.ceil((LENGTH_BYTES + textBytes.length) / BLOCK_BYTES)
  const bytes = new Uint8Array(blockCount * BLOCK_BYTES)
  new DataView(bytes.buffer).setUint16(0, textBytes.length)
  bytes.set(textBytes, LENGTH_BYTES)
  return bytes
}

const fromPaddedBytes = (bytes: Uint8Array): string => {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint16(0)
  return new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length))
}

const deriveKeys = (deriveKey: DeriveKey) => ({
  encryptionKey: deriveKey('encrypted positions', KEY_BYTES),
  nonceHmac: hmac.create(sha256, deriveKey('nonces of encrypted positions', KEY_BYTES)),
  signatureHmac: hmac.create(sha256, deriveKey('signed positions', KEY_BYTES)),
})

/**
 * Derives the nonce from the position and the context, so that the same page always has the same link.
 * Encrypted texts of one context reveal only which positions are equal. The nonce has 192 bits, so two
 * positions practically never have the same nonce.
 */
const createNonce = (
  { nonceHmac }: ReturnType<typeof deriveKeys>,
  context: Uint8Array,
  position: Uint8Array,
): Uint8Array => nonceHmac.clone().update(position).update(context).digest().subarray(0, NONCE_BYTES)

/**
 * Creates the cipher of a graph. Without a secret, or with an empty secret, the keys are random, and the
 * cursors are valid only in this process. The keys are derived on first use, because most graphs never
 * encrypt a cursor.
 */
export const createCursorCipher = (secret: string | undefined): CursorCipher => {
  const deriveKey = createDeriveKey(secret)
  let derivedKeys: ReturnType<typeof deriveKeys> | undefined
  const getKeys = () => {
    derivedKeys ??= deriveKeys(deriveKey)
    return derivedKeys
  }
  return {
    encrypt(context, position) {
      const contextBytes = utf8ToBytes(context)
      const bytes = toPaddedBytes(position)
      const nonce = createNonce(getKeys(), contextBytes, bytes)
      const encrypted = xchacha20poly1305(getKeys().encryptionKey, nonce, contextBytes).encrypt(bytes)
      return bytesToBase64url(concatBytes(nonce, encrypted))
    },
    decrypt(context, text) {
      const decoded = text.length > MAX_TEXT_LENGTH ? undefined : base64urlToLatin1(text)
      if (decoded === undefined || decoded.length < NONCE_BYTES + TAG_BYTES) return undefined
      const bytes = Uint8Array.from(decoded, char => char.charCodeAt(0))
      const cipher = xchacha20poly1305(
        getKeys().encryptionKey,
        bytes.subarray(0, NONCE_BYTES),
        utf8ToBytes(context),
      )
      try {
        return fromPaddedBytes(cipher.decrypt(bytes.subarray(NONCE_BYTES)))
      } catch {
        // After authentication, the bytes are those that `encrypt` padded.
        return undefined
      }
    },
    sign(text) {
      const digest = getKeys().signatureHmac.clone().update(utf8ToBytes(text)).digest()
      return bytesToBase64url(digest.subarray(0, SIGNATURE_BYTES))
    },
  }
}
