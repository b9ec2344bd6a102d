import type { TokenRecord } from './contract.ts'

/** A token record that was kept as JSON, with the members that JSON leaves out because they are undefined. */
export const wholeToken = (record: TokenRecord): TokenRecord => ({
  ...record,
  viewer: record.viewer,
  expiresAt: record.expiresAt,
  revokedAt: record.revokedAt,
})
