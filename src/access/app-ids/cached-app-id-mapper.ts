import { BoundedMap } from '../../base/bounded-map.ts'
import { describeValue } from '../../base/describe.ts'
import { isNodeId, type NodeId, type PublicId } from '../../base/ids.ts'
import { usageError } from '../../base/usage-error.ts'
import { type AppCipher, keyDigitOf } from './app-cipher.ts'
import { type AppIdMapper, isPublicId } from './app-ids.ts'

/** The maximum number of cached ids in each direction. 1,000 cached digits use about 0.1 MB. */
const MAX_CACHED_IDS = 16_384

/** The conversion of ids with one of the secrets, without a cache. */
type IdCipher = Pick<AppCipher, 'keyDigit' | 'encrypt' | 'decrypt'>

/**
 * Converts the ids of one app. Caches them, because the ciphers take hundreds to thousands of times as long as a
 * lookup.
 */
export class CachedAppIdMapper implements AppIdMapper {
  readonly #current: IdCipher
  readonly #ciphers: ReadonlyMap<string, IdCipher>
  readonly #publicIds = new BoundedMap<string>(MAX_CACHED_IDS)
  readonly #rawIds = new BoundedMap<NodeId>(MAX_CACHED_IDS)

  constructor(current: IdCipher, others: readonly IdCipher[]) {
    this.#current = current
    this.#ciphers = new Map([current, ...others].map(cipher => [cipher.keyDigit, cipher]))
  }

  toPublic(id: NodeId): PublicId {
    const cached = this.#publicIds.get(id)
    if (cached !== undefined) return cached
    if (!isNodeId(id)) throw usageError('toPublic', 'id', 'the id of a node', describeValue(id))
    const publicId = this.#current.encrypt(id)
    this.#publicIds.set(id, publicId)
    return publicId
  }

  toRaw(publicId: PublicId): NodeId | undefined {
    if (!isPublicId(publicId)) return undefined
    const cached = this.#rawIds.get(publicId)
    if (cached !== undefined) return cached
    const id = this.#ciphers.get(keyDigitOf(publicId))?.decrypt(publicId)
    if (!isNodeId(id)) return undefined
    // An id is cached only if `toPublic` converted it recently, so that forged ids cannot evict real ids.
    if (this.#publicIds.get(id) !== undefined) this.#rawIds.set(publicId, id)
    return id
  }
}
