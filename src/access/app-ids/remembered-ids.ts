import { BoundedMap } from '../../base/bounded-map.ts'
import { describe } from '../../base/describe.ts'
import { isNodeId, type NodeId } from '../../base/ids.ts'
import { type IdsOfApp, isPublicId } from './app-ids.ts'
import type { DigitCipher } from './digit-cipher.ts'

/** The key of one app under one of the secrets, with the digit that its public ids start with. */
export type AppKey = { readonly digit: string; readonly cipher: DigitCipher }

const RAW_DIGITS = 19
/** Each way; a thousand take about a tenth of a megabyte. */
const REMEMBERED = 16_384

/** The ids of one app: a cipher takes thousands of times as long as a look into a map, so answers are remembered. */
export class RememberedIds implements IdsOfApp {
  readonly #current: AppKey
  readonly #ciphers: ReadonlyMap<string, DigitCipher>
  readonly #publicIds = new BoundedMap<string>(REMEMBERED)
  readonly #rawIds = new BoundedMap<NodeId>(REMEMBERED)

  constructor(current: AppKey, others: readonly AppKey[]) {
    this.#current = current
    this.#ciphers = new Map([current, ...others].map(({ digit, cipher }) => [digit, cipher]))
  }

  toPublic(id: NodeId): string {
    const known = this.#publicIds.get(id)
    if (known !== undefined) return known
    if (!isNodeId(id)) throw new TypeError(`toPublic: expected the id of a node, came ${describe(id)}`)
    const { digit, cipher } = this.#current
    const publicId = digit + cipher.encrypt(id.padStart(RAW_DIGITS, '0'))
    this.#publicIds.set(id, publicId)
    return publicId
  }

  toRaw(publicId: string): NodeId | undefined {
    if (!isPublicId(publicId)) return undefined
    const known = this.#rawIds.get(publicId)
    if (known !== undefined) return known
    const digits = this.#ciphers.get(publicId.charAt(0))?.decrypt(publicId.slice(1))
    const id = digits?.replace(/^0+/, '')
    if (!isNodeId(id)) return undefined
    // Only what was answered lately is of a node for certain: forged ids, of whatever number, push nothing out.
    if (this.#publicIds.get(id) !== undefined) this.#rawIds.set(publicId, id)
    return id
  }
}
