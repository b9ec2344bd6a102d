import { BoundedMap } from '../../base/bounded-map.ts'
import { describeValue } from '../../base/describe.ts'
import { isNodeId, type NodeId } from '../../base/ids.ts'
import { usageError } from '../../base/usage-error.ts'
import { type AppIdMapper, isPublicId } from './app-ids.ts'
import type { DigitCipher } from './digit-cipher.ts'

/** The key of one app for one of the secrets, and the first digit of its public ids. */
export type AppCipher = { readonly keyDigit: string; readonly cipher: DigitCipher }

const RAW_ID_LENGTH = 19
/** The maximum number of cached ids in each direction. A thousand take about a tenth of a megabyte. */
const MAX_CACHED_IDS = 16_384

/** The ids of one app. They are cached, because the cipher takes thousands of times as long as a lookup. */
export class CachedAppIdMapper implements AppIdMapper {
  readonly #current: AppCipher
  readonly #ciphers: ReadonlyMap<string, DigitCipher>
  readonly #publicIds = new BoundedMap<string>(MAX_CACHED_IDS)
  readonly #rawIds = new BoundedMap<NodeId>(MAX_CACHED_IDS)

  constructor(current: AppCipher, others: readonly AppCipher[]) {
    this.#current = current
    this.#ciphers = new Map([current, ...others].map(({ keyDigit, cipher }) => [keyDigit, cipher]))
  }

  toPublic(id: NodeId): string {
    const cached = this.#publicIds.get(id)
    if (cached !== undefined) return cached
    if (!isNodeId(id)) throw usageError('toPublic', 'id', 'the id of a node', describeValue(id))
    const { keyDigit, cipher } = this.#current
    const publicId = keyDigit + cipher.encrypt(id.padStart(RAW_ID_LENGTH, '0'))
    this.#publicIds.set(id, publicId)
    return publicId
  }

  toRaw(publicId: string): NodeId | undefined {
    if (!isPublicId(publicId)) return undefined
    const cached = this.#rawIds.get(publicId)
    if (cached !== undefined) return cached
    const digits = this.#ciphers.get(publicId.charAt(0))?.decrypt(publicId.slice(1))
    const id = digits?.replace(/^0+/, '')
    if (!isNodeId(id)) return undefined
    // Only ids that were recently returned by `toPublic` are cached, so that forged ids cannot evict them.
    if (this.#publicIds.get(id) !== undefined) this.#rawIds.set(publicId, id)
    return id
  }
}
