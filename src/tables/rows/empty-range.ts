import type { RangeResult } from '../../store/contract.ts'

/** Creates the result of a range without entries. Callers may change a result, so each has its own. */
export const createEmptyRange = (isCounted: boolean): RangeResult => ({
  entries: [],
  hasMore: false,
  lastExamined: undefined,
  total: isCounted ? 0 : undefined,
})
