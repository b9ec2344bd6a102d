import { gcmsiv } from '@noble/ciphers/aes.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { decodeToAscii, encodeBytes } from '../base/base64url.ts'
import type { NodeId } from '../base/ids.ts'
import type { EdgePosition } from '../store/contract.ts'

/** Where a list was left, and of which node it is. */
export type Mark = EdgePosition & { readonly source: NodeId }

/** Hides marks that their holder must not learn, such as that of an edge to a node that the viewer may not see. */
export interface Sealer {
  /** 54 characters of base64url, whatever the mark. The seal holds under the same `head` alone. */
  seal(head: string, mark: Mark): string
  /** Undefined for anything but what `seal` answered under this head. */
  unseal(head: string, text: string): Mark | undefined
  /** 16 characters of base64url that no one else can make for a text, though all may read the text. */
  sign(text: string): string
}

const KEY_BYTES = 32
const SEAL_LENGTH = 54
const TARGET_AT = 8
const SOURCE_AT = 16
const MARK_BYTES = 24
const SIGNATURE_BYTES = 12
/**
 * Always the same, so that the same page has the same link and answers can be compared byte by byte. GCM-SIV is made to
 * bear that: it gives away which seals under one head are of equal marks, and nothing else.
 */
const NONCE = new Uint8Array(12)

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

/**
 * Without a secret, or with an empty one, the key is random: seals then hold in this process alone, and until it ends.
 * The key is made at the first use, since most graphs never seal anything.
 */
export const createSealer = (secret: string | undefined): Sealer => {
  const root = secret ? utf8ToBytes(secret) : crypto.getRandomValues(new Uint8Array(KEY_BYTES))
  const keyFor = (use: string): Uint8Array => hkdf(sha256, root, undefined, utf8ToBytes(use), KEY_BYTES)
  let key: Uint8Array | undefined
  let signer: ReturnType<typeof hmac.create> | undefined
  const cipherFor = (head: string) => {
    key ??= keyFor('sealed positions')
    return gcmsiv(key, NONCE, utf8ToBytes(head))
  }
  return {
    seal: (head, mark) => encodeBytes(cipherFor(head).encrypt(bytesOf(mark))),
    unseal(head, text) {
      const sealed = text.length === SEAL_LENGTH ? decodeToAscii(text) : undefined
      if (sealed === undefined) return undefined
      try {
        return markOf(cipherFor(head).decrypt(Uint8Array.from(sealed, char => char.charCodeAt(0))))
      } catch {
        // The one thing that decrypting throws for bytes of this length: they were not sealed so.
        return undefined
      }
    },
    sign(text) {
      signer ??= hmac.create(sha256, keyFor('signed positions'))
      return encodeBytes(signer.clone().update(utf8ToBytes(text)).digest().subarray(0, SIGNATURE_BYTES))
    },
  }
}
