import { FF1 } from '@noble/ciphers/ff1.js'
import { BoundedMap } from '../../base/bounded-map.ts'
import { describeValue } from '../../base/describe.ts'
import { isNodeId, type NodeId, type PublicId } from '../../base/ids.ts'
import { usageError } from '../../base/usage-error.ts'
import { type AppIdMapper, isPublicId } from './app-ids.ts'

/** A cipher of decimal digits. The encrypted text has the same number of digits. */
interface DigitCipher {
  encrypt(digits: string): string
  decrypt(digits: string): string
}

/** The cipher of one app for one of the secrets, and the first digit of the public ids that it creates. */
export type AppCipher = { readonly keyDigit: string; readonly cipher: DigitCipher }

const RADIX = 10
const RAW_ID_LENGTH = 19
/** The maximum number of cached ids in each direction. 1,000 cached ids use about 0.1 MB. */
const MAX_CACHED_IDS = 16_384

/** Creates an FF1 cipher (NIST SP 800-38G) of digits, without a tweak. `key` has 16, 24 or 32 bytes. */
export const createDigitCipher = (key: Uint8Array): DigitCipher => {
  const ff1 = FF1(RADIX, key)
  return {
    encrypt: digits => ff1.encrypt(Array.from(digits, Number)).join(''),
    decrypt: digits => ff1.decrypt(Array.from(digits, Number)).join(''),
  }
}

/**
 * Converts the ids of one app. Caches them, because the cipher takes thousands of times as long as a lookup.
 */
export class CachedAppIdMapper implements AppIdMapper {
  readonly #current: AppCipher
  readonly #ciphers: ReadonlyMap<string, DigitCipher>
  readonly #publicIds = new BoundedMap<string>(MAX_CACHED_IDS)
  readonly #rawIds = new BoundedMap<NodeId>(MAX_CACHED_IDS)

  constructor(current: AppCipher, others: readonly AppCipher[]) {
    this.#current = current
    this.#ciphers = new Map([current, ...others].map(({ keyDigit, cipher }) => [keyDigit, cipher]))
  }

  toPublic(id: NodeId): PublicId {
    const cached = this.#publicIds.get(id)
    if (cached !== undefined) return cached
    if (!isNodeId(id)) throw usageError('toPublic', 'id', 'the id of a node', describeValue(id))
    const { keyDigit, cipher } = this.#current
    const publicId = keyDigit + cipher.encrypt(id.padStart(RAW_ID_LENGTH, '0'))
    this.#publicIds.set(id, publicId)
    return publicId
  }

  toRaw(publicId: PublicId): NodeId | undefined {
    if (!isPublicId(publicId)) return undefined
    const cached = this.#rawIds.get(publicId)
    if (cached !== undefined) return cached
    const digits = this.#ciphers.get(publicId.charAt(0))?.decrypt(publicId.slice(1))
    const id = digits?.replace(/^0+/, '')
    if (!isNodeId(id)) return undefined
    // An id is cached only if `toPublic` converted it recently, so that forged ids cannot evict real ids.
    if (this.#publicIds.get(id) !== undefined) this.#rawIds.set(publicId, id)
    return id
  }
}
