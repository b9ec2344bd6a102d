import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { decodeToAscii, encodeBytes } from '../base/base64url.ts'
import type { NodeId } from '../base/ids.ts'
import type { EdgePosition } from '../store/contract.ts'
import { createKeys, type Keys } from './keys.ts'

/** Where a list was left, and of which node it is. */
export type Mark = EdgePosition & { readonly source: NodeId }

/** Hides marks that their holder must not learn, such as that of an edge to a node that the viewer may not see. */
export interface Sealer {
  /** 86 characters of base64url, whatever the mark. The seal holds under the same `head` alone. */
  seal(head: string, mark: Mark): string
  /** Undefined for anything but what `seal` answered under this head. */
  unseal(head: string, text: string): Mark | undefined
  /** 16 characters of base64url that no one else can make for a text, though all may read the text. */
  sign(text: string): string
}

const KEY_BYTES = 32
const SEAL_LENGTH = 86
const TARGET_AT = 8
const SOURCE_AT = 16
const MARK_BYTES = 24
const SIGNATURE_BYTES = 12
const NONCE_BYTES = 24

/** Of a fixed size, so that the length of a seal says nothing of the id in it. */
const bytesOf = ({ time, target, source }: Mark): Uint8Array => {
  const view = new DataView(new ArrayBuffer(MARK_BYTES))
  view.setBigInt64(0, BigInt(time))
  view.setBigUint64(TARGET_AT, BigInt(target))
  view.setBigUint64(SOURCE_AT, BigInt(source))
  return new Uint8Array(view.buffer)
}

const markOf = (bytes: Uint8Array): Mark => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    time: Number(view.getBigInt64(0)),
    target: `${view.getBigUint64(TARGET_AT)}`,
    source: `${view.getBigUint64(SOURCE_AT)}`,
  }
}

const keysOf = (keyFor: Keys) => ({
  seals: keyFor('sealed positions', KEY_BYTES),
  nonces: hmac.create(sha256, keyFor('nonces of sealed positions', KEY_BYTES)),
  signatures: hmac.create(sha256, keyFor('signed positions', KEY_BYTES)),
})

/**
 * Without a secret, or with an empty one, the keys are random: seals then hold in this process alone, and until it ends.
 * Keys are made at the first use, since most graphs never seal anything.
 */
export const createSealer = (secret: string | undefined): Sealer => {
  const keyFor = createKeys(secret)
  let made: ReturnType<typeof keysOf> | undefined
  const keys = () => {
    made ??= keysOf(keyFor)
    return made
  }
  /**
   * Made of what is sealed, so that the same page has the same link: seals under one head give away which are of equal
   * marks, and nothing else. That two others meet in 192 bits need not be feared.
   */
  const nonceOf = (head: Uint8Array, mark: Uint8Array): Uint8Array =>
    keys().nonces.clone().update(mark).update(head).digest().subarray(0, NONCE_BYTES)
  return {
    seal(head, mark) {
      const context = utf8ToBytes(head)
      const bytes = bytesOf(mark)
      const nonce = nonceOf(context, bytes)
      const sealed = xchacha20poly1305(keys().seals, nonce, context).encrypt(bytes)
      return encodeBytes(concatBytes(nonce, sealed))
    },
    unseal(head, text) {
      const decoded = text.length === SEAL_LENGTH ? decodeToAscii(text) : undefined
      if (decoded === undefined) return undefined
      const bytes = Uint8Array.from(decoded, char => char.charCodeAt(0))
      const cipher = xchacha20poly1305(keys().seals, bytes.subarray(0, NONCE_BYTES), utf8ToBytes(head))
      try {
        return markOf(cipher.decrypt(bytes.subarray(NONCE_BYTES)))
      } catch {
        // The one thing that decrypting throws for bytes of this length: they were not sealed so.
        return undefined
      }
    },
    sign(text) {
      const digest = keys().signatures.clone().update(utf8ToBytes(text)).digest()
      return encodeBytes(digest.subarray(0, SIGNATURE_BYTES))
    },
  }
}
