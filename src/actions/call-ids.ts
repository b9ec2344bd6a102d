import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalTextOf } from '../base/canonical-text.ts'
import type { RawId } from '../base/ids.ts'
import type { Session } from '../base/session.ts'
import { unknownTypeError } from '../base/usage-error.ts'
import type { Engine } from '../execute/engine.ts'
import { ROOT_TYPE } from '../schema/collection.ts'
import { idPrefixOf } from '../schema/id-prefixes.ts'
import type { Registry } from '../schema/registry.ts'
import type { Action } from './action.ts'

const KEY_BYTES = 32
const UUID_BYTES = 16
const DIGITS_BYTES = 8
/** The number of bits of an id of the kind `digits`. */
const DIGITS_BITS = 63
const VERSION_BYTE = 6
const VARIANT_BYTE = 8

/** Formats bytes as a UUID of version 8, whose content the application chooses. */
const formatUuid = (bytes: Uint8Array): string => {
  const uuid = bytes.slice(0, UUID_BYTES)
  uuid[VERSION_BYTE] = ((uuid[VERSION_BYTE] ?? 0) & 0x0f) | 0x80
  uuid[VARIANT_BYTE] = ((uuid[VARIANT_BYTE] ?? 0) & 0x3f) | 0x80
  return bytesToHex(uuid).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/**
 * Returns who makes a call. Without a viewer, only the claims distinguish the callers of an app, such as organizations.
 * A viewer stays the same if the claims of the next token differ.
 */
const bearerOf = ({ viewer, claims }: Session): string | readonly [claims: string] | null => {
  if (viewer !== undefined) return viewer
  return claims === undefined ? null : [canonicalTextOf(claims)]
}

/** Derives the ids of calls, and of the nodes that they create, from the secret of a graph. */
export class CallIds {
  readonly #registry: Registry
  /** The types of nodes. Only nodes have ids that the graph creates. */
  readonly #typeNames: readonly string[]
  readonly #callKey: Uint8Array
  readonly #nodeKey: Uint8Array

  constructor({ registry, deriveKey }: Pick<Engine, 'registry' | 'deriveKey'>) {
    this.#registry = registry
    this.#typeNames = Object.keys(registry.schema.types).filter(name => name !== ROOT_TYPE)
    this.#callKey = deriveKey('calls of actions', KEY_BYTES)
    this.#nodeKey = deriveKey('ids of nodes that actions create', KEY_BYTES)
  }

  /** Returns the id of a call: the same for each repetition with its key, and random without a key. */
  createCallId(session: Session, { type, name }: Action, source: RawId, key: string | undefined): string {
    if (key === undefined) return formatUuid(crypto.getRandomValues(new Uint8Array(UUID_BYTES)))
    // JSON is injective: no two lists of texts have the same form.
    const text = JSON.stringify([session.app, bearerOf(session), type, name, source, key])
    return formatUuid(hmac(sha256, this.#callKey, utf8ToBytes(text)))
  }

  /** Creates the function `newId` of a call. It depends on the number of ids of the same type before. */
  createNewId(callId: string): (type: string) => RawId {
    const names = this.#typeNames
    const countsByType = new Map<string, number>()
    return type => {
      if (!names.includes(type)) throw unknownTypeError('newId', names, type)
      const count = countsByType.get(type) ?? 0
      countsByType.set(type, count + 1)
      return this.#createNodeId(idPrefixOf(this.#registry.schema.types, type), callId, count)
    }
  }

  #createNodeId(prefix: string, callId: string, count: number): RawId {
    const hash = hmac(sha256, this.#nodeKey, utf8ToBytes(JSON.stringify([callId, prefix, count])))
    if (this.#registry.ids.kind === 'named') return `${prefix}-${formatUuid(hash)}`
    const digits = BigInt.asUintN(DIGITS_BITS, BigInt(`0x${bytesToHex(hash.slice(0, DIGITS_BYTES))}`))
    return `${digits === 0n ? 1n : digits}`
  }
}
