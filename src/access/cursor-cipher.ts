import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlToLatin1, bytesToBase64url } from '../base/base64url.ts'
import type { NodeId } from '../base/ids.ts'
import type { EdgePosition } from '../store/contract.ts'
import { createDeriveKey, type DeriveKey } from './secret.ts'

/** The position of the last examined edge in a list, and the source of the list. */
export type ExaminedPosition = EdgePosition & { readonly source: NodeId }

/**
 * Encrypts positions that callers must not learn, such as the position of an edge to a hidden node. Also
 * signs the cursors of lists with app-scoped ids.
 */
export interface CursorCipher {
  /**
   * Encrypts a position to 86 characters of base64url. They can be decrypted only with the same `context`.
   */
  encrypt(context: string, position: ExaminedPosition): string
  /** Decrypts a position. Returns `undefined` for a text that `encrypt` did not return for this context. */
  decrypt(context: string, text: string): ExaminedPosition | undefined
  /** Returns a signature of a text: 16 characters of base64url. */
  sign(text: string): string
}

const KEY_BYTES = 32
const ENCRYPTED_LENGTH = 86
const TARGET_OFFSET = 8
const SOURCE_OFFSET = 16
const POSITION_BYTES = 24
const SIGNATURE_BYTES = 12
const NONCE_BYTES = 24

/**
 * Encodes a position with a fixed size, so that the length of the encrypted text reveals nothing about the
 * ids.
 */
const toBytes = ({ time, target, source }: ExaminedPosition): Uint8Array => {
  const view = new DataView(new ArrayBuffer(POSITION_BYTES))
  view.setBigInt64(0, BigInt(time))
  view.setBigUint64(TARGET_OFFSET, BigInt(target))
  view.setBigUint64(SOURCE_OFFSET, BigInt(source))
  return new Uint8Array(view.buffer)
}

const toPosition = (bytes: Uint8Array): ExaminedPosition => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    time: Number(view.getBigInt64(0)),
    target: `${view.getBigUint64(TARGET_OFFSET)}`,
    source: `${view.getBigUint64(SOURCE_OFFSET)}`,
  }
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
      const bytes = toBytes(position)
      const nonce = createNonce(getKeys(), contextBytes, bytes)
      const encrypted = xchacha20poly1305(getKeys().encryptionKey, nonce, contextBytes).encrypt(bytes)
      return bytesToBase64url(concatBytes(nonce, encrypted))
    },
    decrypt(context, text) {
      const decoded = text.length === ENCRYPTED_LENGTH ? base64urlToLatin1(text) : undefined
      if (decoded === undefined) return undefined
      const bytes = Uint8Array.from(decoded, char => char.charCodeAt(0))
      const cipher = xchacha20poly1305(
        getKeys().encryptionKey,
        bytes.subarray(0, NONCE_BYTES),
        utf8ToBytes(context),
      )
      try {
        return toPosition(cipher.decrypt(bytes.subarray(NONCE_BYTES)))
      } catch {
        // For bytes of this length, a failed authentication is the only possible error.
        return undefined
      }
    },
    sign(text) {
      const digest = getKeys().signatureHmac.clone().update(utf8ToBytes(text)).digest()
      return bytesToBase64url(digest.subarray(0, SIGNATURE_BYTES))
    },
  }
}
