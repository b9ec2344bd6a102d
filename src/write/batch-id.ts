import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { describeValue } from '../base/describe.ts'
import { isPlainObject, isText } from '../base/json.ts'
import { usageError, usageErrorAbout } from '../base/usage-error.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { BatchId } from '../store/conditional.ts'
import type { Store } from '../store/contract.ts'
import type { ParsedItem } from './mutation.ts'

/** The options of a write that determine the id of its batch. */
type BatchOptions = { readonly id?: string | undefined; readonly keepMs?: number | undefined }

const MAX_ID_LENGTH = 200
/** A year. */
const MAX_KEEP_MS = 31_536_000_000
const DEFAULT_KEEP_MS = 86_400_000
/** For how long a store remembers an id that the caller did not choose. */
const RETRY_KEEP_MS = 600_000

/** The maximum depth of a value. No valid value is this deep. */
const MAX_DEPTH = 100

const computeHash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))

/** Computes digests of values. Values that are shared or nested deeply take linear time. */
class ValueDigester {
  /** The digests of objects; undefined while a digest is computed. */
  readonly #digests = new Map<object, string | undefined>()
  #depth = 0

  /** Returns a text that only equal values have, regardless of the order of their members. */
  digest(value: unknown): string {
    if (typeof value === 'bigint') return `${value}n`
    if (value instanceof Date) return `date ${value.getTime()}`
    if (Array.isArray(value)) return this.#digestOnce(value, () => this.#joinItems(value))
    if (isPlainObject(value)) return this.#digestOnce(value, () => this.#joinMembers(value))
    if (value === undefined || typeof value === 'number') return String(value)
    if (value === null || typeof value === 'string' || typeof value === 'boolean')
      return JSON.stringify(value)
    throw this.#createError(value)
  }

  #digestOnce(value: object, join: () => string): string {
    if (this.#digests.has(value)) {
      const digest = this.#digests.get(value)
      if (digest === undefined) throw this.#createError(value)
      return digest
    }
    if (++this.#depth > MAX_DEPTH) throw this.#createError(value)
    this.#digests.set(value, undefined)
    const digest = computeHash(join())
    this.#depth--
    this.#digests.set(value, digest)
    return digest
  }

  #joinItems(items: readonly unknown[]): string {
    return `[${items.map(item => this.digest(item)).join()}]`
  }

  #joinMembers(object: { readonly [name: string]: unknown }): string {
    const names = Object.keys(object).filter(name => object[name] !== undefined)
    return `{${names
      .sort()
      .map(name => `${JSON.stringify(name)}:${this.digest(object[name])}`)
      .join()}}`
  }

  #createError(value: unknown): TypeError {
    const expected = 'an array of JSON values, dates and bigints if "id" is given'
    return usageError('write', 'mutations', expected, `one with ${describeValue(value)}`)
  }
}

/**
 * Returns the digest of mutations as the caller passed them. It is the same for all orders of members.
 *
 * @throws TypeError for other values than JSON, dates and bigints, and for a value that contains itself or is too
 * deep.
 */
const computeDigest = (mutations: readonly unknown[]): string => new ValueDigester().digest(mutations)

const isConditional = ({ parsed }: ParsedItem): boolean =>
  !(parsed instanceof ValidationIssue) &&
  (parsed.when !== undefined || (parsed.op === 'patchNode' && parsed.increment !== undefined))

const assertBatchOptions = ({ id, keepMs }: BatchOptions): void => {
  if (id !== undefined && !(isText(id) && id.length > 0 && id.length <= MAX_ID_LENGTH))
    throw usageError(
      'write',
      'id',
      `a well-formed string of 1 to ${MAX_ID_LENGTH} characters`,
      describeValue(id),
    )
  if (keepMs === undefined) return
  if (id === undefined) throw usageError('write', 'keepMs', 'left out without "id"', describeValue(keepMs))
  if (!Number.isSafeInteger(keepMs) || keepMs < 1 || keepMs > MAX_KEEP_MS)
    throw usageError('write', 'keepMs', `an integer from 1 to ${MAX_KEEP_MS}`, describeValue(keepMs))
}

/** @throws TypeError for a store that does not support conditions, increments and ids. */
export const assertConditionalWrites = (location: string, { capabilities }: Store): void => {
  if (!capabilities.conditionalWrites)
    throw usageErrorAbout(
      location,
      'the store',
      'one with conditional writes for a condition, an increment or an id',
      'a store with conditionalWrites: false',
    )
}

/**
 * Creates the id of a batch that only the store itself may send again. Returns undefined for a store in this
 * process, which has no connection that breaks.
 */
export const createRandomBatchId = ({ capabilities }: Store): BatchId | undefined => {
  if (!capabilities.shared) return undefined
  const id = crypto.randomUUID()
  return { id, digest: id, keepMs: RETRY_KEEP_MS }
}

/**
 * Returns the id with which a store recognizes a batch that is sent again: the id of the caller, or a random
 * one if writing the batch twice would have another effect than writing it once. Returns undefined for any
 * other batch.
 *
 * @throws TypeError for an invalid option, or if the store does not support the batch.
 */
export const createBatchId = (
  store: Store,
  mutations: readonly unknown[],
  items: readonly ParsedItem[],
  options: BatchOptions,
): BatchId | undefined => {
  assertBatchOptions(options)
  const { id, keepMs = DEFAULT_KEEP_MS } = options
  if (id === undefined && !items.some(isConditional)) return undefined
  assertConditionalWrites('write', store)
  return id === undefined ? createRandomBatchId(store) : { id, digest: computeDigest(mutations), keepMs }
}
