import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { describeValue, shortenText } from '../base/describe.ts'
import { isObject, isPlainObject, isText } from '../base/json.ts'
import { usageError, usageErrorAbout } from '../base/usage-error.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import { type BatchId, createRetryId, isConditional } from '../store/conditional.ts'
import type { Store } from '../store/contract.ts'
import { MAX_DEPTH } from './input-values.ts'
import type { ParsedItem } from './mutation.ts'

/** The options of a write that determine the id of its batch. */
type BatchOptions = { readonly id?: string | undefined; readonly keepMs?: number | undefined }

const MAX_ID_LENGTH = 200
/** A minute. A client of a database may send a command again after this time. */
const MIN_KEEP_MS = 60_000
/** A year. */
const MAX_KEEP_MS = 31_536_000_000
const DEFAULT_KEEP_MS = 86_400_000

const computeHash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))

/** Describes a value that is neither JSON nor a date nor a bigint. An object is described by its class. */
const describeUnsupported = (value: unknown): string => {
  const owner: unknown = isObject(value) && value.constructor
  return typeof owner === 'function' ? `an instance of ${shortenText(owner.name)}` : describeValue(value)
}

const createValueError = (received: string): TypeError =>
  usageError(
    'write',
    'mutations',
    'an array of JSON values, dates and bigints if "id" is given',
    `one with ${received}`,
  )

/** Computes digests of values. Values that are shared or nested deeply take linear time. */
class ValueDigester {
  readonly #digests = new Map<object, string>()
  #depth = 0

  /** Returns a text that only equal values have, regardless of the order of their members. */
  digest(value: unknown): string {
    if (typeof value === 'bigint') return `${value}n`
    // If a request is sent again as JSON, its dates are strings.
    if (value instanceof Date) return Number.isNaN(+value) ? 'NaN' : `"${value.toISOString()}"`
    if (Array.isArray(value)) return this.#digestOnce(value, () => this.#joinItems(value))
    if (isPlainObject(value)) return this.#digestOnce(value, () => this.#joinMembers(value))
    if (typeof value === 'string') return JSON.stringify(value)
    if (value == null || typeof value === 'number' || typeof value === 'boolean') return String(value)
    throw createValueError(describeUnsupported(value))
  }

  #digestOnce(value: object, join: () => string): string {
    const knownDigest = this.#digests.get(value)
    if (knownDigest !== undefined) return knownDigest
    if (++this.#depth > MAX_DEPTH)
      throw createValueError(`a value that contains itself or has more than ${MAX_DEPTH} levels`)
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
}

/**
 * Returns the digest of values as a caller passed them. It is the same for all orders of members.
 *
 * @throws TypeError for other values than JSON, dates and bigints, and for a value that contains itself or is too
 * deep.
 */
export const computeDigest = (value: unknown): string => new ValueDigester().digest(value)

const isConditionalItem = ({ parsed }: ParsedItem): boolean =>
  !(parsed instanceof ValidationIssue) && isConditional(parsed)

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
  if (!Number.isSafeInteger(keepMs) || keepMs < MIN_KEEP_MS || keepMs > MAX_KEEP_MS)
    throw usageError(
      'write',
      'keepMs',
      `an integer from ${MIN_KEEP_MS} to ${MAX_KEEP_MS}`,
      describeValue(keepMs),
    )
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
 * Creates the id of a batch that only the store itself may send again. Returns undefined for a store that only
 * this process uses, which has no connection that breaks. The capabilities do not say whether another store
 * has a connection.
 */
export const createRandomBatchId = ({ capabilities }: Store): BatchId | undefined => {
  return capabilities.shared ? createRetryId() : undefined
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
  digest?: string,
): BatchId | undefined => {
  assertBatchOptions(options)
  const { id, keepMs = DEFAULT_KEEP_MS } = options
  if (id === undefined && !items.some(isConditionalItem)) return undefined
  assertConditionalWrites('write', store)
  if (id === undefined) return createRandomBatchId(store)
  return { id, digest: digest ?? computeDigest(mutations), keepMs }
}
