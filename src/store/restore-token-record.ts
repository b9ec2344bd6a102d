import type { TokenRecord } from './contract.ts'

/** Restores a token record from JSON, which omits members that are undefined. */
export const restoreTokenRecord = (record: TokenRecord): TokenRecord => ({
  ...record,
  viewer: record.viewer,
  expiresAt: record.expiresAt,
  revokedAt: record.revokedAt,
})
