import { describeValue } from '../base/describe.ts'
import type { IdKind } from '../base/ids.ts'
import { usageError } from '../base/usage-error.ts'

/**
 * Returns the option `ids` of a store, or its default.
 *
 * @throws TypeError for a value that is no kind of ids.
 */
export const parseIdKind = (
  factory: 'createPostgresStore' | 'createSqliteStore',
  ids: IdKind = 'digits',
): IdKind => {
  if (ids === 'digits' || ids === 'named') return ids
  throw usageError(factory, 'ids', '"digits" or "named"', describeValue(ids))
}
