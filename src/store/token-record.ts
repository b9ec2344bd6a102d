import { describeValue } from '../base/describe.ts'
import { isText } from '../base/json.ts'
import { usageError } from '../base/usage-error.ts'
import type { TokenRecord } from './contract.ts'

/**
 * Asserts that the digest of a token is text that every store can save.
 *
 * @throws TypeError for any other value, or for text with a lone surrogate.
 */
export const assertDigest = (method: 'store.read' | 'store.write', digest: unknown): void => {
  if (!isText(digest)) throw usageError(method, 'digest', 'a well-formed string', describeValue(digest))
}

/** Restores a token record from JSON, which omits members that are undefined. */
export const restoreTokenRecord = (record: TokenRecord): TokenRecord => ({
  ...record,
  viewer: record.viewer,
  expiresAt: record.expiresAt,
  revokedAt: record.revokedAt,
})
