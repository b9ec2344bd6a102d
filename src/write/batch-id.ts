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
/** For how long a store remembers an id that the caller did not choose. The store itself may send a batch again. */
const RETRY_KEEP_MS = 600_000

/** The depth below which values have no effect on the digest. No valid value is this deep. */
const MAX_DEPTH = 100

/** Returns a value that `JSON.stringify` formats in the same way for all orders of its members. */
const toSorted = (value: unknown, depth: number): unknown => {
  if (depth === MAX_DEPTH) return null
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return value.map(item => toSorted(item, depth + 1))
  if (!isPlainObject(value)) return value
  const members = Object.keys(value).sort()
  return Object.fromEntries(members.map(name => [name, toSorted(value[name], depth + 1)]))
}

/**
 * Returns the digest of mutations as the caller passed them. It is the same for all orders of members.
 */
const computeDigest = (mutations: readonly unknown[]): string =>
  bytesToHex(sha256(utf8ToBytes(JSON.stringify(toSorted(mutations, 0)))))

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

/** Creates the id of a batch that only the store itself may send again. */
export const createRandomBatchId = (): BatchId => {
  const randomId = crypto.randomUUID()
  return { id: randomId, digest: randomId, keepMs: RETRY_KEEP_MS }
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
  const needsId = items.some(isConditional)
  if (id === undefined && !needsId) return undefined
  assertConditionalWrites('write', store)
  return id === undefined ? createRandomBatchId() : { id, digest: computeDigest(mutations), keepMs }
}
